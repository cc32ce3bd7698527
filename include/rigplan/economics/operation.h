// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/catalog/catalog.h"
#include "rigplan/economics/purchase.h"

namespace rigplan {

/// What the maker says of running this card today; unknown where the catalog has no row.
SupportLevel maker_support(const Catalog& catalog, const std::string& gpu);
/// Hours a month that the software of one machine takes.
double labour_hours(const UpkeepHours& hours, SupportLevel level);

/// Something that a rig takes beside its own bill and its energy: where it stands, how its machines are joined, and what keeps
/// it running.
struct SiteCost {
  std::string name{};  ///< "power feeds"
  std::string item{};  ///< name of the part; empty where it is no part
  Range<double> count{};
  std::string unit{};                   ///< "h"; empty: pieces
  std::optional<Range<Yuan>> amount{};  ///< of all; nothing: no price is known
  std::string how{};                    ///< the sum behind the count
  std::string source{};                 ///< of the price, or of the figures in the sum
};
/// Software upkeep in hours of labour for each machine, and cards that fail beyond the spares of the bill.
std::vector<SiteCost> operation_of(const Catalog& catalog, const PlanningDefaults& defaults, const Rig& rig,
                                   const Purchase& purchase, Seconds horizon);

}  // namespace rigplan
