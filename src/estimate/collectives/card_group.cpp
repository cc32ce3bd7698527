// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "rigplan/estimate/collectives/schedule.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

int socket_of(const RigGraph& graph, int card) {
  const int machine = graph.node_of_card(card);
  const auto& node = graph.node(machine);
  const auto local = static_cast<std::size_t>(card - graph.first_card[static_cast<std::size_t>(machine)]);
  return node.devices[static_cast<std::size_t>(node.cards[local])].socket;
}

/// The way between a card and the memory of socket `home`; both directions of the memory are one pool.
Route host_route(const RigGraph& graph, int card, int home, bool towards_host) {
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
  if (socket != home) {
    const auto a = static_cast<std::size_t>(towards_host ? socket : home),
               b = static_cast<std::size_t>(towards_host ? home : socket);
    const LinkId across = node.socket_link[a][b];
    route.hops.push_back({first + across, 1});
    route.latency += node.links[static_cast<std::size_t>(across)].latency;
  }
  const LinkId memory = node.memory[static_cast<std::size_t>(home)];
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
Route CardGroup::route_to_host(int from) const { return host_route(*graph_, card(from), home_socket(from), true); }
Route CardGroup::route_from_host(int to) const { return host_route(*graph_, card(to), home_socket(to), false); }

int CardGroup::home_socket(int position) const {
  for (const auto& machine : machines_)
    if (std::find(machine.begin(), machine.end(), position) != machine.end()) return socket_of(*graph_, card(machine.front()));
  return 0;
}

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
      {msg("through host"), through_host_schedules},
      {"in-switch", in_switch_schedules},
  };
  return algorithms;
}

}  // namespace rigplan
