// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/collectives/prepare_links.h"

#include <algorithm>
#include <map>
#include <set>

#include "estimate/collectives/write_collapse.h"
#include "rigplan/topology/contention.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

LinkClass class_of(RouteKind kind, const Gpu& gpu) {
  switch (kind) {
    case RouteKind::self:
      return LinkClass::none;
    case RouteKind::nvlink:
      return gpu.peer_ports && gpu.peer_ports->fabric == PeerFabric::switched ? LinkClass::nvswitch : LinkClass::nvlink;
    case RouteKind::xgmi:
      return LinkClass::xgmi;
    case RouteKind::pcie_peer:
      return LinkClass::pcie_peer;
    case RouteKind::pcie_staged:
      return LinkClass::pcie_staged;
    case RouteKind::network_rdma:
      return LinkClass::network_rdma;
    case RouteKind::network_tcp:
      return LinkClass::network_tcp;
  }
  return LinkClass::none;
}

bool is_processor_link(LinkKind kind) { return kind == LinkKind::socket || kind == LinkKind::memory; }

/// Time per byte that the hops of a set of routes take on each link.
struct Load {
  std::map<LinkId, double> weight;
  void add(const Route& route) {
    for (const auto& hop : route.hops) weight[hop.link] += hop.weight;
  }
};

/// The slowest of a route's links, processor links apart, when each carries `load`.
struct Slowest {
  Bandwidth rate, processor;  ///< 0: none on the way
  LinkId link = -1, processor_link = -1;
};
Slowest slowest_on(const RigGraph& graph, const Route& route, const Load& load) {
  Slowest slowest;
  for (const auto& hop : route.hops) {
    const auto& link = graph.link(hop.link);
    const auto rate = link.bandwidth / load.weight.at(hop.link);
    auto& least = is_processor_link(link.kind) ? slowest.processor : slowest.rate;
    auto& which = is_processor_link(link.kind) ? slowest.processor_link : slowest.link;
    if (which < 0 || rate < least) least = rate, which = hop.link;
  }
  return slowest;
}

/// The ring of one machine and where it is slowest.
void set_ring(GroupLinks& links, const CardGroup& group, const std::vector<int>& ring) {
  const auto& graph = group.graph();
  std::vector<Route> routes;
  Load load;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    routes.push_back(group.route_between(ring[i], ring[(i + 1) % ring.size()]));
    load.add(routes.back());
  }
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const auto slowest = slowest_on(graph, routes[i], load);
    const auto& gpu = graph.gpu(group.card(ring[i]));
    const auto kind = class_of(routes[i].kind, gpu);
    if (slowest.processor_link >= 0 && (links.edge_limit == Bandwidth{} || slowest.processor < links.edge_limit)) {
      links.edge_limit = slowest.processor;
      if (slowest.processor < slowest.rate) links.bottleneck = graph.link_name(slowest.processor_link);
    }
    // Staged hops are the slower ones at equal wires: the copy through memory decides.
    const bool slower =
        links.kind == LinkClass::none || slowest.rate < links.edge || (slowest.rate == links.edge && kind > links.kind);
    if (!slower) continue;
    links.kind = kind;
    links.edge = slowest.rate;
    links.architecture = gpu.architecture;
    links.old_host = graph.link(slowest.link).pcie.generation > 0 && graph.link(slowest.link).pcie.generation <= 3;
    if (!(links.edge_limit > Bandwidth{} && links.edge_limit < links.edge)) links.bottleneck = graph.link_name(slowest.link);
  }
  std::vector<std::pair<int, int>> transfers;
  for (std::size_t i = 0; i < ring.size(); ++i) transfers.emplace_back(ring[i], ring[(i + 1) % ring.size()]);
  if (const double kept = write_collapse(group, transfers); kept < 1) {
    links.edge *= kept;
    links.bottleneck = msg("writes from one switch to several root ports, which collapse");
  }
}

/// What every card of one machine sends to all others when all do: n-1 over the time per byte of the fullest link.
Bandwidth exchange_rate(const CardGroup& group, const std::vector<int>& machine) {
  Load load;
  std::vector<std::pair<int, int>> transfers;
  for (const int from : machine) {
    for (const int to : machine) {
      if (from == to) continue;
      load.add(group.route_between(from, to));
      transfers.emplace_back(from, to);
    }
  }
  Bandwidth least;
  for (const auto& [link, weight] : load.weight) {
    const auto rate = group.graph().link(link).bandwidth / weight;
    if (least == Bandwidth{} || rate < least) least = rate;
  }
  return write_collapse(group, transfers) * static_cast<double>(machine.size() - 1) * least;
}

