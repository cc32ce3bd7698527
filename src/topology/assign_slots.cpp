// SPDX-License-Identifier: Apache-2.0
#include "rigplan/topology/assign_slots.h"

#include <fmt/format.h>

#include <algorithm>

#include "rigplan/json/data_error.h"
#include "rigplan/topology/pcie.h"
#include "topology/plugs.h"

namespace rigplan {
namespace {

/// All plugs that nothing takes yet: slots of the board, ports of adapters that are plugged.
std::vector<std::pair<std::string, Port>> free_ports(const RigNode& node, const Catalog& catalog) {
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
  std::vector<std::pair<std::string, Port>> found;
  for (const auto& name : names) {
    if (plugs.occupied(name)) continue;
    const auto port = plugs.port({name, {}});
    if (const auto* good = std::get_if<Port>(&port)) found.emplace_back(name, *good);
  }
  return found;
}

/// Larger is better: what a builder looks at first.
auto builder_rank(const Port& port, PcieLink device) {
  const auto link = device.lanes > 0 ? train(port.wired, device) : port.wired;
  const bool chipset = port.parent == "chipset";
  return std::tuple{!chipset, pcie_bandwidth(link), -port.length};
}

template <class Place>
bool plug_into_best(Place& place, RigNode& node, const Catalog& catalog, PcieLink device) {
  if (!place.plug.slot.empty()) return true;
  const auto ports = free_ports(node, catalog);
  if (ports.empty()) return false;
  const auto best = std::max_element(ports.begin(), ports.end(), [&](const auto& a, const auto& b) {
    return builder_rank(a.second, device) < builder_rank(b.second, device);
  });
  place.plug.slot = best->first;
  return true;
}

}  // namespace

Rig with_slots(const Rig& rig, const Catalog& catalog) {
  Rig full = rig;
  for (std::size_t n = 0; n < full.nodes.size(); ++n) {
    auto& node = full.nodes[n];
    if (board_of(node, catalog).slots.empty()) continue;
    const auto no_room = [&](const std::string& what) {
      throw DataError{{rig.name, 0, fmt::format("/nodes/{}", n)},
                      fmt::format("{} finds no free slot on {}", what, board_of(node, catalog).name)};
    };
    for (auto& adapter : node.adapters)
      if (!plug_into_best(adapter, node, catalog, {})) no_room("adapter \"" + adapter.id + "\"");
    for (std::size_t i = 0; i < node.cards.size(); ++i) {
      const auto* gpu = catalog.gpus.find(node.cards[i].gpu);
      const auto pcie = gpu != nullptr && gpu->pcie ? *gpu->pcie : PcieLink{};
      if (!plug_into_best(node.cards[i], node, catalog, pcie)) no_room(fmt::format("card {} ({})", i, node.cards[i].gpu));
    }
  }
  return full;
}

}  // namespace rigplan
