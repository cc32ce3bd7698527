// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rigplan/catalog/catalog.h"
#include "rigplan/economics/purchase.h"

namespace rigplan {

/// What the maker says of running this card today; unknown where the catalog has no row.
SupportLevel maker_support(const Catalog& catalog, const std::string& gpu);
/// Hours a month that the software of one machine takes.
double labour_hours(const UpkeepHours& hours, SupportLevel level);

/// Something that a rig takes beside energy while it runs, over a horizon.
struct OperationLine {
  std::string name;     ///< "software upkeep", "cards that fail"
  Range<double> count;  ///< hours, or cards
  std::string unit;     ///< "h"; empty: pieces
  Range<Yuan> amount;
  std::string how;     ///< the sum behind the count
  std::string source;  ///< where the figures of it come from
};
/// Software upkeep in hours of labour for each machine, and cards that fail beyond the spares of the bill.
std::vector<OperationLine> operation_of(const Catalog& catalog, const PlanningDefaults& defaults, const Rig& rig,
                                        const Purchase& purchase, Seconds horizon);

}  // namespace rigplan
