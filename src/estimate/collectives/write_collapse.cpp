// SPDX-License-Identifier: Apache-2.0
#include "estimate/collectives/write_collapse.h"

#include <map>
#include <set>

namespace rigplan {
namespace {

/// Measured per pair: 52 GB/s fall to 7 when four cards of a switch write to two other root ports (sixteen cards, four Gen5
/// switches on a WRX90 board), and 37 to 2.7 for two sources on another platform; reads, and trees with one root switch, keep
/// their rate (github.com/voipmonitor/rtx6kpro, hardware/collapse-report.md, 2026-04). The geometric mean of 7/52 and 2.7/37.
constexpr double kept_share = 0.1;
constexpr std::size_t least_sources = 2, least_roots = 2;

struct CardPosition {
  LinkId root = -1;  ///< the link into the processor or chipset, through all machines
  bool below_switch = false;
};

CardPosition position_of(const RigGraph& graph, int card) {
  const int machine = graph.node_of_card(card);
  const auto& node = graph.node(machine);
  int device = node.cards[static_cast<std::size_t>(card - graph.first_card[static_cast<std::size_t>(machine)])];
  CardPosition position;
  for (LinkId up = node.upward[static_cast<std::size_t>(device)]; up >= 0; up = node.upward[static_cast<std::size_t>(device)]) {
    position.root = graph.first_link[static_cast<std::size_t>(machine)] + up;
    device = node.links[static_cast<std::size_t>(up)].to;
    position.below_switch |= node.devices[static_cast<std::size_t>(device)].kind == DeviceKind::pcie_switch;
  }
  return position;
}

}  // namespace

double write_collapse(const CardGroup& group, std::span<const std::pair<int, int>> transfers) {
  struct Writes {
    std::set<int> sources;
    std::set<LinkId> roots;
  };
  std::map<LinkId, Writes> by_switch;
  for (const auto& [from, to] : transfers) {
    const auto source = position_of(group.graph(), group.card(from)), target = position_of(group.graph(), group.card(to));
    if (!source.below_switch || source.root == target.root) continue;
    if (group.route_between(from, to).kind != RouteKind::pcie_peer) continue;
    auto& writes = by_switch[source.root];
    writes.sources.insert(from);
    writes.roots.insert(target.root);
  }
  for (const auto& [root, writes] : by_switch)
    if (writes.sources.size() >= least_sources && writes.roots.size() >= least_roots) return kept_share;
  return 1;
}

}  // namespace rigplan
