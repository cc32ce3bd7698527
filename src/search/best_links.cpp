// SPDX-License-Identifier: Apache-2.0
#include "search/best_links.h"

#include "rigplan/estimate/collectives/prepare_fabric.h"
#include "rigplan/estimate/collectives/prepare_links.h"
#include "rigplan/topology/pcie.h"

namespace rigplan {
namespace {

const auto no_limit = 1e9 * GB_per_s;

GroupFabric free_links(int cards, LinkClass kind) {
  GroupFabric fabric;
  fabric.cards = cards;
  fabric.kind = kind;
  fabric.all_reduce_bus = fabric.hop_bandwidth = no_limit;
  return fabric;
}

GroupFabric own_links(const Gpu& gpu, int cards, LinkClass kind, const Calibration& collectives) {
  GroupLinks links;
  links.kind = kind;
  links.edge = links.exchange = pcie_bandwidth(*gpu.pcie, {.payload = 512});
  links.architecture = gpu.architecture;
  links.cards = cards;
  auto fabric = fabric_over(links, collectives, default_stack(gpu.vendor));
  fabric.hop_bandwidth = no_limit;
  return fabric;  // the way to the next card stays free of cost: neighbours may share a switch
}

}  // namespace

std::vector<GroupFabric> best_links(const Gpu& gpu, int cards, bool bridged, const Calibration& collectives) {
  if (cards < 2) return {GroupFabric{}};
  if (gpu.form != CardForm::pcie || !gpu.pcie)
    return {free_links(cards, LinkClass::nvswitch), free_links(cards, LinkClass::pcie_peer)};
  std::vector<GroupFabric> fabrics{own_links(gpu, cards, LinkClass::pcie_staged, collectives)};
  if (gpu.peer_over_pcie == PeerOverPcie::yes) fabrics.push_back(own_links(gpu, cards, LinkClass::pcie_peer, collectives));
  if (bridged && gpu.peer_ports)
    fabrics.push_back(free_links(cards, gpu.peer_ports->kind == PeerLinkKind::nvlink ? LinkClass::nvlink : LinkClass::xgmi));
  return fabrics;
}

}  // namespace rigplan
