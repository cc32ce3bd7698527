// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/catalog/board.h"
#include "rigplan/catalog/catalog.h"
#include "rigplan/units/quantity.h"

namespace rigplan {

class Cursor;

/// Where something is plugged: a slot of the board ("PCIE1"), or a port of an adapter ("sw0/2"), reached through risers.
struct Plug {
  std::string slot;              ///< empty: not stated; assign_slots() chooses
  std::vector<std::string> via;  ///< part ids of risers, cables, redrivers, from the slot to the device
};

struct CardPlace {
  std::string gpu;  ///< catalog id
  Plug plug;
  std::optional<Watts> power_cap;
  std::optional<PeerOverPcie> peer_over_pcie;  ///< what the owner knows of this card's BAR and VBIOS; unset: the catalog's word
  std::optional<Bytes> bar;                    ///< size of the card's memory window, as the firmware shows it
  std::optional<PcieLink> trained;             ///< what the link was seen to train to under load; it then counts
};

/// A split adapter or PCIe switch: takes a slot and offers ports "id/0", "id/1", ...
struct AdapterPlace {
  std::string id;
  std::string part;
  Plug plug;
  std::vector<Plug> more_plugs;  ///< further upstream ports of a switch that joins several root ports
};

struct NicPlace {
  std::string part;
  Plug plug;  ///< empty slot: on the board
};

/// An NVLink or xGMI bridge over cards of one node, by index into RigNode::cards.
struct BridgePlace {
  std::string part;  ///< empty: the cards' own fabric (SXM boards, OAM meshes)
  std::vector<int> cards;
  int links = 0;  ///< links between each two neighbours; 0: as many as the cards have for them
};

/// What firmware and drivers of a machine are set to, as far as the owner says; unset: not known.
struct HostSettings {
  std::optional<bool> above_4g;  ///< "above 4G decoding" in the firmware
  std::optional<bool> resizable_bar;
  std::optional<bool> iommu_translates;  ///< true: neither off nor in pass-through mode
  std::optional<bool> acs_redirect;      ///< true: peer requests go up to the root and back
  std::optional<bool> peer_driver;       ///< a patched driver that grants peer access, or a kernel built for it
  std::optional<bool> virtual_machine;
};

/// One machine, or `count` machines that are alike.
struct RigNode {
  std::string id;
  int count = 1;
  std::string board;               ///< catalog id; empty with `own_board`
  std::optional<Board> own_board;  ///< a board that the rig file itself describes
  std::string cpu;                 ///< catalog id; empty where the board includes it
  std::optional<Bytes> memory;
  std::vector<std::string> psus;  ///< part ids
  std::vector<AdapterPlace> adapters;
  std::vector<CardPlace> cards;
  std::vector<NicPlace> nics;
  std::vector<BridgePlace> bridges;
  HostSettings host;
};

struct RigNetwork {
  std::string network_switch;  ///< part id; empty: not named
  Bandwidth rate;              ///< of one link between a NIC and the switches, each way
  bool rdma = false;
  double oversubscription = 1;  ///< nodes' rates together over what the switch layer carries
};

/// What was bought besides, for the bill: `count` of a priced item, or a stated amount.
struct BillLine {
  std::string item;  ///< catalog id, or free text when `price` is given
  double count = 1;
  std::optional<Yuan> price;  ///< of one
};

/// Machines and what is plugged into them, as a rig file states it.
struct Rig {
  std::string name;
  std::vector<RigNode> nodes;
  std::optional<RigNetwork> network;
  std::vector<BillLine> bill;

  int cards() const {
    int n = 0;
    for (const auto& node : nodes) n += node.count * static_cast<int>(node.cards.size());
    return n;
  }
  int machines() const {
    int n = 0;
    for (const auto& node : nodes) n += node.count;
    return n;
  }
};

/// Reads a rig file ("schema": "rigplan/rig/1") and checks each id against the catalog.
/// @throws DataError with the nearest valid id.
Rig read_rig(Cursor at, const Catalog& catalog);

/// The board of a node: its own, or the catalog's. @throws DataError for an unknown id.
const Board& board_of(const RigNode& node, const Catalog& catalog);

/// The first thing of a rig that cannot exist, or nothing: a slot used twice, a split that the slot does not offer, a bridge on
/// a card without connector, more lanes than the processor has, adapters in a circle.
struct RigFault {
  enum class Where { node, adapter, card, nic, bridge };
  int node = 0;
  Where where{};
  int index = 0;  ///< into RigNode::adapters, cards, nics or bridges
  std::string message;
};
std::optional<RigFault> find_fault(const Rig& rig, const Catalog& catalog);

/// A rig of `count` cards of one kind on `board` (empty: the first board that takes them), slots assigned as a builder would.
/// @throws DataError when the board has no room, naming what is missing.
Rig rig_of(const Catalog& catalog, const std::string& gpu, int count, const std::string& board);

}  // namespace rigplan
