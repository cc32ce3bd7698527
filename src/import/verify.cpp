// SPDX-License-Identifier: Apache-2.0
#include "rigplan/import/verify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "rigplan/topology/pcie.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

struct SeenCard {
  std::string bus;
  std::optional<int> generation, lanes;  ///< the least on the way up to the next switch or root
  bool idle = false;
};

/// The way of a card up to the first bridge that more than one card or NIC hangs below.
SeenCard seen_card(const ImportedMachine& machine, int d, const std::map<int, std::set<int>>& branches) {
  SeenCard card{machine.devices[static_cast<std::size_t>(d)].bus, {}, {}, false};
  int below = d + 1;
  for (int at = d; at >= 0 && at < below; below = at, at = machine.devices[static_cast<std::size_t>(at)].parent) {
    const auto known = branches.find(at);
    if (at != d && known != branches.end() && known->second.size() > 1) break;
    const auto& one = machine.devices[static_cast<std::size_t>(at)];
    if (one.lanes) card.lanes = std::min(card.lanes.value_or(*one.lanes), *one.lanes);
    auto generation = one.generation;
    if (generation == 1 && (at == d || one.downgraded))
      card.idle = true, generation = one.able ? std::optional{one.able->generation} : std::nullopt;
    if (generation) card.generation = std::min(card.generation.value_or(*generation), *generation);
  }
  return card;
}

std::map<int, std::set<int>> branches_of(const ImportedMachine& machine) {
  std::map<int, std::set<int>> branches;
  for (const auto kind : {ImportedKind::gpu, ImportedKind::nic})
    for (const int leaf : machine.indices_of(kind)) {
      int below = leaf;
      for (int up = machine.devices[static_cast<std::size_t>(leaf)].parent; up >= 0 && up < below;
           below = up, up = machine.devices[static_cast<std::size_t>(up)].parent)
        branches[up].insert(below);
    }
  return branches;
}

int disagreement(PcieLink planned, const SeenCard& seen) {
  int points = 0;
  if (seen.lanes && *seen.lanes != planned.lanes) points += 2;
  if (seen.generation && *seen.generation != planned.generation) points += 1;
  return points;
}

/// How many cards share the switch next to them, largest group first; cards on root ports do not count.
std::vector<int> planned_groups(const NodeGraph& node) {
  std::map<int, int> below;
  for (const int d : node.cards) {
    const int up = node.links[static_cast<std::size_t>(node.upward[static_cast<std::size_t>(d)])].to;
    if (node.devices[static_cast<std::size_t>(up)].kind == DeviceKind::pcie_switch) ++below[up];
  }
  std::vector<int> sizes;
  for (const auto& [device, cards] : below) sizes.push_back(cards);
  std::sort(sizes.rbegin(), sizes.rend());
  return sizes;
}
std::vector<int> seen_groups(const ImportedMachine& machine, const std::map<int, std::set<int>>& branches) {
  std::map<int, int> below;
  for (const int d : machine.indices_of(ImportedKind::gpu)) {
    int under = d;
    for (int up = machine.devices[static_cast<std::size_t>(d)].parent; up >= 0 && up < under;
         under = up, up = machine.devices[static_cast<std::size_t>(up)].parent)
      if (branches.at(up).size() > 1) {
        ++below[up];
        break;
      }
  }
  std::vector<int> sizes;
  for (const auto& [device, cards] : below) sizes.push_back(cards);
  std::sort(sizes.rbegin(), sizes.rend());
  return sizes;
}

std::string groups_text(const std::vector<int>& sizes) {
  return sizes.empty() ? msg("no switch with several cards") : fmt::format("switches with {} cards", fmt::join(sizes, ", "));
}

void compare_card(const Link& planned, const std::string& name, const SeenCard& seen, VerifyResult& result) {
  const auto found = fmt::format("{}: PCIe {}.0 x{}", seen.bus, seen.generation ? std::to_string(*seen.generation) : "?",
                                 seen.lanes ? std::to_string(*seen.lanes) : "?");
  if (seen.lanes && *seen.lanes < planned.pcie.lanes)
    result.differences.push_back(
        {name, planned.label, found, msg("trained to fewer lanes: reseat the card, check the riser and the slot's wiring")});
  else if (seen.lanes && *seen.lanes > planned.pcie.lanes)
    result.differences.push_back(
        {name, planned.label, found, msg("wider than planned: the card sits in another slot than the plan says")});
  else if (seen.generation && *seen.generation != planned.pcie.generation)
    result.differences.push_back({name, planned.label, found,
                                  *seen.generation < planned.pcie.generation
                                      ? msg("slower than planned: firmware setting, riser or VBIOS")
                                      : msg("faster than planned: correct the plan")});
  if (seen.idle) result.questions.push_back({seen.bus, msg("shows 2.5 GT/s: idle? measure its link under load")});
  if (!seen.lanes) result.questions.push_back({seen.bus, msg("states no link width")});
}

