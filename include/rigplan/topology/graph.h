// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/catalog/board.h"
#include "rigplan/catalog/gpu.h"
#include "rigplan/topology/rig.h"
#include "rigplan/units/quantity.h"

namespace rigplan {

enum class DeviceKind { card, pcie_switch, chipset, socket, memory, nic, peer_switch };

/// A point of one machine where links end.
struct Device {
  DeviceKind kind{};
  std::string label;           ///< "GPU0", "sw0", "CPU0", "chipset"
  const Gpu* gpu = nullptr;    ///< of a card
  int index = 0;               ///< of a card, NIC or socket among its kind
  int socket = 0;              ///< below whose root complex it hangs
  Seconds crossing;            ///< time to pass through it
  double peer_read_share = 0;  ///< of a card: see Architecture; 0: not measured
};

enum class LinkKind { pcie, socket, memory, nvlink, xgmi, network };

using LinkId = int;

/// One direction of a connection. A half-duplex pool (host memory) is a single link that is its own reverse.
struct Link {
  LinkKind kind{};
  int from = 0, to = 0;  ///< devices of the same machine; -1: the network
  Bandwidth bandwidth;   ///< payload, before any efficiency of copies or libraries
  Seconds latency;       ///< half the crossing time of both ends is inside
  LinkId reverse = 0;    ///< the other direction, in the numbering of the machine
  std::string label;     ///< "PCIE3 3.0 x4", "NVLink 4 links"
  PcieLink pcie;         ///< what it trains to
  PcieLink slot;         ///< what the slot is wired for; no lanes: the link has no slot
  int slot_length = 0;   ///< lanes of the connector; 0: no connector
};

/// What one kind of machine consists of. Machines that are alike share one.
struct NodeGraph {
  Board board;
  std::optional<Cpu> cpu;
  HostSettings host;
  std::vector<Device> devices;
  std::vector<Link> links;
  std::vector<int> cards;        ///< device of each card, as RigNode::cards counts
  std::vector<int> nics;         ///< device of each NIC; one without part stands for the network port of the board
  std::vector<LinkId> upward;    ///< per device: its link towards the root complex; -1 for sockets, memory and peer switches
  std::vector<LinkId> memory;    ///< per socket: the link to its memory
  std::vector<int> nic_of_card;  ///< index into `nics` of the nearest NIC, cards spread evenly; -1: none
  std::vector<LinkId> nic_out, nic_in;  ///< per NIC: to and from the network
  std::vector<bool> nic_rdma;
  std::vector<std::vector<LinkId>> peer_out;     ///< per device: its NVLink and xGMI links away from it
  std::vector<std::vector<LinkId>> socket_link;  ///< [from][to]; -1 on the diagonal
};

/// A rig as a graph of devices and directed links. Cards, nodes and links are numbered through: the machines in the order of
/// the rig file, each `count` times, then the core of the network.
struct RigGraph {
  Rig rig;                         ///< with every slot assigned
  std::vector<NodeGraph> kinds;    ///< one per entry of rig.nodes
  std::vector<int> kind_of_node;   ///< per machine
  std::vector<LinkId> first_link;  ///< per machine, and one more: the network core
  std::vector<int> first_card;     ///< per machine, and one more: the number of cards
  std::vector<Link> core;          ///< empty, or one link: what the switch layer carries in all

  int nodes() const { return static_cast<int>(kind_of_node.size()); }
  int cards() const { return first_card.back(); }
  int links() const { return first_link.back() + static_cast<int>(core.size()); }
  const NodeGraph& node(int n) const { return kinds[static_cast<std::size_t>(kind_of_node[static_cast<std::size_t>(n)])]; }
  int node_of_card(int card) const;
  int node_of_link(LinkId link) const;  ///< nodes() for the network core
  const Gpu& gpu(int card) const;
  const CardPlace& place(int card) const;
  const Link& link(LinkId link) const;
  /// "PCIE3 3.0 x4", with "node2: " before it where there are several machines.
  std::string link_name(LinkId link) const;
  std::string card_name(int card) const;  ///< "GPU3", or "node2/GPU3"
};

/// Builds the graph. Slots that the rig leaves open are assigned first. The catalog must outlive the graph.
/// @throws DataError for what find_fault() finds.
RigGraph build_graph(const Rig& rig, const Catalog& catalog);

}  // namespace rigplan
