// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "rigplan/topology/graph.h"
#include "rigplan/topology/peer.h"

namespace rigplan {

/// What a job moves between the cards of one machine.
struct Traffic {
  std::vector<std::vector<Bytes>> between;  ///< [from][to]; empty: `to_each` from every card to every other
  Bytes to_each = 1 * MiB;
  PeerAssumption assumption = PeerAssumption::unknown_is_no;
};

/// How long a placement needs for the traffic: the bytes on the most loaded link over its bandwidth.
struct PlacementTime {
  Seconds time;
  LinkId link = -1;
};
PlacementTime placement_time(const RigGraph& graph, const Traffic& traffic);

/// The best and the worst way to plug the cards of a machine.
struct SlotPlan {
  Rig best, worst;
  Seconds best_time, worst_time;
  LinkId best_link = -1, worst_link = -1;
  int tried = 0;         ///< placements that can exist and are not alike
  bool complete = true;  ///< all of them were tried
};

/// Tries every placement of the cards of a rig with one kind of machine; cards on risers and all adapters stay,
/// NICs take what the cards leave. Placements that
/// differ only by swapping like cards or like slots count once; after `limit` of them the search stops.
/// @throws DataError when there is no placement.
SlotPlan plan_slots(const Rig& rig, const Catalog& catalog, const Traffic& traffic, int limit = 4000);

}  // namespace rigplan
