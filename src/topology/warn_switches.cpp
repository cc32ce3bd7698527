// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rigplan/topology/pcie.h"
#include "rigplan/units/format.h"
#include "topology/warning_rules.h"

namespace rigplan {
namespace {

/// The link of a card's way that ends at a socket or the chipset: its root port.
LinkId root_port(const NodeView& v, int card) {
  int d = v.node.cards[static_cast<std::size_t>(card)];
  LinkId up = v.node.upward[static_cast<std::size_t>(d)];
  while (v.device(v.node.links[static_cast<std::size_t>(up)].to).kind == DeviceKind::pcie_switch) {
    d = v.node.links[static_cast<std::size_t>(up)].to;
    up = v.node.upward[static_cast<std::size_t>(d)];
  }
  return up;
}

std::vector<int> cards_below(const NodeView& v, int device) {
  std::vector<int> cards;
  for (int i = 0; i < v.cards(); ++i)
    for (const auto* up = v.upward(v.node.cards[static_cast<std::size_t>(i)]); up != nullptr; up = v.upward(up->to))
      if (up->to == device) cards.push_back(i);
  return cards;
}

void warn_of_uplink(const NodeView& v, int device, const std::vector<int>& cards) {
  Bandwidth wanted;
  for (const int card : cards) wanted += v.card_link(card).bandwidth;
  const auto& uplink = *v.upward(device);
  if (wanted <= 1.01 * uplink.bandwidth) return;
  v.warn("W_SWITCH_UPLINK_OVERSUB",
         fmt::format("{} cards below {} could move {} together, its uplink {} carries {} ({:.1f}:1); traffic among them does not "
                     "cross it",
                     cards.size(), v.device(device).label, to_text(wanted), to_text(uplink.pcie), to_text(uplink.bandwidth),
                     wanted / uplink.bandwidth),
         v.device(device).label);
}

}  // namespace

void warn_of_switches(const NodeView& v) {
  std::set<LinkId> roots;
  for (int i = 0; i < v.cards(); ++i) roots.insert(root_port(v, i));
  bool told = false;
  for (std::size_t d = 0; d < v.node.devices.size(); ++d) {
    if (v.node.devices[d].kind != DeviceKind::pcie_switch) continue;
    const auto cards = cards_below(v, static_cast<int>(d));
    if (cards.empty()) continue;
    warn_of_uplink(v, static_cast<int>(d), cards);
    // Measured: two or four sources of one switch that write to two or more other root ports fall to a tenth and less.
    if (cards.size() < 2 || roots.size() < 3 || told) continue;
    told = true;
    v.warn("W_SWITCH_MULTIROOT",
           fmt::format("cards of {} write to cards below {} other root ports; with several writers such traffic was measured to "
                       "collapse (52 to 7 and 37 to 2.7 GB/s), reads and a tree with one root switch do not",
                       v.node.devices[d].label, roots.size() - 1),
           v.node.devices[d].label);
  }
  for (const auto& adapter : v.place.adapters)
    if (!adapter.more_plugs.empty() && !told)
      v.warn("W_SWITCH_MULTIROOT", fmt::format("{} joins {} root ports", adapter.id, 1 + adapter.more_plugs.size()), adapter.id);
}

}  // namespace rigplan
