// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "rigplan/search/space.h"
#include "search/card_slots.h"

namespace rigplan {

bool offers(const Slot& slot, const Bifurcator& split) {
  return slot.link.lanes >= split.lanes && std::find(slot.splits.begin(), slot.splits.end(), split.ports) != slot.splits.end();
}

std::vector<const Slot*> card_slots(const Board& board) {
  std::vector<const Slot*> slots;
  for (const auto& slot : board.slots)
    if (slot.physical_lanes >= 8) slots.push_back(&slot);
  return slots;
}

namespace {

RigNode node_of(const HostKit& kit, const std::string& gpu, int count) {
  RigNode node;
  node.id = kit.id;
  node.board = kit.board;
  node.cpu = kit.cpu;
  CardPlace place;
  place.gpu = gpu;
  if (!kit.riser.empty()) place.plug.via = {kit.riser};
  node.cards.assign(static_cast<std::size_t>(count), place);
  if (!kit.supply.empty()) node.psus.assign(static_cast<std::size_t>(kit.supply_count), kit.supply);
  if (kit.card_form != CardForm::pcie && count > 1) {  // modules meet over the fabric of their own board
    node.bridges.emplace_back();
    for (int card = 0; card < count; ++card) node.bridges.back().cards.push_back(card);
  }
  return node;
}

/// Plugs as few split adapters as make room for all cards, and every card; false when even all of them do not.
bool plug(RigNode& node, const std::vector<const Slot*>& slots, const Part* split) {
  const auto* adapter = split ? std::get_if<Bifurcator>(&split->what) : nullptr;
  const auto cards = node.cards.size();
  std::size_t room = slots.size();
  std::vector<const Slot*> divided;
  if (adapter)
    for (const auto* slot : slots) {
      if (room >= cards) break;
      if (!offers(*slot, *adapter)) continue;
      divided.push_back(slot);
      room += adapter->ports.size() - 1;
    }
  if (room < cards || (adapter && divided.empty())) return false;  // too few slots, or nothing that needs dividing

  std::vector<std::string> plugs;
  for (const auto* slot : slots) {
    if (std::find(divided.begin(), divided.end(), slot) == divided.end()) {
      plugs.push_back(slot->id);
      continue;
    }
    const auto id = fmt::format("split{}", node.adapters.size());
    node.adapters.push_back({.id = id, .part = split->id, .plug = {.slot = slot->id, .via = {}}, .more_plugs = {}});
    for (std::size_t port = 0; port < adapter->ports.size(); ++port) plugs.push_back(fmt::format("{}/{}", id, port));
  }
  if (!adapter) return true;  // the slots are left to with_slots(), which knows which is best
  for (std::size_t i = 0; i < cards; ++i) node.cards[i].plug.slot = plugs[i];
  return true;
}

/// Plugs the network card of each machine where it takes least from the cards: on the board where it needs one lane or there are
/// no slots, else into the shortest and slowest slot that it fits. False when there is none.
bool plug_network(RigNode& node, const Board& board, const NetworkChoice& network, std::vector<const Slot*>& slots_of_cards) {
  NicPlace place{.part = network.nic->id, .plug = {}};
  const auto pcie = std::get<Nic>(network.nic->what).pcie;
  if (!board.slots.empty() && pcie && pcie->lanes > 1) {
    const Slot* best = nullptr;
    const auto rank = [](const Slot& slot) { return std::tuple{slot.physical_lanes, slot.link.lanes, slot.link.generation}; };
    for (const auto& slot : board.slots)
      if (slot.physical_lanes >= pcie->lanes && (!best || rank(slot) < rank(*best))) best = &slot;
    if (!best) return false;
    place.plug.slot = best->id;
    std::erase(slots_of_cards, best);
  }
  node.nics.push_back(std::move(place));
  return true;
}

/// As many bridges as find all their cards.
void join_neighbours(RigNode& node, const Part& part) {
  const int size = std::get<BridgePart>(part.what).cards;
  for (int first = 0; first + size <= static_cast<int>(node.cards.size()); first += size) {
    BridgePlace place{.part = part.id, .cards = {}};
    for (int card = first; card < first + size; ++card) place.cards.push_back(card);
    node.bridges.push_back(std::move(place));
  }
}

}  // namespace

std::optional<Build> build_of(const Catalog& catalog, const BuildChoice& choice) {
  const auto& kit = *choice.kit;
  const auto* board = catalog.boards.find(kit.board);
  if (!board || (kit.max_cards > 0 && choice.cards > kit.max_cards)) return std::nullopt;
  auto node = node_of(kit, choice.gpu->id, choice.cards);
  auto slots = card_slots(*board);
  node.count = choice.machines;
  if (choice.network && !plug_network(node, *board, *choice.network, slots)) return std::nullopt;
  if (!board->slots.empty() && !plug(node, slots, choice.split)) return std::nullopt;
  if (choice.bridge) join_neighbours(node, *choice.bridge);
  Build build;
  build.rig.name = kit.id;
  build.rig.nodes.push_back(std::move(node));
  if (choice.network) {
    const auto* network_switch = choice.network->network_switch;
    build.rig.network = RigNetwork{.network_switch = network_switch ? network_switch->id : "",
                                   .rate = choice.network->rate,
                                   .rdma = std::get<Nic>(choice.network->nic->what).rdma};
  }
  build.host = kit.id;
  build.attachment = choice.split ? choice.split->id : "";
  return build;
}

}  // namespace rigplan
