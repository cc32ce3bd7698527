// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "rigplan/economics/operation.h"

namespace rigplan {

/// Whether these costs are worth telling: several machines, or more than the one circuit that a home or office has.
bool has_site_costs(const BillContext& context, const Rig& rig);
/// Power feeds and distribution; switches, cables and network cards that the rig does not name; failing cards and hours of
/// labour over the horizon. `rig` with its supplies.
std::vector<SiteCost> site_costs(const BillContext& context, const Rig& rig, const Purchase& purchase, Seconds horizon);
/// Sum of the amounts that are known.
Range<Yuan> total_of(const std::vector<SiteCost>& costs);

}  // namespace rigplan