void compare_peers(const NodeGraph& node, const ImportedMachine& machine, VerifyResult& result) {
  int planned = 0, found = 0;
  for (const auto& link : node.links)
    planned += link.from < link.to && (link.kind == LinkKind::nvlink || link.kind == LinkKind::xgmi);
  std::set<std::pair<std::string, std::string>> pairs;
  for (const int d : machine.indices_of(ImportedKind::gpu))
    for (const auto& peer : machine.devices[static_cast<std::size_t>(d)].peers) {
      const auto& bus = machine.devices[static_cast<std::size_t>(d)].bus;
      pairs.insert(peer.to_switch ? std::pair{bus, std::string{"switch"}}
                                  : std::pair{std::min(bus, peer.target), std::max(bus, peer.target)});
    }
  found = static_cast<int>(pairs.size());
  const bool says = found > 0 || machine.format == "NCCL XML";
  if (says && planned != found)
    result.differences.push_back({"bridges", fmt::format("{} connections over NVLink or xGMI", planned), fmt::format("{}", found),
                                  msg("a bridge is missing, not seated, or joins other cards")});
  if (!says && planned > 0) result.questions.push_back({"bridges", msg("this file does not show NVLink or xGMI")});
}

}  // namespace

VerifyResult verify(const RigGraph& plan, const ImportedMachine& machine) {
  VerifyResult result;
  const auto& node = plan.node(0);
  const auto branches = branches_of(machine);
  std::vector<SeenCard> seen;
  for (const int d : machine.indices_of(ImportedKind::gpu)) seen.push_back(seen_card(machine, d, branches));
  result.cards_planned = static_cast<int>(node.cards.size());
  result.cards_found = static_cast<int>(seen.size());
  if (result.cards_planned != result.cards_found)
    result.differences.push_back({"cards", fmt::format("{}", result.cards_planned), fmt::format("{}", result.cards_found),
                                  result.cards_found < result.cards_planned
                                      ? msg("a card does not show: power, riser, or address space in the firmware")
                                      : msg("the plan lacks a card")});
  // Cards that agree are paired first, so that what is left over is what differs.
  std::vector<bool> taken(seen.size());
  std::vector<int> left;
  const auto link_of = [&](int d) -> const Link& {
    return node.links[static_cast<std::size_t>(node.upward[static_cast<std::size_t>(d)])];
  };
  const auto pair_with = [&](int d, int allowed) {
    int best = -1;
    for (std::size_t s = 0; s < seen.size(); ++s)
      if (!taken[s] && disagreement(link_of(d).pcie, seen[s]) <= allowed &&
          (best < 0 ||
           disagreement(link_of(d).pcie, seen[s]) < disagreement(link_of(d).pcie, seen[static_cast<std::size_t>(best)])))
        best = static_cast<int>(s);
    if (best < 0) return false;
    taken[static_cast<std::size_t>(best)] = true;
    compare_card(link_of(d), node.devices[static_cast<std::size_t>(d)].label, seen[static_cast<std::size_t>(best)], result);
    return true;
  };
  for (const int d : node.cards)
    if (!pair_with(d, 0)) left.push_back(d);
  for (const int d : left) pair_with(d, 3);
  const auto planned = planned_groups(node), found = seen_groups(machine, branches);
  const bool has_tree = machine.format == "NCCL XML" || std::any_of(machine.devices.begin(), machine.devices.end(),
                                                                    [](const auto& one) { return one.parent >= 0; });
  if (has_tree && planned != found)
    result.differences.push_back(
        {"switches", groups_text(planned), groups_text(found), msg("cards hang below other switches than planned")});
  compare_peers(node, machine, result);
  return result;
}

}  // namespace rigplan
