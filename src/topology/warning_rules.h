// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rigplan/topology/graph.h"
#include "rigplan/topology/warnings.h"

namespace rigplan {

/// One kind of machine while its warnings are collected. Cards are counted as in the node.
struct NodeView {
  const RigGraph& graph;
  const NodeGraph& node;
  const RigNode& place;
  int machine = 0;  ///< the first machine of this kind
  std::vector<TopologyWarning>& found;

  int cards() const { return static_cast<int>(node.cards.size()); }
  const Device& device(int d) const { return node.devices[static_cast<std::size_t>(d)]; }
  const Device& card(int i) const { return device(node.cards[static_cast<std::size_t>(i)]); }
  const Gpu& gpu(int i) const { return *card(i).gpu; }
  const Link* upward(int d) const {
    const auto up = node.upward[static_cast<std::size_t>(d)];
    return up < 0 ? nullptr : &node.links[static_cast<std::size_t>(up)];
  }
  const Link& card_link(int i) const { return *upward(node.cards[static_cast<std::size_t>(i)]); }
  /// Number of the card through all machines, for peer_access() and route().
  int global(int i) const { return graph.first_card[static_cast<std::size_t>(machine)] + i; }
  /// The device above `d` of one kind, or -1.
  int above(int d, DeviceKind kind) const;
  std::string name(int d) const;
  void warn(std::string code, std::string text, std::string subject = {}) const {
    found.push_back({std::move(code), std::move(text), std::move(subject)});
  }
};

void warn_of_slots(const NodeView&);     ///< chipset, widths, trained links, risers
void warn_of_switches(const NodeView&);  ///< oversubscribed uplinks, several roots
void warn_of_peers(const NodeView&);     ///< peer access and what it hangs on
void warn_of_bridges(const NodeView&);   ///< NVLink and xGMI connectors
void warn_of_firmware(const NodeView&);  ///< look-alikes, memory windows, IOMMU
void warn_of_network(const NodeView&);   ///< rate, latency, a NIC for each switch

}  // namespace rigplan
