// SPDX-License-Identifier: Apache-2.0
// Doubts about slots, switches and networks, and about the time that weights take to cross them.
#include <algorithm>

#include "rigplan/topology/warnings.h"
#include "search/warning_rules.h"

namespace rigplan {
namespace {

/// Whether a doubt is about cards that write to each other, which only some plans do.
bool about_peers(std::string_view code) {
  constexpr std::string_view codes[] = {"W_NO_P2P",        "W_DRIVER_PATCH",  "W_P2P_FALSE_GRANT", "W_IOMMU_PT",
                                        "W_NVLINK_ABSENT", "W_UNEQUAL_WIDTH", "W_NUMA_CROSS"};
  return std::find(std::begin(codes), std::end(codes), code) != std::end(codes);
}

}  // namespace

void rules_of_links(const WarningFacts& facts, WarningCodes& codes) {
  const bool idle_network = network_is_idle(facts);
  for (const auto& warning : topology_warnings(facts.graph))
    if ((needs_traffic(facts) || !about_peers(warning.code)) && !(idle_network && warning.code == "W_NET_BW"))
      codes.insert(warning.code);
  std::set<int> widths, sockets;
  for_each_card(facts, [&](const NodeGraph& node, const Device& device, LinkId up) {
    sockets.insert(device.socket);
    if (up < 0) return;
    const auto& link = node.links[static_cast<std::size_t>(up)];
    widths.insert(link.pcie.lanes);
    if (link.pcie.lanes == 1 && joins_cards(facts)) codes.insert("W_LANES_X1");
    if (link.slot.lanes > 0 && link.slot_length > link.slot.lanes) codes.insert("W_SLOT_PHYSICAL_VS_ELECTRICAL");
    if (node.devices[static_cast<std::size_t>(link.to)].kind == DeviceKind::chipset ||
        node.devices[static_cast<std::size_t>(link.from)].kind == DeviceKind::chipset)
      codes.insert("W_CHIPSET_SLOT");
  });
  if (!needs_traffic(facts)) return;
  if (widths.size() > 1) codes.insert("W_UNEQUAL_WIDTH");
  if (sockets.size() > 1) codes.insert("W_NUMA_CROSS");
  if (facts.result.peer != PeerOverPcie::yes) codes.insert("W_NO_P2P");
  if (facts.graph.nodes() > 1 && !idle_network) codes.insert("W_NET_BW");
  if (facts.result.plan.tensor > 8) codes.insert("W_PEER_LIMIT_8");
}

namespace {

/// From here on a reader goes away while a model loads.
constexpr Seconds long_wait = 60 * second;

/// Time in which the weights of one card cross the link of its slot, of the card of the plan that waits longest.
Seconds time_over_slots(const WarningFacts& facts, Bytes of_a_card) {
  const auto& graph = facts.graph;
  const auto& plan = facts.result.plan;
  Seconds longest;
  for (int card = 0; card < std::min(plan.cards * plan.replicas, graph.cards()); ++card) {
    const int machine = graph.node_of_card(card);
    const auto& node = graph.node(machine);
    const auto place = static_cast<std::size_t>(card - graph.first_card[static_cast<std::size_t>(machine)]);
    const auto up = node.upward[static_cast<std::size_t>(node.cards[place])];
    if (up < 0) continue;
    const auto rate = node.links[static_cast<std::size_t>(up)].bandwidth;
    if (rate > Bandwidth{}) longest = std::max(longest, of_a_card / rate);
  }
  return longest;
}

/// Time in which one machine gives the others their part of a copy: it reads the file and sends what they hold, as a program
/// does that drives remote cards. Programs that start on every machine read a file of their own.
Seconds time_over_network(const WarningFacts& facts) {
  if (!leaves_machine(facts) || facts.result.plan.split != SplitMode::layer) return {};
  const auto& first = facts.graph.kinds.front();
  Bandwidth out;
  for (const auto port : first.nic_out) out = std::max(out, first.links[static_cast<std::size_t>(port)].bandwidth);
  if (out <= Bandwidth{}) return {};
  const double away = 1 - static_cast<double>(first.cards.size()) / facts.result.plan.cards;
  return away * facts.result.weights / out;
}

}  // namespace

void rules_of_loading(const WarningFacts& facts, WarningCodes& codes) {
  if (asks_training(facts)) return;
  Bytes of_a_card;
  for (const auto& card : facts.result.memory) of_a_card = std::max(of_a_card, part_of(card, "weights"));
  if (std::max(time_over_slots(facts, of_a_card), time_over_network(facts)) > long_wait) codes.insert("W_LOAD_TIME");
}

}  // namespace rigplan
