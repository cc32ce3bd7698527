// SPDX-License-Identifier: Apache-2.0
#include "rigplan/topology/peer.h"

#include <fmt/format.h>

#include <algorithm>

#include "rigplan/units/message.h"

namespace rigplan {
namespace {

/// Whether one card's class and memory window allow it: the owner's word, the window's size, then the catalog's word.
PeerCondition card_condition(const RigGraph& graph, int card) {
  const auto& place = graph.place(card);
  const auto& gpu = graph.gpu(card);
  const auto name = graph.card_name(card);
  if (place.peer_over_pcie) {
    const bool yes = *place.peer_over_pcie == PeerOverPcie::yes;
    PeerCondition said{"card_class", fmt::format("{}: the rig file says {}", name, yes ? "yes" : "no"), yes};
    if (*place.peer_over_pcie == PeerOverPcie::unknown)
      said.holds = {}, said.text = fmt::format("{}: the rig file leaves it open", name);
    return said;
  }
  if (place.bar && *place.bar < gpu.vram)
    return {"bar", fmt::format("{}: the memory window is smaller than its memory, so peers cannot map all of it", name), false};
  if (gpu.peer_over_pcie == PeerOverPcie::no) {
    const auto patched = graph.node(graph.node_of_card(card)).host.peer_driver;
    if (patched.value_or(false))
      return {"driver", fmt::format("{}: the stock driver refuses peers of this class, a patched one grants them", name), true};
    return {"card_class", fmt::format("{}: the stock driver refuses peer access for this class of card", name), false};
  }
  if (gpu.peer_over_pcie == PeerOverPcie::unknown && gpu.vendor != Vendor::amd)
    return {"card_class", fmt::format("{}: whether drivers grant peers to this class of card is not known", name), std::nullopt};
  if (gpu.peer_over_pcie == PeerOverPcie::unknown) {
    std::optional<bool> holds;
    if (place.bar) holds = true;  // a window over all of the memory is what this class hangs on
    return {"bar", fmt::format("{}: depends on the VBIOS and on a memory window (BAR) over all of its memory", name), holds};
  }
  return {"card_class", fmt::format("{}: this class of card allows it", name), true};
}

/// Settings of firmware and kernel; only those that the owner states can refuse, the others stay open.
void add_settings(const HostSettings& host, bool below_switch, std::vector<PeerCondition>& conditions) {
  const auto wanted = [&](const char* code, const char* text, std::optional<bool> holds) {
    conditions.push_back({code, text, holds});
  };
  wanted("above_4g", msg("firmware decodes memory windows above 4 GiB"), host.above_4g);
  wanted("iommu", msg("IOMMU off or in pass-through mode"),
         host.iommu_translates ? std::optional{!*host.iommu_translates} : std::nullopt);
  if (below_switch)
    wanted("acs", msg("switches forward peer requests (ACS redirect off)"),
           host.acs_redirect ? std::optional{!*host.acs_redirect} : std::nullopt);
}

bool share_switch(const NodeGraph& node, int a, int b) {
  const auto above = [&](int d) {
    std::vector<int> way;
    for (auto up = node.upward[static_cast<std::size_t>(d)]; up >= 0; up = node.upward[static_cast<std::size_t>(d)]) {
      d = node.links[static_cast<std::size_t>(up)].to;
      if (node.devices[static_cast<std::size_t>(d)].kind == DeviceKind::pcie_switch) way.push_back(d);
    }
    return way;
  };
  const auto of_a = above(a), of_b = above(b);
  return std::any_of(of_a.begin(), of_a.end(), [&](int d) { return std::find(of_b.begin(), of_b.end(), d) != of_b.end(); });
}

bool below_chipset(const NodeGraph& node, int d) {
  for (auto up = node.upward[static_cast<std::size_t>(d)]; up >= 0; up = node.upward[static_cast<std::size_t>(d)]) {
    d = node.links[static_cast<std::size_t>(up)].to;
    if (node.devices[static_cast<std::size_t>(d)].kind == DeviceKind::chipset) return true;
  }
  return false;
}

/// What lies between the cards: one switch is safe, root ports of AMD hosts work, AMD cards on Intel root ports, across
/// Intel sockets or behind chipsets are where reports of failure come from.
PeerCondition between(const NodeGraph& node, int a, int b, Vendor cards) {
  if (share_switch(node, a, b)) return {"root_complex", msg("both cards are below one PCIe switch"), true};
  const auto& first = node.devices[static_cast<std::size_t>(a)];
  const auto& second = node.devices[static_cast<std::size_t>(b)];
  const auto host = node.cpu ? std::optional{node.cpu->vendor} : std::nullopt;
  if (below_chipset(node, a) || below_chipset(node, b))
    return {"root_complex", msg("a card behind the chipset; peers there are not known to work"), std::nullopt};
  const bool sockets = first.socket != second.socket;
  if (cards == Vendor::amd && host == Vendor::intel)
    return {"root_complex",
            sockets ? msg("Intel sockets between AMD cards") : msg("root ports of an Intel host between AMD cards"), false};
  if (!host) return {"root_complex", msg("root ports of a processor that the rig does not name"), std::nullopt};
  if (sockets)
    return {"socket", msg("the way crosses the link between sockets"), host == Vendor::amd ? std::optional{true} : std::nullopt};
  return {"root_complex", msg("root ports of one processor"), true};
}

PeerOverPcie conclude(const std::vector<PeerCondition>& conditions) {
  bool open = false;
  for (const auto& condition : conditions) {
    if (condition.holds == false) return PeerOverPcie::no;
    // Settings that nobody stated are taken to be as the vendor's guide wants them; class and way must be known.
    const bool setting = condition.code == "above_4g" || condition.code == "iommu" || condition.code == "acs";
    if (!condition.holds && !setting) open = true;
  }
  return open ? PeerOverPcie::unknown : PeerOverPcie::yes;
}

}  // namespace

bool may_peer(PeerOverPcie verdict, PeerAssumption assumption) {
  switch (assumption) {
    case PeerAssumption::always_no:
      return false;
    case PeerAssumption::always_yes:
      return true;
    case PeerAssumption::unknown_is_yes:
      return verdict != PeerOverPcie::no;
    case PeerAssumption::unknown_is_no:
      return verdict == PeerOverPcie::yes;
  }
  return false;
}

PeerVerdict peer_access(const RigGraph& graph, int from, int to) {
  const int machine = graph.node_of_card(from);
  if (machine != graph.node_of_card(to))
    return {PeerOverPcie::no, {{"machine", msg("the cards are in different machines"), false}}};
  const auto& node = graph.node(machine);
  const int base = graph.first_card[static_cast<std::size_t>(machine)];
  const int a = node.cards[static_cast<std::size_t>(from - base)], b = node.cards[static_cast<std::size_t>(to - base)];
  for (const auto id : node.peer_out[static_cast<std::size_t>(a)]) {
    const int end = node.links[static_cast<std::size_t>(id)].to;
    const auto& next = node.peer_out[static_cast<std::size_t>(end)];
    const bool through =
        node.devices[static_cast<std::size_t>(end)].kind == DeviceKind::peer_switch &&
        std::any_of(next.begin(), next.end(), [&](LinkId l) { return node.links[static_cast<std::size_t>(l)].to == b; });
    if (end == b || through)
      return {PeerOverPcie::yes, {{"bridge", fmt::format("joined by {}", node.links[static_cast<std::size_t>(id)].label), true}}};
  }
  PeerVerdict verdict;
  if (graph.gpu(from).vendor != graph.gpu(to).vendor) {
    verdict.conditions.push_back({"card_class", msg("cards of different vendors"), false});
  } else {
    verdict.conditions.push_back(card_condition(graph, from));
    verdict.conditions.push_back(card_condition(graph, to));
    const auto way = between(node, a, b, graph.gpu(from).vendor);
    verdict.conditions.push_back(way);
    add_settings(node.host, share_switch(node, a, b), verdict.conditions);
  }
  verdict.answer = conclude(verdict.conditions);
  return verdict;
}

}  // namespace rigplan
