// SPDX-License-Identifier: Apache-2.0
#include "validate/link_prior.h"

#include <cmath>

#include "validate/row_text.h"

namespace rigplan {
namespace {

/// Latency of a small all-reduce of two cards, and the share of a PCIe link that one carries. From small-message rows of
/// published nccl-tests and rccl-tests runs.
struct ClassFigures {
  Seconds latency;
  Bandwidth bus;  ///< of the class itself; zero: a share of PCIe
  double pcie_share = 0;
};

ClassFigures figures_of(LinkClass kind, bool stated) {
  switch (kind) {
    case LinkClass::nvswitch:
    case LinkClass::nvlink:
      return {7 * us, 150 * GB_per_s};
    case LinkClass::xgmi:
      return {12 * us, 60 * GB_per_s};
    case LinkClass::pcie_peer:
      return {10 * us, Bandwidth{}, 0.75};
    case LinkClass::network_rdma:
      return {20 * us, 10 * GB_per_s};
    case LinkClass::network_tcp:
      return {45 * us, 1 * GB_per_s};
    default:
      return {14 * us, Bandwidth{}, stated ? 0.3 : 0.4};
  }
}

bool denies(const std::string& text) {
  return has_word(text, "no nvlink") || has_word(text, "not nvlink") || has_word(text, "without nvlink");
}

LinkClass class_of(const std::string& text, const Measurement& row, const Gpu& gpu, int nodes) {
  if (nodes > 1)
    return has_word(text, "roce") || has_word(text, "infiniband") || has_word(text, "rdma") ? LinkClass::network_rdma
                                                                                            : LinkClass::network_tcp;
  if (has_word(text, "nvswitch")) return LinkClass::nvswitch;
  if (has_word(text, "nvlink") && !denies(text)) return LinkClass::nvlink;
  if (has_word(text, "xgmi") || has_word(text, "infinity fabric")) return LinkClass::xgmi;
  if (has_word(text, "p2p_disable") || has_word(text, "no p2p") || row.p2p == "off") return LinkClass::pcie_staged;
  if (has_word(text, "p2p") || row.p2p == "on" || has_word(text, "switch")) return LinkClass::pcie_peer;
  if (text.empty() && gpu.form == CardForm::sxm) return LinkClass::nvswitch;
  if (text.empty() && gpu.form == CardForm::oam) return LinkClass::xgmi;
  return LinkClass::pcie_staged;
}

/// One way, 128b/130b lines from the third generation on.
Bandwidth pcie_rate(const std::string& text, const Gpu& gpu) {
  auto link = gpu.pcie.value_or(PcieLink{4, 16});
  if (const auto generation = number_after(text, "pcie ")) link.generation = static_cast<int>(*generation);
  for (const int lanes : {16, 8, 4, 1})
    if (has_word(text, "x" + std::to_string(lanes))) {
      link.lanes = lanes;
      break;
    }
  if (link.generation < 1 || link.generation > 7) link.generation = 4;
  return link.lanes * (0.985 * std::pow(2.0, link.generation - 3)) * GB_per_s;
}

}  // namespace

GroupFabric link_prior(const Measurement& row, const Gpu& gpu, int cards, int nodes) {
  GroupFabric fabric;
  fabric.cards = cards;
  fabric.nodes = nodes;
  if (cards < 2) return fabric;
  const auto text = lower_case(row.link + " " + row.node_link);
  const bool stated = text.size() > 1;
  fabric.kind = class_of(stated ? text : "", row, gpu, nodes);
  const auto figures = figures_of(fabric.kind, stated);
  const auto pcie = pcie_rate(text, gpu);
  fabric.all_reduce_latency = std::pow(cards / 2.0, 0.7) * figures.latency;
  fabric.all_reduce_bus = figures.bus > Bandwidth{} ? figures.bus : figures.pcie_share * pcie;
  fabric.hop_latency = figures.latency;
  fabric.hop_bandwidth = nodes > 1 ? figures.bus : figures.bus > Bandwidth{} ? figures.bus : 0.75 * pcie;
  return fabric;
}

}  // namespace rigplan
