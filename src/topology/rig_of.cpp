// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "rigplan/json/data_error.h"
#include "rigplan/topology/assign_slots.h"
#include "rigplan/topology/pcie.h"
#include "topology/free_ports.h"
#include "topology/plugs.h"

namespace rigplan {
namespace {

std::string name_of(const Entry& entry) { return entry.name.empty() ? entry.id : entry.name; }

/// One machine while cards are put into it, the easiest places first.
class Builder {
 public:
  Builder(const Gpu& gpu, const Board& board, const Catalog& catalog) : gpu_{gpu}, catalog_{catalog} {
    node_.board = board.id;
    node_.cpu = processor_for(board);
    for (const auto& kit : catalog.hosts.entries)
      if (kit.board == board.id && kit.max_cards > 0) most_ = kit.max_cards;
  }

  /// Adds up to `count` cards. @return how many found a place.
  int add(int count) {
    if (board_of(node_, catalog_).slots.empty()) return add_without_slots(count);
    while (placed() < std::min(count, most_) && (add_to_slot() || add_to_split() || add_to_switch())) {
    }
    return placed();
  }
  const RigNode& node() const { return node_; }

 private:
  int placed() const { return static_cast<int>(node_.cards.size()); }
  PcieLink wanted() const { return gpu_.pcie.value_or(PcieLink{4, 16}); }

  std::string processor_for(const Board& board) const {
    if (board.includes_cpu) return {};
    for (const auto& kit : catalog_.hosts.entries)
      if (kit.board == board.id && !kit.cpu.empty()) return kit.cpu;
    int generation = 0;
    for (const auto& slot : board.slots) generation = std::max(generation, slot.link.generation);
    const Cpu* first = nullptr;
    for (const auto& cpu : catalog_.cpus.entries) {
      if (cpu.socket != board.socket) continue;
      if (first == nullptr) first = &cpu;
      if (cpu.pcie.generation >= generation) return cpu.id;
    }
    return first != nullptr ? first->id : std::string{};
  }

  int add_without_slots(int count) {
    node_.cards.assign(static_cast<std::size_t>(std::min(count, most_)), CardPlace{gpu_.id, {}, {}, {}, {}, {}});
    return placed();
  }

  /// A riser that carries what slot and card can do, for cards that do not sit in a slot themselves.
  std::vector<std::string> riser_for(PcieLink link, bool short_slot) const {
    for (const auto& part : catalog_.parts.entries) {
      const auto* riser = std::get_if<Riser>(&part.what);
      if (riser == nullptr || riser->usb_cable != (short_slot && link.lanes == 1)) continue;
      if (train(link, riser->link) == link) return {part.id};
    }
    return {};
  }

  bool plug(const FreePort& port) {
    CardPlace card;
    card.gpu = gpu_.id;
    card.plug.slot = port.plug;
    const bool hangs = port.plug.find('/') != std::string::npos || port.port.length < 16;
    if (hangs) card.plug.via = riser_for(train(port.port.wired, wanted()), port.port.length < 4);
    node_.cards.push_back(card);
    if (!fault()) return true;
    node_.cards.pop_back();
    return false;
  }

  bool fault() const {
    Rig rig;
    rig.nodes.push_back(node_);
    return find_fault(rig, catalog_).has_value();
  }

  /// Slots and ports of the processor, then those of switches, then long ones of the chipset, then short ones.
  bool add_to_slot() {
    auto ports = free_ports(node_, catalog_);
    const auto rank = [&](const FreePort& one) {
      const bool chipset = one.port.parent == "chipset";
      const int kind = one.port.length < 8 && one.plug.find('/') == std::string::npos ? 2 : chipset ? 1 : 0;
      return std::pair{kind, -pcie_bandwidth(train(one.port.wired, wanted())).in(GB_per_s)};
    };
    std::stable_sort(ports.begin(), ports.end(), [&](const FreePort& a, const FreePort& b) { return rank(a) < rank(b); });
    // Short slots come after splits; they are tried again by add_to_split().
    return std::any_of(ports.begin(), ports.end(), [&](const FreePort& one) { return rank(one).first < 2 && plug(one); });
  }

  /// Takes the card out of the widest slot that can be split, and puts an adapter there.
  bool add_to_split() {
    return swap_for_adapter([&](const Part& part, const Slot& slot) {
             const auto* split = std::get_if<Bifurcator>(&part.what);
             return split != nullptr && split->ports.size() > 1 && split->lanes <= slot.link.lanes;
           }) ||
           add_to_short_slot();
  }
  bool add_to_short_slot() {
    const auto ports = free_ports(node_, catalog_);
    return std::any_of(ports.begin(), ports.end(), [&](const FreePort& one) { return plug(one); });
  }
  bool add_to_switch() {
    return swap_for_adapter([&](const Part& part, const Slot& slot) {
      const auto* pcie_switch = std::get_if<PcieSwitch>(&part.what);
      return pcie_switch != nullptr && pcie_switch->ports.size() > 1 && pcie_switch->upstream.lanes <= slot.link.lanes;
    });
  }
  template <class Fits>
  bool swap_for_adapter(Fits fits) {
    for (const auto& slot : board_of(node_, catalog_).slots)
      for (const auto& part : catalog_.parts.entries)
        if (slot.fed_by != "chipset" && fits(part, slot) && swap(slot, part)) return true;
    return false;
  }
  /// The card of a slot moves to a port of `part`, and another card joins it; all stays as it was when that is not possible.
  bool swap(const Slot& slot, const Part& part) {
    const auto before = node_;
    const auto card =
        std::find_if(node_.cards.begin(), node_.cards.end(), [&](const CardPlace& one) { return one.plug.slot == slot.id; });
    if (card == node_.cards.end()) return false;
    const int had = placed();
    node_.cards.erase(card);
    node_.adapters.push_back({fmt::format("sw{}", node_.adapters.size()), part.id, {slot.id, {}}, {}});
    if (!fault())
      while (placed() <= had && add_to_slot()) {
      }
    if (placed() > had) return true;
    node_ = before;
    return false;
  }

