// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "topology/plugs.h"

namespace rigplan {

struct FreePort {
  std::string plug;  ///< "PCIE3", "sw0/1"
  Port port;
};

/// All plugs that nothing takes yet and that have lanes: slots in the order of the board, then ports of plugged adapters.
std::vector<FreePort> free_ports(const RigNode& node, const Catalog& catalog);

/// Fills an open plug of `node` where a builder looks first: slots before M.2 and x1, processor before chipset, then bandwidth,
/// then the socket that has cards already. @return false when there is no place.
bool plug_where_best(Plug& plug, const RigNode& node, const Catalog& catalog, PcieLink device);

}  // namespace rigplan
