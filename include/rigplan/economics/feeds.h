// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "rigplan/catalog/catalog.h"
#include "rigplan/economics/price_book.h"

namespace rigplan {

/// Circuits of one kind that have to be laid.
struct FeedChoice {
  const Circuit* circuit = nullptr;
  int count = 0;
};
/// What carries `wall` all day beside the one usual circuit that is there: more of these, or one stronger kind in their place,
/// whichever is cheapest (likely price). Single phase ends where its largest circuit does. Nothing when the usual one suffices
/// or no kind has a price.
std::optional<FeedChoice> choose_feeds(const Catalog& catalog, const PriceBook& prices, const PlanningDefaults& defaults,
                                       Watts wall);

/// Distribution units of one machine: as few as carry it, of the smallest kind for that number. A part that is one fits a
/// circuit.
struct StripChoice {
  const Part* part = nullptr;  ///< nullptr: the catalog has none for these circuits
  int count = 0;
};
StripChoice choose_strips(const Catalog& catalog, Watts machine);

}  // namespace rigplan
