// SPDX-License-Identifier: Apache-2.0
#include "rigplan/topology/rig_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "rigplan/topology/pcie.h"

namespace rigplan {
namespace {

// Quantities are written in units that lose nothing.
std::string exact(Bytes size) { return fmt::format("{} MiB", size.in(MiB)); }
std::string exact(Bandwidth rate) { return fmt::format("{} GB/s", rate.in(GB_per_s)); }
std::string exact(Watts power) { return fmt::format("{} W", power.in(watt)); }

JsonValue texts(const std::vector<std::string>& list) {
  auto array = JsonValue::array();
  for (const auto& text : list) array.push(text);
  return array;
}

void add_plug(JsonValue& object, const Plug& plug) {
  if (!plug.slot.empty()) object.set("plug", plug.slot);
  if (!plug.via.empty()) object.set("via", texts(plug.via));
}

JsonValue card_json(const CardPlace& card) {
  auto object = JsonValue::object();
  object.set("gpu", card.gpu);
  add_plug(object, card.plug);
  if (card.power_cap) object.set("power_cap", exact(*card.power_cap));
  constexpr const char* peers[] = {"no", "yes", "unknown"};
  if (card.peer_over_pcie) object.set("peer_over_pcie", peers[static_cast<std::size_t>(*card.peer_over_pcie)]);
  if (card.bar) object.set("bar", exact(*card.bar));
  if (card.trained) object.set("trained", to_text(*card.trained));
  return object;
}

JsonValue adapter_json(const AdapterPlace& adapter) {
  auto object = JsonValue::object();
  object.set("id", adapter.id).set("part", adapter.part);
  add_plug(object, adapter.plug);
  if (!adapter.more_plugs.empty()) {
    auto more = JsonValue::array();
    for (const auto& plug : adapter.more_plugs) more.push(plug.slot);
    object.set("more_plugs", std::move(more));
  }
  return object;
}

JsonValue bridge_json(const BridgePlace& bridge) {
  auto object = JsonValue::object();
  if (!bridge.part.empty()) object.set("part", bridge.part);
  auto cards = JsonValue::array();
  for (const int card : bridge.cards) cards.push(card);
  object.set("cards", std::move(cards));
  if (bridge.links > 0) object.set("links", bridge.links);
  return object;
}

JsonValue slot_json(const Slot& slot) {
  auto object = JsonValue::object();
  object.set("id", slot.id).set("link", to_text(slot.link));
  if (slot.physical_lanes != slot.link.lanes) object.set("length", slot.physical_lanes);
  object.set("fed_by", slot.fed_by);
  if (!slot.splits.empty()) {
    auto splits = JsonValue::array();
    for (const auto& split : slot.splits) splits.push(fmt::format("x{}", fmt::join(split, "x")));
    object.set("splits", std::move(splits));
  }
  if (!slot.shares_with.empty())
    object.set("shares_with", texts(slot.shares_with)).set("lanes_when_shared", slot.lanes_when_shared);
  return object;
}

JsonValue board_json(const Board& board) {
  auto object = JsonValue::object();
  object.set("name", board.name).set("sockets", board.sockets);
  if (board.chipset_uplink) object.set("chipset_uplink", to_text(*board.chipset_uplink));
  if (!board.chipset_devices.empty()) object.set("chipset_devices", texts(board.chipset_devices));
  if (board.memory_bandwidth) object.set("memory_bandwidth", exact(*board.memory_bandwidth));
  if (!board.switches.empty()) {
    auto switches = JsonValue::array();
    for (const auto& one : board.switches) {
      auto fields = JsonValue::object();
      fields.set("id", one.id).set("upstream", to_text(one.upstream)).set("fed_by", one.fed_by);
      switches.push(std::move(fields));
    }
    object.set("switches", std::move(switches));
  }
  auto slots = JsonValue::array();
  for (const auto& slot : board.slots) slots.push(slot_json(slot));
  return object.set("slots", std::move(slots));
}

JsonValue host_json(const HostSettings& host) {
  auto object = JsonValue::object();
  const auto add = [&](const char* key, std::optional<bool> value) {
    if (value) object.set(key, *value);
  };
  add("above_4g", host.above_4g);
  add("resizable_bar", host.resizable_bar);
  add("iommu_translates", host.iommu_translates);
  add("acs_redirect", host.acs_redirect);
  add("peer_driver", host.peer_driver);
  add("virtual_machine", host.virtual_machine);
  return object;
}

template <class T, class Write>
void add_list(JsonValue& object, const char* key, const std::vector<T>& list, Write write) {
  if (list.empty()) return;
  auto array = JsonValue::array();
  for (const auto& one : list) array.push(write(one));
  object.set(key, std::move(array));
}

JsonValue node_json(const RigNode& node) {
  auto object = JsonValue::object();
  object.set("id", node.id);
  if (node.count > 1) object.set("count", node.count);
  object.set("board", node.own_board ? board_json(*node.own_board) : JsonValue{node.board});
  if (!node.cpu.empty()) object.set("cpu", node.cpu);
  if (node.memory) object.set("memory", exact(*node.memory));
  if (!node.psus.empty()) object.set("psus", texts(node.psus));
  add_list(object, "adapters", node.adapters, adapter_json);
  add_list(object, "cards", node.cards, card_json);
  add_list(object, "nics", node.nics, [](const NicPlace& nic) {
    auto fields = JsonValue::object();
    fields.set("part", nic.part);
    add_plug(fields, nic.plug);
    return fields;
  });
  add_list(object, "bridges", node.bridges, bridge_json);
  if (auto host = host_json(node.host); !host.members()->empty()) object.set("host", std::move(host));
  return object;
}

}  // namespace

JsonValue to_json(const Rig& rig) {
  auto object = JsonValue::object();
  object.set("schema", "rigplan/rig/1");
  if (!rig.name.empty()) object.set("name", rig.name);
  add_list(object, "nodes", rig.nodes, node_json);
  if (rig.network) {
    auto network = JsonValue::object();
    if (!rig.network->network_switch.empty()) network.set("switch", rig.network->network_switch);
    network.set("rate", exact(rig.network->rate)).set("rdma", rig.network->rdma);
    if (rig.network->oversubscription > 1) network.set("oversubscription", rig.network->oversubscription);
    object.set("network", std::move(network));
  }
  add_list(object, "bill", rig.bill, [](const BillLine& line) {
    auto fields = JsonValue::object();
    fields.set("item", line.item).set("count", line.count);
    if (line.price) fields.set("price", fmt::format("{} yuan", line.price->in(yuan)));
    return fields;
  });
  return object;
}

}  // namespace rigplan
