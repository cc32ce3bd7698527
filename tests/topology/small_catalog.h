// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rigplan/catalog/catalog.h"
#include "rigplan/topology/rig.h"

// A few cards, boards and parts with round figures, so that expected values can be worked out by hand.

namespace rigplan::test {

inline Gpu gpu(std::string id, Vendor vendor, PcieLink pcie, PeerOverPcie peer) {
  Gpu one;
  one.id = one.name = std::move(id);
  one.vendor = vendor;
  one.pcie = pcie;
  one.peer_over_pcie = peer;
  one.vram = 16 * GiB;
  one.architecture = (vendor == Vendor::amd ? "gfx" : "sm_") + one.id;
  return one;
}

inline Slot slot(std::string id, PcieLink link, std::string fed_by = "cpu0", std::vector<std::vector<int>> splits = {}) {
  Slot one;
  one.id = std::move(id);
  one.link = link;
  one.physical_lanes = 16;
  one.fed_by = std::move(fed_by);
  one.splits = std::move(splits);
  return one;
}

template <class What>
Part part(std::string id, What what) {
  Part one;
  one.id = one.name = std::move(id);
  one.what = std::move(what);
  return one;
}

/// Cards: "pro" (peers allowed), "plain" (unknown), "refused" (no), "ring" (two xGMI links), "pair" (four NVLinks on a bridge),
/// "mesh" (8 cards, 7 links), "module" (switched). Boards: "seven" (seven 4.0 x16 of one processor with 128 lanes), "desk"
/// (x16 that leaves x8 to its neighbour, and a chipset slot), "two" (two sockets with two slots each).
inline Catalog small_catalog() {
  Catalog c;
  c.gpus.entries = {
      gpu("pro", Vendor::nvidia, {4, 16}, PeerOverPcie::yes),    gpu("plain", Vendor::amd, {4, 16}, PeerOverPcie::unknown),
      gpu("refused", Vendor::nvidia, {4, 16}, PeerOverPcie::no), gpu("ring", Vendor::amd, {4, 16}, PeerOverPcie::unknown),
      gpu("pair", Vendor::nvidia, {4, 16}, PeerOverPcie::no),    gpu("mesh", Vendor::amd, {5, 16}, PeerOverPcie::yes),
      gpu("module", Vendor::nvidia, {5, 16}, PeerOverPcie::yes), gpu("old", Vendor::nvidia, {1, 4}, PeerOverPcie::no)};
  c.gpus.entries[3].peer_ports = PeerPorts{PeerLinkKind::xgmi, PeerFabric::bridge, 0, 2, 24 * GB_per_s, 4};
  c.gpus.entries[4].peer_ports = PeerPorts{PeerLinkKind::nvlink, PeerFabric::bridge, 3, 4, 14 * GB_per_s, 2};
  c.gpus.entries[5].peer_ports = PeerPorts{PeerLinkKind::xgmi, PeerFabric::mesh, 0, 7, 64 * GB_per_s, 8};
  c.gpus.entries[6].peer_ports = PeerPorts{PeerLinkKind::nvlink, PeerFabric::switched, 4, 18, 25 * GB_per_s, 8};

  Board seven;
  seven.id = seven.name = "seven";
  seven.socket = "A";
  for (int i = 1; i <= 7; ++i) seven.slots.push_back(slot("PCIE" + std::to_string(i), {4, 16}, "cpu0", {{8, 8}, {4, 4, 4, 4}}));
  Board desk;
  desk.id = desk.name = "desk";
  desk.socket = "B";
  desk.chipset_uplink = PcieLink{4, 4};
  desk.chipset_devices = {"nvme", "nic"};
  desk.slots = {slot("TOP", {5, 16}), slot("MID", {5, 8}), slot("LOW", {4, 4}, "chipset")};
  desk.slots[0].shares_with = {"MID"};
  desk.slots[0].lanes_when_shared = 8;
  Board two;
  two.id = two.name = "two";
  two.socket = "A";
  two.sockets = 2;
  two.slots = {slot("A1", {4, 16}, "cpu0"), slot("A2", {4, 16}, "cpu0"), slot("B1", {4, 16}, "cpu1"),
               slot("B2", {4, 16}, "cpu1")};
  c.boards.entries = {seven, desk, two};

  Cpu server, small, intel;
  server.id = server.name = "server";
  server.socket = "A";
  server.vendor = Vendor::amd;
  server.microarchitecture = "zen2";
  server.pcie = {4, 128};
  server.memory_bandwidth = 200 * GB_per_s;
  small = server;
  small.id = small.name = "few-lanes";
  small.pcie = {3, 16};
  intel = server;
  intel.id = intel.name = "intel";
  intel.vendor = Vendor::intel;
  intel.microarchitecture = "other";
  Cpu desktop = server;
  desktop.id = desktop.name = "desktop";
  desktop.socket = "B";
  desktop.pcie = {5, 24};
  desktop.memory_bandwidth = 80 * GB_per_s;
  c.cpus.entries = {server, small, intel, desktop};
  SocketLink link;
  link.id = link.name = "socket-link";
  link.microarchitectures = {"zen2"};
  link.rate = 21 * GB_per_s;
  link.latency = 0.2 * us;
  c.socket_links.entries = {link};

  c.parts.entries = {part("riser3", Riser{{3, 16}, false}),
                     part("usb-riser", Riser{{3, 1}, true}),
                     part("split-x8x8", Bifurcator{16, {8, 8}}),
                     part("split-x4", Bifurcator{16, {4, 4, 4, 4}}),
                     part("split-odd", Bifurcator{16, {8, 4, 4}}),
                     part("switch4", PcieSwitch{{4, 16}, 1, {16, 16, 16, 16}, 0.1 * us}),
                     part("xgmi-4", BridgePart{PeerLinkKind::xgmi, 4, {"ring"}}),
                     part("nvlink-2", BridgePart{PeerLinkKind::nvlink, 2, {}}),
                     part("nic-100", Nic{100 * Gbit_per_s, 1, true, PcieLink{4, 16}}),
                     part("nic-10", Nic{10 * Gbit_per_s, 1, false, PcieLink{3, 4}})};
  return c;
}

/// A rig of one machine on a board of small_catalog().
inline Rig rig(std::string board, std::string cpu, std::vector<std::pair<std::string, std::string>> cards) {
  Rig one;
  one.name = "test";
  RigNode node;
  node.id = "node0";
  node.board = std::move(board);
  node.cpu = std::move(cpu);
  for (auto& [card, plug] : cards) {
    CardPlace place;
    place.gpu = card;
    place.plug.slot = plug;
    node.cards.push_back(place);
  }
  one.nodes.push_back(node);
  return one;
}

}  // namespace rigplan::test
