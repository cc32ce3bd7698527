// SPDX-License-Identifier: Apache-2.0
#include "rigplan/topology/warnings.h"

#include <fmt/format.h>

#include "topology/warning_rules.h"

namespace rigplan {

int NodeView::above(int d, DeviceKind kind) const {
  for (const auto* up = upward(d); up != nullptr; up = upward(up->to))
    if (device(up->to).kind == kind) return up->to;
  return -1;
}

std::string NodeView::name(int d) const {
  return graph.nodes() > 1 ? fmt::format("{}/{}", place.id, device(d).label) : device(d).label;
}

std::vector<TopologyWarning> topology_warnings(const RigGraph& graph) {
  std::vector<TopologyWarning> found;
  int machine = 0;
  for (std::size_t kind = 0; kind < graph.kinds.size(); ++kind) {
    const auto& place = graph.rig.nodes[kind];
    const NodeView view{graph, graph.kinds[kind], place, machine, found};
    machine += place.count;
    if (view.cards() == 0) continue;
    warn_of_slots(view);
    warn_of_switches(view);
    warn_of_peers(view);
    warn_of_bridges(view);
    warn_of_firmware(view);
    warn_of_network(view);
  }
  return found;
}

}  // namespace rigplan
