// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "rigplan/catalog/calibration.h"
#include "rigplan/estimate/collectives/group_fabric.h"
#include "rigplan/estimate/collectives/group_links.h"
#include "rigplan/topology/graph.h"
#include "rigplan/topology/peer.h"

namespace rigplan {

/// The fabric that links give, ways between neighbours left out.
GroupFabric fabric_over(const GroupLinks& links, const Calibration& collectives, std::string_view stack);

/// The fabric of a group of cards (numbered through all machines, in ring and layer order) while nothing else moves. One card
/// alone gives a fabric of kind none.
/// @param collectives the calibration of the family "collectives"
GroupFabric prepare_fabric(const RigGraph& graph, std::span<const int> cards, PeerAssumption assumption,
                           const Calibration& collectives);

}  // namespace rigplan
