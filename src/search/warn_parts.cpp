// SPDX-License-Identifier: Apache-2.0
// Doubts about what is bought: cards, boards, adapters, cables, supplies.
#include <algorithm>

#include "rigplan/economics/host_kit.h"
#include "search/warning_rules.h"

namespace rigplan {

void rules_of_cards(const WarningFacts& facts, WarningCodes& codes) {
  WarningCodes architectures;
  std::set<double> sizes;
  int open_cards_of_a_machine = 0;
  for (const auto& kind : facts.graph.kinds) {
    int open_cards = 0;
    for (const int device : kind.cards) {
      const auto* gpu = kind.devices[static_cast<std::size_t>(device)].gpu;
      if (!gpu) continue;
      codes.insert(gpu->warnings.begin(), gpu->warnings.end());
      if (gpu->disputed) codes.insert("W_CLAIM_CHECK");
      if (gpu->cooling == Cooling::passive && gpu->form == CardForm::pcie) codes.insert("W_PASSIVE_COOLING");
      if (gpu->power_eps > 0) codes.insert("W_EPS_CONNECTOR");
      if (gpu->cooling == Cooling::open && gpu->slot_width >= 2) ++open_cards;
      architectures.insert(gpu->architecture);
      sizes.insert(gpu->vram.in(byte));
    }
    open_cards_of_a_machine = std::max(open_cards_of_a_machine, open_cards);
    codes.insert(kind.board.warnings.begin(), kind.board.warnings.end());
  }
  if (open_cards_of_a_machine > 1) codes.insert("W_AIRFLOW_STACKED");
  if (architectures.size() > 1) codes.insert("W_MIXED_ARCH_DRIVER");
  if (sizes.size() > 1 && joins_cards(facts)) codes.insert("W_MIXED_VRAM");
}

namespace {

void add_switch(const PcieSwitch& pcie_switch, WarningCodes& codes) {
  int down = 0;
  for (const int lanes : pcie_switch.ports) down += lanes;
  if (down > pcie_switch.upstream.lanes * pcie_switch.upstream_ports) codes.insert("W_SWITCH_UPLINK_OVERSUB");
}

}  // namespace

void rules_of_parts(const WarningFacts& facts, WarningCodes& codes) {
  const auto add = [&](const std::string& id) {
    const auto* part = facts.catalog.parts.find(id);
    if (!part) return;
    // One lane is a doubt only where a plan joins cards; the rules of links decide that.
    for (const auto& code : part->warnings)
      if (code != "W_LANES_X1") codes.insert(code);
    if (const auto* pcie_switch = std::get_if<PcieSwitch>(&part->what)) add_switch(*pcie_switch, codes);
  };
  for (const auto& node : facts.graph.rig.nodes) {
    for (const auto& adapter : node.adapters) add(adapter.part);
    // A supply that a chassis is sold with sits in its own bay, without a breakout board.
    const auto* kit = host_kit_of(facts.catalog, node.board);
    for (const auto& psu : node.psus)
      if (!kit || kit->supply != psu) add(psu);
    for (const auto& card : node.cards)
      for (const auto& cable : card.plug.via) add(cable);
  }
}

}  // namespace rigplan
