// SPDX-License-Identifier: Apache-2.0
#include "rigplan/topology/paths.h"

#include <algorithm>
#include <deque>

#include "rigplan/units/message.h"

namespace rigplan {
namespace {

const Device& device(const NodeGraph& node, int d) { return node.devices[static_cast<std::size_t>(d)]; }
const Link& link(const NodeGraph& node, LinkId id) { return node.links[static_cast<std::size_t>(id)]; }

/// Links from a device up to its socket.
std::vector<LinkId> way_up(const NodeGraph& node, int d) {
  std::vector<LinkId> way;
  for (auto up = node.upward[static_cast<std::size_t>(d)]; up >= 0; up = node.upward[static_cast<std::size_t>(d)]) {
    way.push_back(up);
    d = link(node, up).to;
  }
  return way;
}

/// A route under construction on one machine; hops that stand on one link are merged.
class RouteBuilder {
 public:
  RouteBuilder(const RigGraph& graph, Route& route) : graph_{graph}, route_{route} {}

  void add(int machine, LinkId local, double weight = 1) {
    const auto& kind = graph_.node(machine);
    route_.latency += link(kind, local).latency;
    push({graph_.first_link[static_cast<std::size_t>(machine)] + local, weight});
  }
  void add_core() {
    if (!graph_.core.empty()) push({graph_.first_link.back(), 1});
  }
  void up(int machine, int from) {
    for (const auto id : way_up(graph_.node(machine), from)) add(machine, id);
  }
  void down(int machine, int to) {
    auto way = way_up(graph_.node(machine), to);
    std::reverse(way.begin(), way.end());
    for (const auto id : way) add(machine, link(graph_.node(machine), id).reverse);
  }
  void socket(int machine, int from, int to) {
    if (from != to) add(machine, graph_.node(machine).socket_link[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)]);
  }

  /// Through the PCIe tree without touching host memory; over the root complex when switches must redirect peer requests.
  void peers(int machine, int from, int to) {
    const auto& node = graph_.node(machine);
    auto rise = way_up(node, from), fall = way_up(node, to);
    if (!node.host.acs_redirect.value_or(false))
      while (!rise.empty() && !fall.empty() && rise.back() == fall.back()) rise.pop_back(), fall.pop_back();
    for (const auto id : rise) add(machine, id);
    socket(machine, device(node, from).socket, device(node, to).socket);
    std::reverse(fall.begin(), fall.end());
    for (const auto id : fall) add(machine, link(node, id).reverse);
  }

  /// Into host memory of the sender's socket and out again.
  void staged(int machine, int from, int to) {
    const auto& node = graph_.node(machine);
    const int home = device(node, from).socket;
    up(machine, from);
    add(machine, node.memory[static_cast<std::size_t>(home)], 2);
    route_.latency += link(node, node.memory[static_cast<std::size_t>(home)]).latency;  // written, then read
    socket(machine, home, device(node, to).socket);
    down(machine, to);
  }

 private:
  void push(Hop hop) {
    for (auto& known : route_.hops)
      if (known.link == hop.link) {
        known.weight += hop.weight;
        return;
      }
    route_.hops.push_back(hop);
  }

