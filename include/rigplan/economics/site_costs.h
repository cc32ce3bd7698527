// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/economics/purchase.h"

namespace rigplan {

/// Something that a rig takes beside its own bill and its energy: where it stands, how its machines are joined, and what keeps
/// it running.
struct SiteCost {
  std::string name;  ///< "power feeds"
  std::string item;  ///< name of the part; empty where it is no part
  Range<double> count;
  std::string unit;                   ///< "h"; empty: pieces
  std::optional<Range<Yuan>> amount;  ///< of all; nothing: no price is known
  std::string how;                    ///< the sum behind the count
  std::string source;                 ///< of the price, or of the figures in the sum
};
/// Whether these costs are worth telling: several machines, or more than the one circuit that a home or office has.
bool has_site_costs(const BillContext& context, const Rig& rig);
/// Power feeds and distribution; switches, cables and network cards that the rig does not name; failing cards and hours of
/// labour over the horizon. `rig` with its supplies.
std::vector<SiteCost> site_costs(const BillContext& context, const Rig& rig, const Purchase& purchase, Seconds horizon);
/// Sum of the amounts that are known.
Range<Yuan> total_of(const std::vector<SiteCost>& costs);

}  // namespace rigplan
