// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/collectives/prepare_fabric.h"

#include <algorithm>

#include "rigplan/estimate/collectives/prepare_links.h"

namespace rigplan {
namespace {

/// The slowest boundary between neighbours in card order, alone on the wires, with the calibrated efficiency of its kind.
void set_hops(GroupFabric& fabric, const CardGroup& group, const Calibration& calibration, std::string_view stack) {
  const int machines = static_cast<int>(group.machines().size());
  for (int i = 0; i + 1 < group.size(); ++i) {
    const CardGroup pair{group.graph(), {group.card(i), group.card(i + 1)}, group.assumption()};
    const auto cost = prepare_library(prepare_links(pair), calibration, stack);
    const auto latency = cost.latency(CollectiveOp::send_receive);
    const auto rate = cost.rate(CollectiveOp::send_receive);
    fabric.hop_latency = std::max(fabric.hop_latency, latency);
    if (fabric.hop_bandwidth == Bandwidth{} || rate < fabric.hop_bandwidth) fabric.hop_bandwidth = rate;
    // Beyond the first boundary between machines all others are like one that was seen.
    if (machines > 8 && i > 2 * group.size() / machines) break;
  }
}

}  // namespace

GroupFabric fabric_over(const GroupLinks& links, const Calibration& calibration, std::string_view stack) {
  GroupFabric fabric;
  fabric.cards = links.cards;
  fabric.kind = links.kind;
  fabric.nodes = links.nodes;
  fabric.bottleneck = links.bottleneck;
  fabric.library = prepare_library(links, calibration, stack);
  fabric.library.overhead = fabric.library.floor = 0;  // the engine's own launch is counted by who asks
  fabric.all_reduce_latency = fabric.library.latency(CollectiveOp::all_reduce);
  fabric.all_reduce_bus = ring_share(CollectiveOp::all_reduce, links.cards) * fabric.library.rate(CollectiveOp::all_reduce);
  return fabric;
}

GroupFabric prepare_fabric(const RigGraph& graph, std::span<const int> cards, PeerAssumption assumption,
                           const Calibration& calibration) {
  if (cards.size() < 2) {
    GroupFabric alone;
    alone.cards = static_cast<int>(cards.size());
    return alone;
  }
  const CardGroup group{graph, {cards.begin(), cards.end()}, assumption};
  const auto stack = default_stack(group);
  auto fabric = fabric_over(prepare_links(group), calibration, stack);
  set_hops(fabric, group, calibration, stack);
  return fabric;
}

}  // namespace rigplan
