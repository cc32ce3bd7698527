// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>

#include "rigplan/catalog/catalog.h"
#include "rigplan/economics/price_book.h"

namespace rigplan {

/// The part that will do for the least likely price of all the pieces it takes; of equal ones the first id, so that the order of
/// the catalog does not show. nullptr where none that will do has a price.
/// @param will_do bool(const Part&)
/// @param pieces int(const Part&), asked only of parts that will do
template <class WillDo, class Pieces>
const Part* cheapest_part(const Catalog& catalog, const PriceBook& prices, const WillDo& will_do, const Pieces& pieces) {
  const Part* best = nullptr;
  const auto rank = [&](const Part& part) { return std::tuple{pieces(part) * prices.find(part.id)->range.likely, part.id}; };
  for (const auto& part : catalog.parts.entries)
    if (prices.find(part.id) && will_do(part) && (!best || rank(part) < rank(*best))) best = &part;
  return best;
}

/// One piece of each.
template <class WillDo>
const Part* cheapest_part(const Catalog& catalog, const PriceBook& prices, const WillDo& will_do) {
  return cheapest_part(catalog, prices, will_do, [](const Part&) { return 1; });
}

}  // namespace rigplan
