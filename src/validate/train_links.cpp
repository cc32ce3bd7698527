// SPDX-License-Identifier: Apache-2.0
#include "validate/train_links.h"

#include <algorithm>
#include <cmath>

#include "validate/row_text.h"

namespace rigplan {
namespace {

// Bus bandwidth of large messages as a share of the links, from published collective runs: 230 of 300 GB/s on eight A100, 328 of
// 450 GB/s on two H200; 29 of 63 GB/s through host memory over PCIe 5.0 x16.
constexpr double train_peer_share = 0.77, staged_share = 0.46, network_share = 0.8;
constexpr Bandwidth tcp_bus = 2 * GB_per_s;
constexpr int cards_per_node = 8;

bool denies_peer_links(const std::string& text) { return has_word(text, "no nvlink") || has_word(text, "without nvlink"); }

/// One way; "older board with few lanes" is taken as Gen 3 x8.
Bandwidth host_link_rate(const std::string& text, const Gpu& gpu) {
  auto link = gpu.pcie.value_or(PcieLink{4, 16});
  if (const auto generation = number_after(text, "pcie ")) link.generation = std::clamp(static_cast<int>(*generation), 1, 7);
  if (has_word(text, "few lanes")) link = {3, 8};
  for (const int lanes : {16, 8, 4, 1})
    if (has_word(text, "x" + std::to_string(lanes))) {
      link.lanes = lanes;
      break;
    }
  return link.lanes * (0.985 * std::pow(2.0, link.generation - 3)) * GB_per_s;
}

/// What one node sends to the others, all its NICs together.
Bandwidth node_rate(const std::string& text, const Gpu& gpu) {
  if (has_word(text, "8 x 200 gb/s") || has_word(text, "1600 gbps")) return 200 * GB_per_s;
  if (has_word(text, "4x100gb")) return 50 * GB_per_s;
  if (has_word(text, "per gpu") && number_after(text, "node, ").value_or(0) == 400) return 400 * GB_per_s;
  for (const int gbps : {400, 800})
    if (has_word(text, std::to_string(gbps) + " gbps inter-node")) return gbps * Gbit_per_s;
  // Not stated: a NIC for each card, of the usual speed of the card's generation.
  const bool gen5 = gpu.pcie && gpu.pcie->generation >= 5;
  return cards_per_node * (gen5 ? 400 : 200) * Gbit_per_s;
}

GroupFabric group(const std::string& text, const Measurement& row, const Gpu& gpu, int cards, int cards_in_node) {
  GroupFabric fabric;
  fabric.cards = cards;
  if (cards < 2) return fabric;
  fabric.nodes = std::max(1, (cards + cards_in_node - 1) / cards_in_node);
  const bool tcp = has_word(text, "tcp") || has_word(text, "socket") || has_word(text, "ethernet");
  if (tcp) {
    fabric.kind = LinkClass::network_tcp;
    fabric.all_reduce_bus = tcp_bus;
    fabric.all_reduce_latency = 45 * us;
  } else if (fabric.nodes > 1) {
    fabric.kind = LinkClass::network_rdma;
    fabric.all_reduce_bus = network_share * node_rate(text, gpu);
    fabric.all_reduce_latency = 20 * us;
  } else if (gpu.peer_ports && gpu.form != CardForm::pcie && row.p2p != "off" && !denies_peer_links(text)) {
    fabric.kind = LinkClass::nvswitch;
    fabric.all_reduce_bus = train_peer_share * gpu.peer_ports->links * gpu.peer_ports->per_link;
    fabric.all_reduce_latency = 10 * us;
  } else {
    fabric.kind = LinkClass::pcie_staged;
    fabric.all_reduce_bus = staged_share * host_link_rate(text, gpu);
    fabric.all_reduce_latency = 20 * us;
  }
  fabric.hop_latency = fabric.all_reduce_latency;
  fabric.hop_bandwidth = fabric.all_reduce_bus;
  return fabric;
}

}  // namespace

TrainingFabric train_links(const Measurement& row, const Gpu& gpu, const ParallelPlan& plan) {
  const auto text = lower_case(row.link + " " + row.node_link);
  const int nodes = row.nodes.value_or(0);
  const int cards = plan.tensor * plan.pipeline * plan.context * plan.replicas;
  const int in_node = nodes > 1 ? std::max(1, cards / nodes) : cards_per_node;
  const auto of = [&](int members, int apart) { return group(text, row, gpu, members, std::max(1, in_node / apart)); };
  TrainingFabric fabric;
  fabric.tensor = of(plan.tensor, 1);
  fabric.expert = of(plan.expert, plan.tensor);
  fabric.data = of(plan.replicas * plan.context, plan.tensor);
  fabric.shard = of((plan.shard_cards > 0 ? plan.shard_cards : plan.replicas) * plan.context, plan.tensor);
  fabric.pipeline = of(plan.pipeline, plan.tensor);
  // What a node sends to the next one is sent by all its cards together.
  if (fabric.pipeline.nodes > 1) fabric.pipeline.hop_bandwidth = fabric.pipeline.hop_bandwidth / in_node;
  fabric.host.link = host_link_rate(text, gpu);
  return fabric;
}

}  // namespace rigplan
