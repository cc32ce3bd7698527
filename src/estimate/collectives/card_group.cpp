// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "rigplan/estimate/collectives/schedule.h"

namespace rigplan {
namespace {

/// The way between a card and its host's memory; both directions of the memory are one pool.
Route host_route(const RigGraph& graph, int card, bool towards_host) {
  const int machine = graph.node_of_card(card);
  const auto& node = graph.node(machine);
  const int first = graph.first_link[static_cast<std::size_t>(machine)];
  int device = node.cards[static_cast<std::size_t>(card - graph.first_card[static_cast<std::size_t>(machine)])];
  const int socket = node.devices[static_cast<std::size_t>(device)].socket;
  Route route{RouteKind::pcie_staged, {}, {}};
  for (LinkId up = node.upward[static_cast<std::size_t>(device)]; up >= 0; up = node.upward[static_cast<std::size_t>(device)]) {
    const auto& link = node.links[static_cast<std::size_t>(up)];
    route.hops.push_back({first + (towards_host ? up : link.reverse), 1});
    route.latency += link.latency;
    device = link.to;
  }
  const LinkId memory = node.memory[static_cast<std::size_t>(socket)];
  if (memory >= 0) {
    route.hops.push_back({first + memory, 1});
    route.latency += node.links[static_cast<std::size_t>(memory)].latency;
  }
  return route;
}

}  // namespace

CardGroup::CardGroup(const RigGraph& graph, std::vector<int> cards, PeerAssumption assumption)
    : graph_{&graph}, cards_{std::move(cards)}, assumption_{assumption} {
  std::map<int, std::vector<int>> by_machine;
  for (int i = 0; i < size(); ++i) by_machine[graph.node_of_card(card(i))].push_back(i);
  for (auto& [machine, positions] : by_machine) machines_.push_back(std::move(positions));
  ring_ = ring_order(*this);
}

Route CardGroup::route_between(int from, int to) const {
  if (from == host_memory) return route_from_host(to);
  if (to == host_memory) return route_to_host(from);
  return route(*graph_, card(from), card(to), assumption_);
}
Route CardGroup::route_to_host(int from) const { return host_route(*graph_, card(from), true); }
Route CardGroup::route_from_host(int to) const { return host_route(*graph_, card(to), false); }

int Schedule::steps() const {
  if (switched_share > 0) return 1;
  int count = 0;
  for (const auto& round : rounds) count += round.repeat;
  return count;
}

std::span<const CollectiveAlgorithm> collective_algorithms() {
  static constexpr CollectiveAlgorithm algorithms[] = {
      {"ring", ring_schedules},
      {"double tree", double_tree_schedules},
      {"one-shot", one_shot_schedules},
      {"two-shot", two_shot_schedules},
      {"halving-doubling", halving_doubling_schedules},
      {"hierarchical", hierarchical_schedules},
      {"star", star_schedules},
      {"through host", through_host_schedules},
      {"in-switch", in_switch_schedules},
  };
  return algorithms;
}

}  // namespace rigplan
