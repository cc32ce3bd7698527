// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rigplan/units/format.h"
#include "topology/warning_rules.h"

namespace rigplan {
namespace {

/// The switch right below a root port, -1 for a device on a root port.
int top_switch(const NodeView& v, int d) {
  int found = -1;
  for (const auto* up = v.upward(d); up != nullptr; up = v.upward(up->to))
    if (v.device(up->to).kind == DeviceKind::pcie_switch) found = up->to;
  return found;
}

void warn_of_nic_places(const NodeView& v) {
  std::map<int, int> cards, nics;
  for (const int d : v.node.cards) ++cards[top_switch(v, d)];
  for (const int d : v.node.nics) ++nics[top_switch(v, d)];
  cards.erase(-1);
  int without = 0;
  for (const auto& [device, count] : cards) without += !nics.contains(device);
  if (cards.empty() || without == 0) return;
  v.warn("W_NIC_PER_SWITCH",
         fmt::format(
             "{} of {} switches with cards have no NIC of their own ({} NIC{} in the node); their traffic crosses root ports "
             "and shares a NIC",
             without, cards.size(), v.node.nics.size(), v.node.nics.size() == 1 ? "" : "s"));
}

}  // namespace

void warn_of_network(const NodeView& v) {
  if (v.graph.nodes() < 2) return;
  Bandwidth network, least = v.card_link(0).bandwidth;
  for (const auto port : v.node.nic_out) network += v.node.links[static_cast<std::size_t>(port)].bandwidth;
  for (int i = 0; i < v.cards(); ++i) least = std::min(least, v.card_link(i).bandwidth);
  const auto each = network / std::max(v.cards(), 1);
  if (each < least)
    v.warn("W_NET_BW", fmt::format("{} of network for {} cards is {} a card, {:.3g} times less than the slowest card's link ({})",
                                   to_text(network), v.cards(), to_text(each), least / each, to_text(least)));
  if (std::find(v.node.nic_rdma.begin(), v.node.nic_rdma.end(), false) != v.node.nic_rdma.end())
    v.warn("W_RPC_LATENCY", "the network has no RDMA: every message between machines passes the kernel, 25 us and more each way");
  warn_of_nic_places(v);
}

}  // namespace rigplan
