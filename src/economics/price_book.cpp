// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/price_book.h"

#include <algorithm>

namespace rigplan {

PriceBook::PriceBook(const Catalog& catalog) {
  std::vector<const PriceRow*> rows;
  rows.reserve(catalog.prices.size());
  for (const auto& row : catalog.prices) rows.push_back(&row);
  std::ranges::stable_sort(rows, {}, &PriceRow::item);
  for (auto begin = rows.begin(); begin != rows.end();) {
    const auto& item = (*begin)->item;
    const auto end = std::find_if(begin, rows.end(), [&](const PriceRow* row) { return row->item != item; });
    if (auto price = price_from_rows({begin, end}, catalog.exchange, catalog.price_policy))
      prices_.emplace_hint(prices_.end(), item, std::move(*price));
    begin = end;
  }
}

const Price* PriceBook::find(std::string_view item) const {
  const auto found = prices_.find(item);
  return found == prices_.end() ? nullptr : &found->second;
}

}  // namespace rigplan
