// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "rigplan/units/quantity.h"

namespace rigplan {

/// What joins the cards of a group, at its weakest hop.
enum class LinkClass { none, nvswitch, nvlink, xgmi, pcie_peer, pcie_staged, network_rdma, network_tcp };
std::string_view to_text(LinkClass);

/// What the formulas of collectives need to know of a group's wiring. Rates are nominal, one way: datasheet rates for NVLink,
/// xGMI and networks, and lanes x transfer rate x encoding x packet overhead for PCIe. Calibrated efficiencies come on top.
struct GroupLinks {
  LinkClass kind = LinkClass::none;  ///< of the slowest hop of the ring inside a node
  int cards = 1, nodes = 1;
  Bandwidth edge;                    ///< of that hop while all hops of the ring are in use
  Bandwidth exchange;                ///< of one card to all others in the node at once, all cards sending
  Bandwidth edge_limit;              ///< of a processor link that the ring crosses, as measured: no efficiency on top; 0: none
  bool in_switch_reduction = false;  ///< the switch can sum (NVLink 4 switches and later)
  bool old_host = false;             ///< a PCIe 3 host: staging through its memory is slower than its lanes say
  std::string architecture;          ///< of the cards: "sm_90". A level of the calibration
  Bandwidth network;                 ///< of all NICs of one node, each way; 0 in one node
  std::string transport;             ///< "rdma", "tcp" or the name of a library transport; a level of the calibration
  std::string bottleneck;            ///< the slowest hop, for people
};

}  // namespace rigplan
