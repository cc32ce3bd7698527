// SPDX-License-Identifier: Apache-2.0
#include "topology/plugs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "rigplan/json/data_error.h"
#include "rigplan/topology/pcie.h"
#include "rigplan/units/message.h"
#include "rigplan/units/parse.h"

namespace rigplan {
namespace {

std::vector<std::string> slot_ids(const Board& board) {
  std::vector<std::string> ids;
  for (const auto& slot : board.slots) ids.push_back(slot.id);
  return ids;
}

std::string split_text(const std::vector<int>& split) { return fmt::format("x{}", fmt::join(split, "x")); }

std::string splits_text(const Slot& slot) {
  if (slot.splits.empty()) return msg("it is not known to split");
  std::vector<std::string> texts;
  for (const auto& split : slot.splits) texts.push_back(split_text(split));
  return fmt::format("it offers {}", fmt::join(texts, ", "));
}

/// The ports of a split adapter that still have lanes in a slot that is narrower than the adapter.
std::vector<int> wired_ports(const std::vector<int>& ports, int lanes) {
  std::vector<int> wired;
  for (const int port : ports) {
    if (lanes < port) break;
    wired.push_back(port);
    lanes -= port;
  }
  return wired;
}

bool offers(const Slot& slot, std::vector<int> ports) {
  std::sort(ports.begin(), ports.end());
  return std::any_of(slot.splits.begin(), slot.splits.end(), [&](std::vector<int> split) {
    std::sort(split.begin(), split.end());
    return split == ports;
  });
}

}  // namespace

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 20;
  if (names.empty()) return "none";
  if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + most, ", "), names.size() - most);
}

bool is_module_site(std::string_view slot) { return slot.starts_with("SXM") || slot.starts_with("OAM"); }

std::string virtual_switch(const AdapterPlace& adapter, std::size_t port, std::size_t ports) {
  const auto part = port * (1 + adapter.more_plugs.size()) / std::max<std::size_t>(ports, 1);
  return part == 0 ? adapter.id : fmt::format("{}.{}", adapter.id, part);
}

std::vector<PlugUse> plug_uses(const RigNode& node) {
  std::vector<PlugUse> uses;
  for (std::size_t i = 0; i < node.adapters.size(); ++i) {
    uses.push_back({RigFault::Where::adapter, static_cast<int>(i), &node.adapters[i].plug});
    for (const auto& plug : node.adapters[i].more_plugs) uses.push_back({RigFault::Where::adapter, static_cast<int>(i), &plug});
  }
  for (std::size_t i = 0; i < node.cards.size(); ++i)
    uses.push_back({RigFault::Where::card, static_cast<int>(i), &node.cards[i].plug});
  for (std::size_t i = 0; i < node.nics.size(); ++i)
    uses.push_back({RigFault::Where::nic, static_cast<int>(i), &node.nics[i].plug});
  return uses;
}

Plugs::Plugs(const RigNode& node, const Catalog& catalog)
    : node_{node}, catalog_{catalog}, board_{board_of(node, catalog)}, cpu_{catalog.cpus.find(node.cpu)} {
  for (const auto& use : plug_uses(node))
    if (!use.plug->slot.empty()) taken_.push_back(use.plug->slot);
}

bool Plugs::occupied(std::string_view slot) const { return std::find(taken_.begin(), taken_.end(), slot) != taken_.end(); }

const AdapterPlace* Plugs::adapter(std::string_view id) const {
  for (const auto& adapter : node_.adapters)
    if (adapter.id == id) return &adapter;
  return nullptr;
}

PcieLink Plugs::slot_link(const Slot& slot) const {
  PcieLink link = slot.link;
  if (cpu_ != nullptr && slot.fed_by.starts_with("cpu"))
    link = train(link, {cpu_->pcie.generation, std::max(cpu_->pcie.lanes, 1)});
  const bool shared = std::any_of(slot.shares_with.begin(), slot.shares_with.end(), [&](const auto& id) { return occupied(id); });
  if (shared) link.lanes = std::min(link.lanes, slot.lanes_when_shared);
  return link;
}

std::variant<Port, NoPort> Plugs::board_port(const Slot& slot) const {
  const auto link = slot_link(slot);
  if (link.lanes == 0)
    return NoPort{fmt::format("slot \"{}\" has no lanes while {} is occupied", slot.id, fmt::join(slot.shares_with, " or "))};
  return Port{slot.fed_by.empty() ? "cpu0" : slot.fed_by, link, slot.link, slot.physical_lanes, slot.id};
}

