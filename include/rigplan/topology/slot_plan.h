// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "rigplan/topology/graph.h"
#include "rigplan/topology/peer.h"

namespace rigplan {

/// What a job moves between the cards of one machine.
struct Traffic {
  std::vector<int> groups;                  ///< per card: only cards of one group talk (tensor parallel); empty: all do
  std::vector<std::vector<Bytes>> between;  ///< [from][to]; empty: `to_each` from every card to every other of its group
  Bytes to_each = 1 * MiB;
  PeerAssumption assumption = PeerAssumption::unknown_is_no;

  Bytes of(int from, int to) const;
};

/// How long a placement needs for the traffic: the bytes on the most loaded link over its bandwidth.
struct PlacementTime {
  Seconds time;
  LinkId link = -1;
};
PlacementTime placement_time(const RigGraph& graph, const Traffic& traffic);

/// One way to plug the cards of a machine, every slot named, and what it takes.
struct Placement {
  Rig rig;
  Seconds time;
  LinkId link = -1;  ///< what limits it, as in build_graph(rig)
};

/// The best and the worst way to plug the cards of a machine and to put its bridges on them.
struct SlotPlan {
  Placement best, worst;
  std::optional<Placement> present;  ///< where the rig states all slots itself
  int tried = 0;                     ///< placements that can exist and are not alike
  bool complete = true;              ///< all of them were tried
};

/// Tries every placement of the cards of a rig with one kind of machine, and every choice of like cards for its bridges. Cards on
/// risers and all adapters stay, NICs take what the cards leave; where a bridge reaches in some placement, only such count.
/// Placements that differ only by swapping like cards or like slots count once; after `limit` of them the search stops.
/// @throws DataError when there is no placement.
SlotPlan plan_slots(const Rig& rig, const Catalog& catalog, const Traffic& traffic, int limit = 4000);

}  // namespace rigplan
