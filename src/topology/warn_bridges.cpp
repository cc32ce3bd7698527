// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rigplan/units/format.h"
#include "rigplan/units/message.h"
#include "topology/bridge_reach.h"
#include "topology/warning_rules.h"

namespace rigplan {
namespace {

bool takes_bridge(const Gpu& gpu) {
  return gpu.peer_ports && gpu.peer_ports->links > 0 && gpu.peer_ports->fabric == PeerFabric::bridge;
}

void warn_of_spacing(const NodeView& v, const BridgePlace& bridge) {
  const auto reach = bridge_reach(v.place, v.node.board, bridge);
  if (reach == BridgeReach::reaches) return;
  v.warn("W_NVLINK_SLOT_SPACING",
         reach == BridgeReach::off_board
             ? msg("a bridge spans a fixed number of slots; with cards on cables or adapters check that it reaches")
             : msg("another card sits between two that are bridged; a bridge spans a fixed number of slots"),
         v.name(v.node.cards[static_cast<std::size_t>(bridge.cards.front())]));
}

}  // namespace

void warn_of_bridges(const NodeView& v) {
  std::set<int> bridged, open;
  for (const auto& bridge : v.place.bridges) {
    bridged.insert(bridge.cards.begin(), bridge.cards.end());
    if (!v.node.board.slots.empty() && takes_bridge(v.gpu(bridge.cards.front()))) warn_of_spacing(v, bridge);
  }
  for (int i = 0; i < v.cards(); ++i)
    if (takes_bridge(v.gpu(i)) && !bridged.contains(i)) open.insert(i);
  if (open.size() > 1) {
    const auto& ports = *v.gpu(*open.begin()).peer_ports;
    v.warn("W_NVLINK_ABSENT",
           fmt::format(
               "{} cards have connectors for bridges ({} link{} of {}) and no bridge; an offer of such cards should say whether "
               "bridges are included",
               open.size(), ports.links, ports.links == 1 ? "" : "s", to_text(ports.per_link)));
  }
  const bool all_in_one = std::any_of(v.place.bridges.begin(), v.place.bridges.end(), [&](const BridgePlace& bridge) {
    return static_cast<int>(bridge.cards.size()) == v.cards();
  });
  if (!v.place.bridges.empty() && !all_in_one && v.cards() > 2)
    v.warn("W_NVLINK_UNUSED",
           fmt::format("bridges join groups of {} of {} cards; a collective over all cards is bound by PCIe between the groups",
                       v.place.bridges.front().cards.size(), v.cards()));
}

}  // namespace rigplan
