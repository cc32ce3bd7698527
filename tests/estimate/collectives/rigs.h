// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "rigplan/catalog/catalog.h"
#include "rigplan/topology/graph.h"

// Rigs with round figures: cards of PCIe 4.0 x16 that reach each other directly, on boards with as many slots as are needed.

namespace rigplan::test {

inline Slot wide_slot(int number, PcieLink link, const std::string& fed_by) {
  Slot slot;
  slot.id = fmt::format("PCIE{}", number);
  slot.link = link;
  slot.physical_lanes = 16;
  slot.fed_by = fed_by;
  return slot;
}

/// Cards "peer" (peers over PCIe), "staged" (refused), "module" (18 NVLinks of 25 GB/s to a switch that sums), "mesh" (seven
/// xGMI links of 64 GB/s), "paired" (refused, but four NVLinks of 14 GB/s where a bridge joins two); boards "one" (16 slots of
/// one processor) and "two" (8 slots on each of two, linked at 21 GB/s).
inline Catalog round_catalog(PcieLink slots = {4, 16}) {
  Catalog c;
  for (const std::string id : {"peer", "staged", "module", "mesh", "paired"}) {
    Gpu gpu;
    gpu.id = gpu.name = id;
    gpu.vendor = id == "mesh" ? Vendor::amd : Vendor::nvidia;
    gpu.architecture = id == "paired" ? "sm_86" : "sm_90";  // of the one collectives were measured, of the other not
    gpu.pcie = slots;
    gpu.peer_over_pcie = id == "staged" || id == "paired" ? PeerOverPcie::no : PeerOverPcie::yes;
    gpu.vram = 16 * GiB;
    if (id == "module") gpu.peer_ports = PeerPorts{PeerLinkKind::nvlink, PeerFabric::switched, 4, 18, 25 * GB_per_s, 16};
    if (id == "mesh") gpu.peer_ports = PeerPorts{PeerLinkKind::xgmi, PeerFabric::mesh, 3, 7, 64 * GB_per_s, 8};
    if (id == "paired") gpu.peer_ports = PeerPorts{PeerLinkKind::nvlink, PeerFabric::bridge, 3, 4, 14 * GB_per_s, 2};
    c.gpus.entries.push_back(gpu);
  }
  Board one, two;
  one.id = one.name = "one";
  two.id = two.name = "two";
  one.socket = two.socket = "S";
  two.sockets = 2;
  for (int i = 1; i <= 16; ++i) {
    one.slots.push_back(wide_slot(i, slots, "cpu0"));
    two.slots.push_back(wide_slot(i, slots, i <= 8 ? "cpu0" : "cpu1"));
  }
  c.boards.entries = {one, two};
  Cpu cpu;
  cpu.id = cpu.name = "cpu";
  cpu.socket = "S";
  cpu.vendor = Vendor::amd;
  cpu.microarchitecture = "zen2";
  cpu.pcie = {slots.generation, 256};
  cpu.memory_bandwidth = 400 * GB_per_s;
  c.cpus.entries = {cpu};
  SocketLink link;
  link.id = link.name = "link";
  link.microarchitectures = {"zen2"};
  link.rate = 21 * GB_per_s;
  link.latency = 0.2 * us;
  c.socket_links.entries = {link};
  const auto add = [&](const std::string& id, auto what) {
    Part part;
    part.id = part.name = id;
    part.what = what;
    c.parts.entries.push_back(part);
  };
  add("switch", PcieSwitch{slots, 1, {16, 16, 16, 16, 16, 16, 16, 16}, 0.1 * us});
  add("riser-x4", Riser{{slots.generation, 4}, false});
  add("bridge", BridgePart{PeerLinkKind::nvlink, 2, {}});
  add("nic", Nic{100 * Gbit_per_s, 1, true, slots});
  return c;
}

/// One machine; `slots[i]` is where card i is plugged.
inline Rig plugged(const std::string& gpu, const std::string& board, const std::vector<std::string>& slots) {
  Rig rig;
  rig.name = "test";
  RigNode node;
  node.id = "node";
  node.board = board;
  node.cpu = "cpu";
  for (const auto& slot : slots) {
    CardPlace place;
    place.gpu = gpu;
    place.plug.slot = slot;
    node.cards.push_back(place);
  }
  rig.nodes.push_back(node);
  return rig;
}

/// `count` cards in slots of their own: the first slots of the board "one", or equally many on both sides of "two".
inline Rig direct(const std::string& gpu, int count, const std::string& board = "one") {
  std::vector<std::string> slots;
  for (int i = 0; i < count; ++i) {
    const int number = board == "two" && i >= (count + 1) / 2 ? 9 + i - (count + 1) / 2 : 1 + i;
    slots.push_back(fmt::format("PCIE{}", number));
  }
  return plugged(gpu, board, slots);
}

/// `leaves` switches of `cards` cards each, every switch in a slot of its own.
inline Rig switched(const std::string& gpu, int leaves, int cards, const std::string& board = "one") {
  std::vector<std::string> ports;
  for (int s = 0; s < leaves; ++s) {
    for (int i = 0; i < cards; ++i) ports.push_back(fmt::format("sw{}/{}", s, i));
  }
  auto rig = plugged(gpu, board, ports);
  for (int s = 0; s < leaves; ++s) {
    AdapterPlace adapter;
    adapter.id = fmt::format("sw{}", s);
    adapter.part = "switch";
    adapter.plug.slot = fmt::format("PCIE{}", board == "two" && s >= (leaves + 1) / 2 ? 9 + s : 1 + s);
    rig.nodes.front().adapters.push_back(adapter);
  }
  return rig;
}

/// `count` machines with one 100 Gbit/s NIC each.
inline Rig networked(Rig rig, int count, int nics = 1) {
  rig.nodes.front().count = count;
  for (int i = 0; i < nics; ++i) {
    NicPlace nic;
    nic.part = "nic";
    nic.plug.slot = fmt::format("PCIE{}", 16 - i);
    rig.nodes.front().nics.push_back(nic);
  }
  RigNetwork network;
  network.rate = 100 * Gbit_per_s;
  network.rdma = true;
  rig.network = network;
  return rig;
}

inline std::vector<int> all_cards(const RigGraph& graph) {
  std::vector<int> cards;
  for (int i = 0; i < graph.cards(); ++i) cards.push_back(i);
  return cards;
}

}  // namespace rigplan::test