  const Gpu& gpu_;
  const Catalog& catalog_;
  RigNode node_;
  int most_ = 4096;
};

bool has_sites(const Board& board) {
  return std::any_of(board.slots.begin(), board.slots.end(), [](const Slot& slot) { return is_module_site(slot.id); });
}

/// Whether the board's name or an alias has a word of the card's name that holds a digit, such as the chip.
bool mentions(const Board& board, const Gpu& gpu) {
  auto names = board.aliases;
  names.push_back(board.name);
  std::string word;
  const auto known = [&] {
    const bool telling = word.size() > 2 && std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    return telling &&
           std::any_of(names.begin(), names.end(), [&](const std::string& name) { return name.find(word) != name.npos; });
  };
  for (const char c : gpu.name + " ") {
    if (c != ' ' && c != '-') {
      word += c;
      continue;
    }
    if (known()) return true;
    word.clear();
  }
  return false;
}

/// Whether a board is meant for this form of card: modules go on hosts with sites for them that name the card.
bool takes_form(const Board& board, const Gpu& gpu) {
  if (gpu.form == CardForm::pcie) return !has_sites(board);
  return mentions(board, gpu) || (board.slots.empty() && board.includes_cpu);
}

/// The NIC that joins several machines when nobody names one: the first of 10 Gbit/s or more; the rig then says which.
const Part* plain_nic(const Catalog& catalog) {
  for (const auto& part : catalog.parts.entries)
    if (const auto* nic = std::get_if<Nic>(&part.what); nic != nullptr && nic->rate >= 10 * Gbit_per_s) return &part;
  return nullptr;
}

Rig several_machines(const Catalog& catalog, const Gpu& gpu, const Board& board, int count, int each) {
  const auto* part = plain_nic(catalog);
  if (part == nullptr)
    throw DataError{
        {}, fmt::format("{} takes {} of {} cards, and the catalog has no NIC to join several", name_of(board), each, count)};
  const auto& nic = std::get<Nic>(part->what);
  const int machines = (count + each - 1) / each;
  Rig rig;
  for (int left = count, i = 0; left > 0; ++i) {
    const int here = (left + machines - i - 1) / (machines - i);
    Builder builder{gpu, board, catalog};
    builder.add(here);
    auto node = builder.node();
    node.nics.push_back({part->id, {}});
    left -= here;
    if (!rig.nodes.empty() && rig.nodes.back().cards.size() == node.cards.size()) {
      ++rig.nodes.back().count;
      continue;
    }
    node.id = fmt::format("node{}", rig.nodes.size());
    rig.nodes.push_back(std::move(node));
  }
  rig.network = RigNetwork{{}, nic.rate / std::max(nic.ports, 1), nic.rdma, 1};
  return rig;
}

}  // namespace

Rig rig_of(const Catalog& catalog, const std::string& gpu_id, int count, const std::string& board_id) {
  const auto* gpu = catalog.gpus.find(gpu_id);
  if (gpu == nullptr)
    throw DataError{{}, fmt::format("there is no card \"{}\"{}", gpu_id, did_you_mean(gpu_id, catalog.gpus.ids()))};
  if (count < 1) throw DataError{{}, fmt::format("a rig needs at least one card, found {}", count)};
  const auto* named = catalog.boards.find(board_id);
  if (!board_id.empty() && named == nullptr)
    throw DataError{{}, fmt::format("there is no board \"{}\"{}", board_id, did_you_mean(board_id, catalog.boards.ids()))};
  const Board* most_room = nullptr;
  int room = 0;
  for (const auto& board : catalog.boards.entries) {
    if (named != nullptr ? &board != named : !takes_form(board, *gpu)) continue;
    Builder builder{*gpu, board, catalog};
    const int placed = builder.add(count);
    if (placed == count) {
      Rig rig;
      rig.name = fmt::format("{} x {} on {}", count, name_of(*gpu), name_of(board));
      rig.nodes.push_back(builder.node());
      rig.nodes.back().id = "node0";
      return rig;
    }
    if (placed > room) most_room = &board, room = placed;
  }
  if (room == 0)
    throw DataError{{},
                    named != nullptr ? fmt::format("{} has no slot for a {}", name_of(*named), name_of(*gpu))
                                     : fmt::format("the catalog has no board for a {}", name_of(*gpu))};
  auto rig = several_machines(catalog, *gpu, *most_room, count, room);
  rig.name = fmt::format("{} x {} on {} machines with {}", count, name_of(*gpu), (count + room - 1) / room, name_of(*most_room));
  return rig;
}

}  // namespace rigplan
