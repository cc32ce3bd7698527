// SPDX-License-Identifier: Apache-2.0
#include "rigplan/topology/graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "rigplan/json/data_error.h"
#include "rigplan/topology/assign_slots.h"
#include "topology/node_builder.h"

namespace rigplan {

NodeGraph build_node(const RigNode& node, const std::optional<RigNetwork>& network, const Catalog& catalog);

namespace {

std::size_t upper(const std::vector<int>& starts, int value) {
  return static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), value) - starts.begin()) - 1;
}

std::string pointer_of(const RigFault& fault) {
  constexpr std::string_view names[] = {"", "adapters", "cards", "nics", "bridges"};
  if (fault.where == RigFault::Where::node) return fmt::format("/nodes/{}", fault.node);
  return fmt::format("/nodes/{}/{}/{}", fault.node, names[static_cast<std::size_t>(fault.where)], fault.index);
}

/// What the layer of switches carries in all when it is smaller than the sum of the ports.
std::vector<Link> network_core(const RigGraph& graph) {
  if (!graph.rig.network || graph.rig.network->oversubscription <= 1 || graph.nodes() < 2) return {};
  Bandwidth sum;
  for (int n = 0; n < graph.nodes(); ++n)
    for (const auto port : graph.node(n).nic_out) sum += graph.node(n).links[static_cast<std::size_t>(port)].bandwidth;
  return {{LinkKind::network,
           -1,
           -1,
           sum / graph.rig.network->oversubscription,
           {},
           0,
           fmt::format("network core, {:g}:1 oversubscribed", graph.rig.network->oversubscription),
           {},
           {},
           0}};
}

}  // namespace

int RigGraph::node_of_card(int card) const { return static_cast<int>(upper(first_card, card)); }
int RigGraph::node_of_link(LinkId link) const { return static_cast<int>(upper(first_link, link)); }

const Link& RigGraph::link(LinkId id) const {
  const auto n = upper(first_link, id);
  const auto local = static_cast<std::size_t>(id - first_link[n]);
  return n + 1 == first_link.size() ? core[local] : node(static_cast<int>(n)).links[local];
}

const Gpu& RigGraph::gpu(int card) const {
  const int n = node_of_card(card);
  const auto& kind = node(n);
  const auto local = static_cast<std::size_t>(card - first_card[static_cast<std::size_t>(n)]);
  return *kind.devices[static_cast<std::size_t>(kind.cards[local])].gpu;
}

const CardPlace& RigGraph::place(int card) const {
  const int n = node_of_card(card);
  return rig.nodes[static_cast<std::size_t>(kind_of_node[static_cast<std::size_t>(n)])]
      .cards[static_cast<std::size_t>(card - first_card[static_cast<std::size_t>(n)])];
}

std::string RigGraph::link_name(LinkId id) const {
  const auto& label = link(id).label;
  const int n = node_of_link(id);
  return nodes() > 1 && n < nodes() ? fmt::format("node{}: {}", n, label) : label;
}

std::string RigGraph::card_name(int card) const {
  const int n = node_of_card(card);
  const int local = card - first_card[static_cast<std::size_t>(n)];
  return nodes() > 1 ? fmt::format("node{}/GPU{}", n, local) : fmt::format("GPU{}", local);
}

RigGraph build_graph(const Rig& rig, const Catalog& catalog) {
  RigGraph graph;
  if (const auto fault = find_fault(rig, catalog)) throw DataError{{rig.name, 0, pointer_of(*fault)}, fault->message};
  graph.rig = with_slots(rig, catalog);
  if (const auto fault = find_fault(graph.rig, catalog)) throw DataError{{rig.name, 0, pointer_of(*fault)}, fault->message};
  int card = 0;
  LinkId link = 0;
  for (const auto& node : graph.rig.nodes) {
    graph.kinds.push_back(build_node(node, graph.rig.network, catalog));
    for (int i = 0; i < node.count; ++i) {
      graph.kind_of_node.push_back(static_cast<int>(graph.kinds.size()) - 1);
      graph.first_card.push_back(card);
      graph.first_link.push_back(link);
      card += static_cast<int>(node.cards.size());
      link += static_cast<LinkId>(graph.kinds.back().links.size());
    }
  }
  graph.first_card.push_back(card);
  graph.first_link.push_back(link);
  graph.core = network_core(graph);
  return graph;
}

}  // namespace rigplan
