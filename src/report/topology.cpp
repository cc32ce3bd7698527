// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/topology.h"

#include <fmt/format.h>

#include "rigplan/topology/pcie.h"

namespace rigplan {
namespace {

std::string name_of(const Entry& entry) { return entry.name.empty() ? entry.id : entry.name; }

const Link& link_at(const NodeGraph& node, LinkId id) { return node.links[static_cast<std::size_t>(id)]; }

void add_lines(const NodeGraph& node, int device, int depth, std::vector<TopologyLine>& tree) {
  const auto& one = node.devices[static_cast<std::size_t>(device)];
  TopologyLine line{depth, one.gpu != nullptr ? fmt::format("{} {}", one.label, name_of(*one.gpu)) : one.label, {}, {}};
  if (const auto up = node.upward[static_cast<std::size_t>(device)]; up >= 0) {
    line.link = link_at(node, up).label;
    line.bandwidth = link_at(node, up).bandwidth;
  }
  tree.push_back(std::move(line));
  for (std::size_t d = 0; d < node.devices.size(); ++d)
    if (node.upward[d] >= 0 && link_at(node, node.upward[d]).to == device) add_lines(node, static_cast<int>(d), depth + 1, tree);
}

TopologyPair pair_of(const RigGraph& graph, int from, int to) {
  TopologyPair pair;
  pair.peer = peer_access(graph, from, to);
  const auto way = route(graph, from, to, PeerAssumption::unknown_is_no);
  pair.kind = way.kind;
  pair.copy = copy_rate(graph, way);
  pair.latency = copy_latency(way);
  if (const auto limit = bottleneck(graph, way); limit >= 0) pair.bottleneck = graph.link_name(limit);
  const auto with_peers = route(graph, from, to, PeerAssumption::unknown_is_yes);
  if (pair.peer.answer == PeerOverPcie::unknown) pair.copy_with_peers = copy_rate(graph, with_peers);
  pair.copy_by_reading = read_rate(graph, with_peers, to);
  return pair;
}

TopologyNode tree_report(const RigGraph& graph, std::size_t kind) {
  const auto& node = graph.kinds[kind];
  const auto& place = graph.rig.nodes[kind];
  TopologyNode report{place.id, name_of(node.board), node.cpu ? name_of(*node.cpu) : std::string{}, place.count, {}, {}, {}, {}};
  for (std::size_t d = 0; d < node.devices.size(); ++d)
    if (node.devices[d].kind == DeviceKind::socket) add_lines(node, static_cast<int>(d), 0, report.tree);
  return report;
}

TopologyNode node_report(const RigGraph& graph, std::size_t kind, int machine) {
  const auto& node = graph.kinds[kind];
  auto report = tree_report(graph, kind);
  for (const int d : node.cards) {
    const auto& device = node.devices[static_cast<std::size_t>(d)];
    const auto& link = link_at(node, node.upward[static_cast<std::size_t>(d)]);
    report.cards.push_back({device.label, name_of(*device.gpu), device.socket, link.label, link.pcie, link.bandwidth});
  }
  const int base = graph.first_card[static_cast<std::size_t>(machine)];
  const int cards = static_cast<int>(node.cards.size());
  for (int a = 0; a < cards; ++a)
    for (int b = 0; b < cards; ++b) {
      if (a == b) continue;
      report.pairs.push_back(pair_of(graph, base + a, base + b));
      report.pairs.back().from = a;
      report.pairs.back().to = b;
    }
  for (const auto& link : node.links)
    if (link.from < link.to && (link.kind == LinkKind::nvlink || link.kind == LinkKind::xgmi || link.kind == LinkKind::socket))
      report.joints.push_back({0, link.label, {}, link.bandwidth});
  return report;
}

}  // namespace

std::vector<TopologyNode> topology_trees(const RigGraph& graph) {
  std::vector<TopologyNode> nodes;
  for (std::size_t kind = 0; kind < graph.kinds.size(); ++kind) nodes.push_back(tree_report(graph, kind));
  return nodes;
}

TopologyReport report_topology(const RigGraph& graph) {
  TopologyReport report;
  report.rig = graph.rig.name;
  int machine = 0;
  for (std::size_t kind = 0; kind < graph.kinds.size(); ++kind) {
    report.nodes.push_back(node_report(graph, kind, machine));
    machine += graph.rig.nodes[kind].count;
  }
  if (graph.nodes() > 1 && graph.first_card[1] > 0 && graph.cards() > graph.first_card[1])
    report.between_nodes = pair_of(graph, 0, graph.first_card[1]);
  report.warnings = topology_warnings(graph);
  return report;
}

}  // namespace rigplan