/// Cards that are joined directly use all their links to members at once, whatever single ring was found.
Bandwidth direct_rate(const CardGroup& group, const std::vector<int>& machine) {
  Bandwidth least;
  for (const int from : machine) {
    std::map<LinkId, Bandwidth> out;
    for (const int to : machine) {
      if (from == to) continue;
      const auto route = group.route_between(from, to);
      if (route.kind != RouteKind::nvlink && route.kind != RouteKind::xgmi) return {};
      out[route.hops.front().link] = group.graph().link(route.hops.front().link).bandwidth;
    }
    Bandwidth sum;
    for (const auto& [link, rate] : out) sum += rate;
    if (least == Bandwidth{} || sum < least) least = sum;
  }
  return least;
}

/// The NICs that the cards of one machine use, each way together; the machine that has least decides.
void set_network(GroupLinks& links, const CardGroup& group) {
  const auto& graph = group.graph();
  bool rdma = true;
  for (const auto& machine : group.machines()) {
    const int number = graph.node_of_card(group.card(machine.front()));
    const auto& node = graph.node(number);
    std::set<int> used;
    for (const int position : machine) {
      const int nic =
          node.nic_of_card[static_cast<std::size_t>(group.card(position) - graph.first_card[static_cast<std::size_t>(number)])];
      if (nic >= 0) used.insert(nic);
    }
    Bandwidth sum;
    for (const int nic : used) {
      sum += node.links[static_cast<std::size_t>(node.nic_out[static_cast<std::size_t>(nic)])].bandwidth;
      rdma = rdma && node.nic_rdma[static_cast<std::size_t>(nic)];
    }
    rdma = rdma && !used.empty();
    if (&machine == &group.machines().front() || sum < links.network) links.network = sum;
  }
  if (!graph.core.empty()) links.network = std::min(links.network, graph.core.front().bandwidth / graph.nodes());
  links.transport = rdma ? "rdma" : "tcp";
  if (links.kind == LinkClass::none) {
    links.kind = rdma ? LinkClass::network_rdma : LinkClass::network_tcp;
    links.architecture = graph.gpu(group.card(0)).architecture;
  }
  const auto inside = links.edge_limit > Bandwidth{} ? std::min(links.edge, links.edge_limit) : links.edge;
  if (inside == Bandwidth{} || links.network < inside) links.bottleneck = msg("network of the nodes");
}

}  // namespace

GroupLinks prepare_links(const CardGroup& group) {
  GroupLinks links;
  links.cards = group.size();
  links.nodes = std::max<int>(1, static_cast<int>(group.machines().size()));
  if (group.size() < 2) return links;
  std::set<std::pair<int, std::size_t>> seen;  // machines of one kind with as many cards are alike
  std::size_t at = 0;
  for (const auto& machine : group.machines()) {
    const std::vector<int> ring(group.ring().begin() + static_cast<std::ptrdiff_t>(at),
                                group.ring().begin() + static_cast<std::ptrdiff_t>(at + machine.size()));
    at += machine.size();
    const int node = group.graph().node_of_card(group.card(machine.front()));
    const bool whole = group.graph().node(node).cards.size() == machine.size();
    if (machine.size() < 2 ||
        (whole && !seen.emplace(group.graph().kind_of_node[static_cast<std::size_t>(node)], machine.size()).second))
      continue;
    GroupLinks one = links;
    one.kind = LinkClass::none;
    set_ring(one, group, ring);
    one.exchange = exchange_rate(group, machine);
    if (const auto direct = direct_rate(group, machine); direct > one.edge) {
      one.edge = direct;
    }
    const auto& ports = group.graph().gpu(group.card(machine.front())).peer_ports;
    one.in_switch_reduction = one.kind == LinkClass::nvswitch && ports && ports->generation >= 4;
    if (links.kind == LinkClass::none || one.edge < links.edge) links = one;
  }
  if (links.nodes > 1) set_network(links, group);
  return links;
}

LibraryCost prepare_on_cards(const GroupLinks& links, const Calibration& calibration, std::string_view stack) {
  auto cost = prepare_library(links, calibration, stack);
  if (links.kind != LinkClass::nvlink) return cost;
  auto beside = links;
  beside.kind = LinkClass::pcie_peer;
  const auto over_pcie = prepare_library(beside, calibration, stack);
  cost.overhead = std::min(cost.overhead, over_pcie.overhead);
  cost.floor = std::min(cost.floor, over_pcie.floor);
  return cost;
}

std::string_view default_stack(const CardGroup& group) { return default_stack(group.graph().gpu(group.card(0)).vendor); }

std::string_view default_stack(Vendor vendor) {
  switch (vendor) {
    case Vendor::amd:
      return "rccl";
    case Vendor::intel:
      return "oneccl";
    default:
      return "nccl_tests";
  }
}

}  // namespace rigplan