std::variant<Port, NoPort> Plugs::split_port(const AdapterPlace& adapter, const Bifurcator& part, std::size_t index,
                                             int depth) const {
  const auto below = resolve(adapter.plug, depth + 1);
  if (std::holds_alternative<NoPort>(below)) return below;
  auto port = std::get<Port>(below);
  const auto wired = wired_ports(part.ports, std::min(part.lanes > 0 ? part.lanes : port.wired.lanes, port.wired.lanes));
  if (index >= wired.size())
    return NoPort{fmt::format("port {} of \"{}\" has no lanes in slot \"{}\", which is wired for x{}", index, adapter.id,
                              port.label, port.wired.lanes)};
  for (const auto& slot : board_.slots)
    if (slot.id == port.label && wired.size() > 1 && !offers(slot, wired))
      return NoPort{fmt::format("adapter \"{}\" needs slot \"{}\" split into {}; {}", adapter.id, slot.id, split_text(wired),
                                splits_text(slot))};
  port.wired.lanes = wired[index];
  port.slot.lanes = wired[index];
  port.length = wired[index];
  port.label = fmt::format("{}/{}", adapter.id, index);
  return port;
}

std::variant<Port, NoPort> Plugs::adapter_port(std::string_view text, std::size_t slash, int depth) const {
  const auto id = text.substr(0, slash);
  const auto* found = adapter(id);
  if (found == nullptr) {
    std::vector<std::string> ids;
    for (const auto& one : node_.adapters) ids.push_back(one.id);
    return NoPort{fmt::format("there is no adapter \"{}\" (adapters: {}){}", id, listed(ids), did_you_mean(id, ids))};
  }
  const auto* part = catalog_.parts.find(found->part);
  const auto index = parse_integer(text.substr(slash + 1), 0, 1023);
  if (part == nullptr || std::holds_alternative<UnitError>(index))
    return NoPort{fmt::format("\"{}\" is no port; expected \"{}/0\", \"{}/1\", ...", text, id, id)};
  const auto i = static_cast<std::size_t>(std::get<long long>(index));
  const auto* bifurcator = std::get_if<Bifurcator>(&part->what);
  const auto* pcie_switch = std::get_if<PcieSwitch>(&part->what);
  if (bifurcator == nullptr && pcie_switch == nullptr)
    return NoPort{fmt::format("\"{}\" is a {}, neither a split adapter nor a switch: it has no ports", id, part->name)};
  const auto& ports = bifurcator != nullptr ? bifurcator->ports : pcie_switch->ports;
  if (i >= ports.size())
    return NoPort{fmt::format("\"{}\" has {} ports, so \"{}/0\" to \"{}/{}\"; found \"{}\"", id, ports.size(), id, id,
                              ports.size() - 1, text)};
  if (bifurcator != nullptr) return split_port(*found, *bifurcator, i, depth);
  const PcieLink link{pcie_switch->upstream.generation, ports[i]};
  return Port{virtual_switch(*found, i, ports.size()), link, link, ports[i], std::string{text}};
}

std::variant<Port, NoPort> Plugs::resolve(const Plug& plug, int depth) const {
  if (depth > static_cast<int>(node_.adapters.size())) return NoPort{fmt::format("\"{}\" is plugged into itself", plug.slot)};
  std::variant<Port, NoPort> found;
  const auto slot = std::find_if(board_.slots.begin(), board_.slots.end(), [&](const Slot& one) { return one.id == plug.slot; });
  if (slot != board_.slots.end()) {
    found = board_port(*slot);
  } else if (const auto slash = plug.slot.find('/'); slash != std::string::npos) {
    found = adapter_port(plug.slot, slash, depth);
  } else {
    const auto ids = slot_ids(board_);
    return NoPort{fmt::format("there is no slot \"{}\" on {} (slots: {}){}", plug.slot,
                              board_.name.empty() ? board_.id : board_.name, listed(ids), did_you_mean(plug.slot, ids))};
  }
  auto* port = std::get_if<Port>(&found);
  if (port == nullptr) return found;
  for (const auto& id : plug.via)
    if (const auto* part = catalog_.parts.find(id))
      if (const auto* riser = std::get_if<Riser>(&part->what)) port->wired = train(port->wired, riser->link);
  return found;
}

std::variant<Port, NoPort> Plugs::port(const Plug& plug) const { return resolve(plug, 0); }

Port Plugs::good_port(const Plug& plug) const {
  const auto found = port(plug);
  if (const auto* none = std::get_if<NoPort>(&found)) throw std::logic_error{none->message};
  return std::get<Port>(found);
}

}  // namespace rigplan
