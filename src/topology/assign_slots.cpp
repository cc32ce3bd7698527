// SPDX-License-Identifier: Apache-2.0
#include "rigplan/topology/assign_slots.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "rigplan/json/data_error.h"
#include "rigplan/topology/contention.h"
#include "rigplan/topology/pcie.h"
#include "rigplan/units/message.h"
#include "topology/free_ports.h"

namespace rigplan {

std::vector<FreePort> free_ports(const RigNode& node, const Catalog& catalog) {
  const Plugs plugs{node, catalog};
  std::vector<std::string> names;
  for (const auto& slot : plugs.board().slots) names.push_back(slot.id);
  for (const auto& adapter : node.adapters) {
    const auto* part = catalog.parts.find(adapter.part);
    if (part == nullptr || adapter.plug.slot.empty()) continue;
    const auto* bifurcator = std::get_if<Bifurcator>(&part->what);
    const auto* pcie_switch = std::get_if<PcieSwitch>(&part->what);
    const auto ports = bifurcator != nullptr ? bifurcator->ports.size() : pcie_switch != nullptr ? pcie_switch->ports.size() : 0;
    for (std::size_t i = 0; i < ports; ++i) names.push_back(fmt::format("{}/{}", adapter.id, i));
  }
  std::vector<FreePort> found;
  for (const auto& name : names) {
    if (plugs.occupied(name)) continue;
    const auto port = plugs.port({name, {}});
    if (const auto* good = std::get_if<Port>(&port)) found.push_back({name, *good});
  }
  return found;
}

namespace {

bool faulty(const RigNode& node, const Catalog& catalog) {
  Rig rig;
  rig.nodes.push_back(node);
  rig.nodes.back().count = 1;
  return find_fault(rig, catalog).has_value();
}

}  // namespace

bool plug_where_best(Plug& plug, const RigNode& node, const Catalog& catalog, PcieLink device) {
  if (!plug.slot.empty()) return true;
  auto ports = free_ports(node, catalog);
  std::map<std::string, int> on_feeder;
  const Plugs plugs{node, catalog};
  for (const auto& card : node.cards)
    if (!card.plug.slot.empty())
      if (const auto port = plugs.port(card.plug); std::holds_alternative<Port>(port)) ++on_feeder[std::get<Port>(port).parent];
  const auto rank = [&](const FreePort& one) {
    const auto link = device.lanes > 0 ? train(one.port.wired, device) : one.port.wired;
    const bool small_connector = one.port.length < 8 && one.plug.find('/') == std::string::npos;
    return std::tuple{small_connector, one.port.parent == "chipset", -pcie_bandwidth(link).in(GB_per_s),
                      -on_feeder[one.port.parent], one.port.length};
  };
  std::stable_sort(ports.begin(), ports.end(), [&](const FreePort& a, const FreePort& b) { return rank(a) < rank(b); });
  for (const auto& port : ports) {
    plug.slot = port.plug;
    if (!faulty(node, catalog)) return true;
  }
  plug.slot.clear();
  return false;
}

Rig with_slots(const Rig& rig, const Catalog& catalog) {
  Rig full = rig;
  for (std::size_t n = 0; n < full.nodes.size(); ++n) {
    auto& node = full.nodes[n];
    const auto& board = board_of(node, catalog);
    if (board.slots.empty()) continue;
    const auto no_room = [&](const std::string& what) {
      throw DataError{{rig.name, 0, fmt::format("/nodes/{}", n)},
                      fmt::format("{} finds no free slot on {}", what, board.name.empty() ? board.id : board.name)};
    };
    for (auto& adapter : node.adapters)
      if (!plug_where_best(adapter.plug, node, catalog, {})) no_room("adapter \"" + adapter.id + "\"");
    for (std::size_t i = 0; i < node.cards.size(); ++i) {
      const auto* gpu = catalog.gpus.find(node.cards[i].gpu);
      const auto pcie = gpu != nullptr && gpu->pcie ? *gpu->pcie : PcieLink{};
      if (!plug_where_best(node.cards[i].plug, node, catalog, pcie)) no_room(fmt::format("card {} ({})", i, node.cards[i].gpu));
    }
  }
  return full;
}

}  // namespace rigplan
