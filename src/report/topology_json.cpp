// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/json_values.h"
#include "rigplan/report/topology.h"
#include "rigplan/topology/pcie.h"

namespace rigplan {
namespace {

JsonValue peer_json(const PeerVerdict& verdict) {
  constexpr const char* answers[] = {"no", "yes", "unknown"};
  auto conditions = JsonValue::array();
  for (const auto& condition : verdict.conditions) {
    auto one = JsonValue::object();
    one.set("code", condition.code).set("text", condition.text);
    one.set("holds", condition.holds ? JsonValue{*condition.holds} : JsonValue{});
    conditions.push(std::move(one));
  }
  return JsonValue::object()
      .set("answer", answers[static_cast<std::size_t>(verdict.answer)])
      .set("conditions", std::move(conditions));
}

JsonValue pair_json(const TopologyPair& pair) {
  auto object = JsonValue::object();
  object.set("from", pair.from).set("to", pair.to).set("way", to_text(pair.kind));
  object.set("copy_gb_per_s", range_json(pair.copy, 1 * GB_per_s));
  if (pair.copy_with_peers) object.set("copy_with_peers_gb_per_s", range_json(*pair.copy_with_peers, 1 * GB_per_s));
  if (pair.copy_by_reading) object.set("copy_by_reading_gb_per_s", range_json(*pair.copy_by_reading, 1 * GB_per_s));
  return object.set("latency_us", pair.latency.in(us))
      .set("bottleneck", pair.bottleneck)
      .set("peer_to_peer", peer_json(pair.peer));
}

JsonValue tree_json(const TopologyNode& node) {
  auto tree = JsonValue::array();
  for (const auto& line : node.tree)
    tree.push(JsonValue::object()
                  .set("depth", line.depth)
                  .set("device", line.device)
                  .set("link", text_or_null(line.link))
                  .set("gb_per_s", line.bandwidth.in(GB_per_s)));
  return JsonValue::object()
      .set("id", node.id)
      .set("count", node.count)
      .set("board", node.board)
      .set("cpu", text_or_null(node.cpu))
      .set("tree", std::move(tree));
}

JsonValue node_json(const TopologyNode& node) {
  auto cards = JsonValue::array(), pairs = JsonValue::array(), joints = JsonValue::array();
  for (const auto& card : node.cards)
    cards.push(JsonValue::object()
                   .set("name", card.name)
                   .set("gpu", card.gpu)
                   .set("socket", card.socket)
                   .set("link", card.link)
                   .set("pcie", to_text(card.trained))
                   .set("gb_per_s", card.bandwidth.in(GB_per_s)));
  for (const auto& pair : node.pairs) pairs.push(pair_json(pair));
  for (const auto& line : node.joints)
    joints.push(JsonValue::object().set("link", line.device).set("gb_per_s", line.bandwidth.in(GB_per_s)));
  return tree_json(node).set("cards", std::move(cards)).set("joints", std::move(joints)).set("pairs", std::move(pairs));
}

}  // namespace

JsonValue topology_trees_json(const std::vector<TopologyNode>& nodes) {
  auto json = JsonValue::array();
  for (const auto& node : nodes) json.push(tree_json(node));
  return json;
}

JsonValue topology_json(const TopologyReport& report) {
  auto nodes = JsonValue::array(), warnings = JsonValue::array();
  for (const auto& node : report.nodes) nodes.push(node_json(node));
  for (const auto& warning : report.warnings)
    warnings.push(
        JsonValue::object().set("code", warning.code).set("subject", text_or_null(warning.subject)).set("text", warning.text));
  auto object = JsonValue::object();
  object.set("schema", "rigplan/topology/1").set("rig", text_or_null(report.rig)).set("nodes", std::move(nodes));
  object.set("between_nodes", report.between_nodes ? pair_json(*report.between_nodes) : JsonValue{});
  return object.set("warnings", std::move(warnings));
}

}  // namespace rigplan
