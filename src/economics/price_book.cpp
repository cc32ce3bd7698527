// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/price_book.h"

namespace rigplan {

PriceBook::PriceBook(const Catalog& catalog) {
  std::map<std::string_view, std::vector<const PriceRow*>> rows;
  for (const auto& row : catalog.prices) rows[row.item].push_back(&row);
  for (const auto& [item, of_item] : rows) {
    if (auto price = price_from_rows(of_item, catalog.exchange, catalog.price_policy)) prices_.emplace(item, *price);
  }
}

const Price* PriceBook::find(std::string_view item) const {
  const auto found = prices_.find(item);
  return found == prices_.end() ? nullptr : &found->second;
}

}  // namespace rigplan
