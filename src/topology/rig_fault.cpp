// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "rigplan/json/data_error.h"
#include "rigplan/topology/pcie.h"
#include "rigplan/topology/rig.h"
#include "rigplan/units/message.h"
#include "topology/plugs.h"

namespace rigplan {
namespace {

using Where = RigFault::Where;
using Fault = std::optional<RigFault>;

std::string display_name(const Gpu& gpu) { return gpu.name.empty() ? gpu.id : gpu.name; }

Fault adapter_circle(const RigNode& node, int n) {
  std::map<std::string, std::string, std::less<>> parent;
  for (std::size_t i = 0; i < node.adapters.size(); ++i) {
    const auto& adapter = node.adapters[i];
    const auto& slot = adapter.plug.slot;
    if (!parent.emplace(adapter.id, slot.substr(0, slot.find('/'))).second)
      return RigFault{n, Where::adapter, static_cast<int>(i), fmt::format("the adapter id \"{}\" is used twice", adapter.id)};
  }
  for (std::size_t i = 0; i < node.adapters.size(); ++i) {
    std::vector<std::string> way{node.adapters[i].id};
    for (auto at = parent.find(way.back()); at != parent.end(); at = parent.find(at->second)) {
      way.push_back(at->second);
      if (at->second == way.front())
        return RigFault{n, Where::adapter, static_cast<int>(i),
                        fmt::format("adapters are plugged in a circle: {}", fmt::join(way, " -> "))};
      if (way.size() > node.adapters.size() + 1) break;
    }
  }
  return {};
}

/// What a part that stands in `via`, `adapters` or `nics` must be.
Fault wrong_parts(const RigNode& node, const Catalog& catalog, int n) {
  for (const auto& use : plug_uses(node))
    for (const auto& id : use.plug->via) {
      const auto* part = catalog.parts.find(id);
      if (part == nullptr || !std::holds_alternative<Riser>(part->what))
        return RigFault{n, use.where, use.index, fmt::format("\"{}\" in \"via\" is no riser, cable or redriver", id)};
    }
  for (std::size_t i = 0; i < node.adapters.size(); ++i) {
    const auto* part = catalog.parts.find(node.adapters[i].part);
    const auto* pcie_switch = part != nullptr ? std::get_if<PcieSwitch>(&part->what) : nullptr;
    if (part == nullptr || (pcie_switch == nullptr && !std::holds_alternative<Bifurcator>(part->what)))
      return RigFault{n, Where::adapter, static_cast<int>(i),
                      fmt::format("\"{}\" is neither a split adapter nor a switch{}", node.adapters[i].part,
                                  part == nullptr ? did_you_mean(node.adapters[i].part, catalog.parts.ids()) : std::string{})};
    const auto most = pcie_switch != nullptr ? pcie_switch->upstream_ports : 1;
    if (1 + static_cast<int>(node.adapters[i].more_plugs.size()) > most)
      return RigFault{n, Where::adapter, static_cast<int>(i),
                      fmt::format("\"{}\" has {} upstream port{}", node.adapters[i].part, most, most == 1 ? "" : "s")};
  }
  for (std::size_t i = 0; i < node.nics.size(); ++i) {
    const auto* part = catalog.parts.find(node.nics[i].part);
    if (part == nullptr || !std::holds_alternative<Nic>(part->what))
      return RigFault{n, Where::nic, static_cast<int>(i), fmt::format("\"{}\" is no NIC", node.nics[i].part)};
  }
  return {};
}

Fault wrong_plugs(const RigNode& node, const Plugs& plugs, int n) {
  std::map<std::string, const PlugUse*> taken;
  const auto uses = plug_uses(node);
  for (const auto& use : uses) {
    if (use.plug->slot.empty()) continue;
    const auto port = plugs.port(*use.plug);
    if (const auto* none = std::get_if<NoPort>(&port)) return RigFault{n, use.where, use.index, none->message};
    const auto [other, is_new] = taken.emplace(use.plug->slot, &use);
    constexpr std::string_view names[] = {msg("the node"), "adapter", "card", "NIC", "bridge"};
    if (!is_new)
      return RigFault{n, use.where, use.index,
                      fmt::format("slot \"{}\" is used twice: {} {} is in it already", use.plug->slot,
                                  names[static_cast<std::size_t>(other->second->where)], other->second->index)};
  }
  return {};
}

/// Modules sit on their own sites, cards in slots.
Fault wrong_forms(const RigNode& node, const Plugs& plugs, const Catalog& catalog, int n) {
  for (std::size_t i = 0; i < node.cards.size(); ++i) {
    const auto* gpu = catalog.gpus.find(node.cards[i].gpu);
    const auto& slot = node.cards[i].plug.slot;
    const bool on_board =
        std::any_of(plugs.board().slots.begin(), plugs.board().slots.end(), [&](const Slot& s) { return s.id == slot; });
    if (gpu == nullptr || !on_board) continue;
    const bool module = gpu->form == CardForm::sxm || gpu->form == CardForm::oam;
    // A board that the rig itself describes may call its sites what it likes.
    if (module != is_module_site(slot) && (module ? !node.own_board : gpu->form == CardForm::pcie))
      return RigFault{n, Where::card, static_cast<int>(i),
                      module ? fmt::format("{} is a module, and \"{}\" is a slot", display_name(*gpu), slot)
                             : fmt::format("{} is a card for slots, and \"{}\" is a site for modules", display_name(*gpu), slot)};
  }
  return {};
}

/// The processor: right socket, and no more lanes than it has.
Fault wrong_processor(const Plugs& plugs, int n) {
  const auto* cpu = plugs.cpu();
  const auto& board = plugs.board();
  if (cpu == nullptr) return {};
  const auto fits = [](const std::string& a, const std::string& b) { return a.find(b) != a.npos || b.find(a) != b.npos; };
  if (!board.socket.empty() && !cpu->socket.empty() && !fits(board.socket, cpu->socket))
    return RigFault{n, Where::node, 0,
                    fmt::format("{} has the socket {}, but {} needs {}", board.name, board.socket, cpu->name, cpu->socket)};
  std::map<std::string, int> lanes;
  for (const auto& slot : board.slots)
    if (slot.fed_by.starts_with("cpu") && plugs.occupied(slot.id)) lanes[slot.fed_by] += plugs.slot_link(slot).lanes;
  for (const auto& [feeder, used] : lanes)
    if (cpu->pcie.lanes > 0 && used > cpu->pcie.lanes)
      return RigFault{
          n, Where::node, 0,
          fmt::format("the occupied slots of {} need {} lanes, but {} has {}", feeder, used, cpu->name, cpu->pcie.lanes)};
  return {};
}

std::string bridge_message(const RigNode& node, const BridgePlace& bridge, const Catalog& catalog) {
  const auto* part = bridge.part.empty() ? nullptr : catalog.parts.find(bridge.part);
  const auto* what = part != nullptr ? std::get_if<BridgePart>(&part->what) : nullptr;
  if (!bridge.part.empty() && what == nullptr) return fmt::format("\"{}\" is no bridge", bridge.part);
  if (bridge.cards.size() < 2) return msg("a bridge joins two cards or more");
  if (what != nullptr && static_cast<int>(bridge.cards.size()) > what->cards)
    return fmt::format("{} joins {} cards, found {}", part->name, what->cards, bridge.cards.size());
  if (std::set<int>(bridge.cards.begin(), bridge.cards.end()).size() != bridge.cards.size())
    return msg("a bridge cannot join a card to itself");
  for (const int index : bridge.cards) {
    if (index < 0 || index >= static_cast<int>(node.cards.size()))
      return fmt::format("there is no card {}; the node has {}", index, node.cards.size());
    const auto* gpu = catalog.gpus.find(node.cards[static_cast<std::size_t>(index)].gpu);
    if (gpu == nullptr) continue;
    if (!gpu->peer_ports || gpu->peer_ports->links == 0)
      return fmt::format("card {} ({}) has no connector for a bridge", index, display_name(*gpu));
    if (what != nullptr && what->kind != gpu->peer_ports->kind)
      return fmt::format("{} does not fit the connector of {}", part->name, display_name(*gpu));
    if (what != nullptr && !what->fits.empty() && std::find(what->fits.begin(), what->fits.end(), gpu->id) == what->fits.end())
      return fmt::format("{} does not fit {}; it fits {}", part->name, display_name(*gpu), listed(what->fits));
    if (bridge.cards.size() > 2 && gpu->peer_ports->links < 2 && gpu->peer_ports->fabric != PeerFabric::switched)
      return fmt::format("{} has one link, so only pairs can be joined", display_name(*gpu));
    if (bridge.links > gpu->peer_ports->links)
      return fmt::format("{} has {} links, found {}", display_name(*gpu), gpu->peer_ports->links, bridge.links);
    if (gpu->id != catalog.gpus.find(node.cards[static_cast<std::size_t>(bridge.cards.front())].gpu)->id)
      return msg("a bridge joins cards of one kind");
  }
  return {};
}

/// Bridges: each alone, and no card with more than it has links for.
Fault wrong_bridges(const RigNode& node, const Catalog& catalog, int n) {
  std::map<int, int> used;
  for (std::size_t i = 0; i < node.bridges.size(); ++i) {
    const auto& bridge = node.bridges[i];
    const auto message = bridge_message(node, bridge, catalog);
    if (!message.empty()) return RigFault{n, Where::bridge, static_cast<int>(i), message};
    for (const int card : bridge.cards) {
      const auto* gpu = catalog.gpus.find(node.cards[static_cast<std::size_t>(card)].gpu);
      if (gpu == nullptr) continue;
      used[card] += bridge.links > 0 ? bridge.links : gpu->peer_ports->links;
      if (used[card] > gpu->peer_ports->links)
        return RigFault{n, Where::bridge, static_cast<int>(i),
                        fmt::format("card {} ({}) has {} links, and the bridges before this one take them", card,
                                    display_name(*gpu), gpu->peer_ports->links)};
    }
  }
  return {};
}

Fault unknown_ids(const RigNode& node, const Catalog& catalog, int n) {
  if (!node.own_board && catalog.boards.find(node.board) == nullptr)
    return RigFault{n, Where::node, 0,
                    fmt::format("there is no board \"{}\"{}", node.board, did_you_mean(node.board, catalog.boards.ids()))};
  if (!node.cpu.empty() && catalog.cpus.find(node.cpu) == nullptr)
    return RigFault{n, Where::node, 0,
                    fmt::format("there is no CPU \"{}\"{}", node.cpu, did_you_mean(node.cpu, catalog.cpus.ids()))};
  for (std::size_t i = 0; i < node.cards.size(); ++i)
    if (catalog.gpus.find(node.cards[i].gpu) == nullptr)
      return RigFault{
          n, Where::card, static_cast<int>(i),
          fmt::format("there is no card \"{}\"{}", node.cards[i].gpu, did_you_mean(node.cards[i].gpu, catalog.gpus.ids()))};
  return {};
}

}  // namespace

std::optional<RigFault> find_fault(const Rig& rig, const Catalog& catalog) {
  for (std::size_t i = 0; i < rig.nodes.size(); ++i) {
    const auto& node = rig.nodes[i];
    const int n = static_cast<int>(i);
    if (node.count < 1) return RigFault{n, Where::node, 0, msg("a rig needs at least one of each node")};
    if (auto fault = unknown_ids(node, catalog, n)) return fault;
    if (auto fault = wrong_parts(node, catalog, n)) return fault;
    if (auto fault = adapter_circle(node, n)) return fault;
    const Plugs plugs{node, catalog};
    if (auto fault = wrong_plugs(node, plugs, n)) return fault;
    if (auto fault = wrong_forms(node, plugs, catalog, n)) return fault;
    if (auto fault = wrong_processor(plugs, n)) return fault;
    if (auto fault = wrong_bridges(node, catalog, n)) return fault;
  }
  const int machines = rig.machines();
  if (machines == 0) return RigFault{0, Where::node, 0, msg("a rig needs at least one node")};
  if (machines > 1 && !rig.network) return RigFault{0, Where::node, 0, fmt::format("{} machines need a \"network\"", machines)};
  return {};
}

const Board& board_of(const RigNode& node, const Catalog& catalog) {
  if (node.own_board) return *node.own_board;
  if (const auto* board = catalog.boards.find(node.board)) return *board;
  throw DataError{{}, fmt::format("there is no board \"{}\"{}", node.board, did_you_mean(node.board, catalog.boards.ids()))};
}

}  // namespace rigplan
