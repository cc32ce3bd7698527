// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "rigplan/topology/pcie.h"
#include "rigplan/units/message.h"
#include "topology/node_builder.h"

namespace rigplan {

void NodeBuilder::add_network_ports(int device, Bandwidth rate, bool rdma) {
  const auto i = graph_.nics.size();
  graph_.nics.push_back(device);
  const auto out =
      add_duplex(LinkKind::network, device, -1, rate, (rdma ? times_.rdma : times_.tcp) / 2, fmt::format("network port {}", i));
  graph_.nic_out.push_back(out);
  graph_.nic_in.push_back(out + 1);
  graph_.nic_rdma.push_back(rdma);
}

void NodeBuilder::add_nics() {
  const bool by_chipset = feeders_.contains("chipset") &&
                          std::find(graph_.board.chipset_devices.begin(), graph_.board.chipset_devices.end(), "nic") !=
                              graph_.board.chipset_devices.end();
  const Port on_board{by_chipset ? "chipset" : "cpu0", {}, {}, 0, msg("NIC on the board")};
  for (std::size_t i = 0; i < node_.nics.size(); ++i) {
    const auto& place = node_.nics[i];
    const auto& nic = std::get<Nic>(catalog_.parts.find(place.part)->what);
    const int device = add_device(DeviceKind::nic, fmt::format("NIC{}", i), static_cast<int>(i), Seconds{});
    auto port = place.plug.slot.empty() ? on_board : plugs_.good_port(place.plug);
    const PcieLink able = nic.pcie.value_or(PcieLink{4, 16});
    plug_in(device, port, port.wired.lanes > 0 ? train(port.wired, able) : able);
    auto rate = nic.rate;
    if (network_ && network_->rate > Bandwidth{}) rate = std::min(rate, std::max(nic.ports, 1) * network_->rate);
    add_network_ports(device, rate, nic.rdma && network_ && network_->rdma);
  }
  if (node_.nics.empty() && network_) {  // a port that the rig does not describe further
    const int device = add_device(DeviceKind::nic, msg("network port"), 0, Seconds{});
    plug_in(device, on_board, {7, 32});
    add_network_ports(device, network_->rate, network_->rdma);
  }
  choose_nics();
}

std::size_t NodeBuilder::links_up(int device) const {
  std::size_t n = 0;
  for (auto up = graph_.upward[static_cast<std::size_t>(device)]; up >= 0; ++n)
    up = graph_.upward[static_cast<std::size_t>(graph_.links[static_cast<std::size_t>(up)].to)];
  return n;
}

/// Links between two devices of the PCIe tree; a socket link counts as one.
int NodeBuilder::tree_distance(int a, int b) const {
  auto up_a = links_up(a), up_b = links_up(b);
  int steps = 0;
  const auto climb = [&](int device) {
    ++steps;
    return graph_.links[static_cast<std::size_t>(graph_.upward[static_cast<std::size_t>(device)])].to;
  };
  for (; up_a > up_b; --up_a) a = climb(a);
  for (; up_b > up_a; --up_b) b = climb(b);
  for (; a != b && up_a > 0; --up_a) {
    a = climb(a);
    b = climb(b);
  }
  return steps + (a == b ? 0 : 1);
}

void NodeBuilder::choose_nics() {
  std::vector<int> cards_of(graph_.nics.size());
  for (const int card : graph_.cards) {
    int best = -1;
    for (std::size_t i = 0; i < graph_.nics.size(); ++i) {
      const auto rank = [&](std::size_t nic) { return std::pair{tree_distance(card, graph_.nics[nic]), cards_of[nic]}; };
      if (best < 0 || rank(i) < rank(static_cast<std::size_t>(best))) best = static_cast<int>(i);
    }
    graph_.nic_of_card.push_back(best);
    if (best >= 0) ++cards_of[static_cast<std::size_t>(best)];
  }
}

}  // namespace rigplan
