// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/space.h"

#include <fmt/format.h>

#include <algorithm>

#include "rigplan/economics/purchase.h"

namespace rigplan {
namespace {

bool asked_for(const Gpu& gpu, const std::vector<std::string>& patterns) {
  if (patterns.empty()) return !gpu.disputed;
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return matches_pattern(gpu.id, pattern) || matches_pattern(gpu.name, pattern);
  });
}

bool offers(const Slot& slot, const Bifurcator& split) {
  return slot.link.lanes >= split.lanes && std::find(slot.splits.begin(), slot.splits.end(), split.ports) != slot.splits.end();
}

/// Slots that a card can be plugged into: the long ones, because the others need adapters of their own.
std::vector<const Slot*> card_slots(const Board& board) {
  std::vector<const Slot*> slots;
  for (const auto& slot : board.slots)
    if (slot.physical_lanes >= 8) slots.push_back(&slot);
  return slots;
}

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

/// The cheapest adapter of each even division of a slot of 16 lanes.
std::vector<const Part*> split_parts(const Catalog& catalog, const PriceBook& prices) {
  std::vector<const Part*> splits;
  for (const auto& part : catalog.parts.entries) {
    const auto* adapter = std::get_if<Bifurcator>(&part.what);
    const auto* price = adapter ? prices.find(part.id) : nullptr;
    const bool even = adapter && std::equal(adapter->ports.begin() + 1, adapter->ports.end(), adapter->ports.begin());
    if (!price || adapter->lanes != 16 || !even) continue;
    const auto same = std::find_if(splits.begin(), splits.end(),
                                   [&](const Part* other) { return std::get<Bifurcator>(other->what).ports == adapter->ports; });
    if (same == splits.end())
      splits.push_back(&part);
    else if (price->range.likely < prices.find((*same)->id)->range.likely)
      *same = &part;
  }
  return splits;
}

bool takes(const HostKit& kit, const Gpu& gpu, const PriceBook& prices) {
  const auto& architectures = kit.architectures;
  return kit.card_form == gpu.form && prices.find(kit.board) &&
         (architectures.empty() ||
          std::find(architectures.begin(), architectures.end(), gpu.architecture) != architectures.end());
}

/// A host and a way to attach cards to it, with what it can hold.
struct Seat {
  const HostKit* kit = nullptr;
  const Part* split = nullptr;
  int least = 1, most = 0;  ///< numbers of cards for which plug() finds room
};

/// For every kit and division the numbers of cards that it makes sense for.
std::vector<Seat> seats(const Catalog& catalog, const std::vector<const Part*>& splits) {
  std::vector<Seat> all;
  for (const auto& kit : catalog.hosts.entries) {
    const auto* board = catalog.boards.find(kit.board);
    if (!board) continue;
    const int enclosed = kit.max_cards > 0 ? kit.max_cards : card_counts(0).back();
    if (board->slots.empty()) {
      all.push_back({&kit, nullptr, 1, enclosed});
      continue;
    }
    const auto slots = card_slots(*board);
    const int straight = static_cast<int>(slots.size());
    all.push_back({&kit, nullptr, 1, std::min(straight, enclosed)});
    for (const auto* split : splits) {
      const auto& adapter = std::get<Bifurcator>(split->what);
      int room = straight;
      for (const auto* slot : slots)
        if (offers(*slot, adapter)) room += static_cast<int>(adapter.ports.size()) - 1;
      all.push_back({&kit, split, straight + 1, std::min(room, enclosed)});
    }
  }
  std::erase_if(all, [](const Seat& seat) { return seat.most < seat.least; });
  return all;
}

}  // namespace

std::vector<int> card_counts(int most) {
  std::vector<int> counts;
  for (const int count : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    if (most == 0 || count <= most) counts.push_back(count);
  return counts;
}

std::optional<Build> build_of(const Catalog& catalog, const BuildChoice& choice) {
  const auto& kit = *choice.kit;
  const auto* board = catalog.boards.find(kit.board);
  if (!board || (kit.max_cards > 0 && choice.cards > kit.max_cards)) return std::nullopt;
  auto node = node_of(kit, choice.gpu->id, choice.cards);
  if (!board->slots.empty() && !plug(node, card_slots(*board), choice.split)) return std::nullopt;
  Build build;
  build.rig.name = kit.id;
  build.rig.nodes.push_back(std::move(node));
  build.host = kit.id;
  build.attachment = choice.split ? choice.split->id : "";
  return build;
}

Space make_space(const Catalog& catalog, const PriceBook& prices, const Query& query) {
  const auto all = seats(catalog, split_parts(catalog, prices));
  const auto counts = card_counts(query.limits.max_cards);
  Space space;
  for (const auto& gpu : catalog.gpus.entries) {
    if (!asked_for(gpu, query.gpu_patterns)) continue;
    if (!prices.find(gpu.id)) {
      space.cards_without_price.push_back(gpu.id);
      continue;
    }
    const auto before = space.choices.size();
    for (const auto& seat : all) {
      if (!takes(*seat.kit, gpu, prices)) continue;
      for (const int count : counts)
        if (count >= seat.least && count <= seat.most) space.choices.push_back({&gpu, seat.kit, seat.split, count});
    }
    if (space.choices.size() == before) space.cards_without_host.push_back(gpu.id);
  }
  return space;
}

}  // namespace rigplan