  const RigGraph& graph_;
  Route& route_;
};

/// The shortest way over NVLink or xGMI. NVLink goes through switches but never through another card; xGMI hardware forwards.
std::vector<LinkId> peer_way(const NodeGraph& node, int from, int to) {
  if (node.peer_out[static_cast<std::size_t>(from)].empty()) return {};
  std::vector<LinkId> came(node.devices.size(), -1);
  std::deque<int> open{from};
  while (!open.empty()) {
    const int here = open.front();
    open.pop_front();
    for (const auto id : node.peer_out[static_cast<std::size_t>(here)]) {
      const auto& one = link(node, id);
      const bool forwards = here == from || device(node, here).kind == DeviceKind::peer_switch || one.kind == LinkKind::xgmi;
      if (!forwards || one.to == from || came[static_cast<std::size_t>(one.to)] >= 0) continue;
      came[static_cast<std::size_t>(one.to)] = id;
      open.push_back(one.to);
    }
  }
  std::vector<LinkId> way;
  for (int at = to; at != from; at = link(node, way.back()).from) {
    if (came[static_cast<std::size_t>(at)] < 0) return {};
    way.push_back(came[static_cast<std::size_t>(at)]);
  }
  std::reverse(way.begin(), way.end());
  return way;
}

/// Between machines: card, NIC, network, NIC, card. The NIC reads and writes cards directly when it speaks RDMA and they allow
/// it.
Route between_machines(const RigGraph& graph, int from, int to, PeerAssumption assumption) {
  Route route{RouteKind::network_tcp, {}, {}};
  RouteBuilder build{graph, route};
  const auto local = [&](int card, int n) {
    return static_cast<std::size_t>(card - graph.first_card[static_cast<std::size_t>(n)]);
  };
  const int a = graph.node_of_card(from), b = graph.node_of_card(to);
  const auto &here = graph.node(a), &there = graph.node(b);
  const auto nic_a = here.nic_of_card[local(from, a)], nic_b = there.nic_of_card[local(to, b)];
  if (nic_a < 0 || nic_b < 0) return route;
  const auto i = static_cast<std::size_t>(nic_a), j = static_cast<std::size_t>(nic_b);
  const bool rdma = here.nic_rdma[i] && there.nic_rdma[j];
  if (rdma) route.kind = RouteKind::network_rdma;
  const auto direct = [&](int card) {
    const auto& place = graph.place(card);
    return rdma && may_peer(place.peer_over_pcie.value_or(graph.gpu(card).peer_over_pcie), assumption);
  };
  if (direct(from))
    build.peers(a, here.cards[local(from, a)], here.nics[i]);
  else
    build.staged(a, here.cards[local(from, a)], here.nics[i]);
  build.add(a, here.nic_out[i]);
  build.add_core();
  build.add(b, there.nic_in[j]);
  if (direct(to))
    build.peers(b, there.nics[j], there.cards[local(to, b)]);
  else
    build.staged(b, there.nics[j], there.cards[local(to, b)]);
  return route;
}

}  // namespace

std::string_view to_text(RouteKind kind) {
  constexpr std::string_view names[] = {
      "self", "NVLink", "xGMI", msg("PCIe peers"), msg("PCIe through host"), msg("RDMA network"), msg("TCP network")};
  return names[static_cast<std::size_t>(kind)];
}

Route route(const RigGraph& graph, int from, int to, PeerAssumption assumption) {
  if (from == to) return {};
  const int machine = graph.node_of_card(from);
  if (machine != graph.node_of_card(to)) return between_machines(graph, from, to, assumption);
  const auto& node = graph.node(machine);
  const int base = graph.first_card[static_cast<std::size_t>(machine)];
  const int a = node.cards[static_cast<std::size_t>(from - base)], b = node.cards[static_cast<std::size_t>(to - base)];
  Route route;
  RouteBuilder build{graph, route};
  if (const auto way = peer_way(node, a, b); !way.empty()) {
    route.kind = link(node, way.front()).kind == LinkKind::nvlink ? RouteKind::nvlink : RouteKind::xgmi;
    for (const auto id : way) build.add(machine, id);
  } else if (may_peer(peer_access(graph, from, to).answer, assumption)) {
    route.kind = RouteKind::pcie_peer;
    build.peers(machine, a, b);
  } else {
    route.kind = RouteKind::pcie_staged;
    build.staged(machine, a, b);
  }
  return route;
}

LinkId bottleneck(const RigGraph& graph, const Route& route) {
  LinkId worst = -1;
  Bandwidth least;
  for (const auto& hop : route.hops) {
    const auto here = graph.link(hop.link).bandwidth / hop.weight;
    if (worst < 0 || here < least) worst = hop.link, least = here;
  }
  return worst;
}

Bandwidth bandwidth(const RigGraph& graph, const Route& route) {
  Bandwidth least;
  for (std::size_t i = 0; i < route.hops.size(); ++i) {
    const auto here = graph.link(route.hops[i].link).bandwidth / route.hops[i].weight;
    if (i == 0 || here < least) least = here;
  }
  return least;
}

Seconds transfer_time(const RigGraph& graph, const Route& route, Bytes size) {
  return route.hops.empty() ? Seconds{} : route.latency + size / bandwidth(graph, route);
}

}  // namespace rigplan
