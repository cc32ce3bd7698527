// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rigplan/json/value.h"
#include "rigplan/report/screen.h"
#include "rigplan/topology/copy.h"
#include "rigplan/topology/peer.h"
#include "rigplan/topology/warnings.h"

namespace rigplan {

/// One card with the link that it hangs on.
struct TopologyCard {
  std::string name, gpu;  ///< "GPU0", and the name of the card
  int socket = 0;
  std::string link;  ///< "PCIE3 PCIe 3.0 x4"
  PcieLink trained;
  Bandwidth bandwidth;
};

/// An ordered pair of cards of one machine.
struct TopologyPair {
  int from = 0, to = 0;  ///< index into TopologyNode::cards
  PeerVerdict peer;
  RouteKind kind{};                                 ///< where peer access is unknown: without it
  Range<Bandwidth> copy;                            ///< of a plain copy, one way
  Seconds latency;                                  ///< of a copy of a few bytes
  std::string bottleneck;                           ///< the link that limits it
  std::optional<Range<Bandwidth>> copy_with_peers;  ///< where peer access is unknown: with it
  std::optional<Range<Bandwidth>> copy_by_reading;  ///< between peers, where the destination's reads are known to be another rate
};

/// A line of the tree: a device, indented by how deep it hangs.
struct TopologyLine {
  int depth = 0;
  std::string device, link;
  Bandwidth bandwidth;  ///< of its link upwards; zero for a socket
};

struct TopologyNode {
  std::string id, board, cpu;
  int count = 1;
  std::vector<TopologyLine> tree;
  std::vector<TopologyCard> cards;
  std::vector<TopologyPair> pairs;
  std::vector<TopologyLine> joints;  ///< bridges and fabrics, one line each way of joining
};

struct TopologyReport {
  std::string rig;
  std::vector<TopologyNode> nodes;
  std::optional<TopologyPair> between_nodes;  ///< first card of the first machine to the first card of the next
  std::vector<TopologyWarning> warnings;
};

TopologyReport report_topology(const RigGraph& graph);
/// One machine of each kind with its tree alone: what a drawing needs.
std::vector<TopologyNode> topology_trees(const RigGraph& graph);

std::string topology_text(const TopologyReport& report, const Screen& screen = {});
JsonValue topology_json(const TopologyReport& report);
/// [{"id": ..., "count": ..., "board": ..., "cpu": ..., "tree": [...]}, ...]
JsonValue topology_trees_json(const std::vector<TopologyNode>& nodes);

// Drawings: one machine of each kind.
std::string topology_dot(const RigGraph& graph);
std::string topology_mermaid(const RigGraph& graph);
std::string topology_svg(const RigGraph& graph);

/// The first machine as the XML that NCCL reads with NCCL_TOPO_FILE (version 1; RCCL reads version 2, which `amd` cards get).
std::string topology_nccl_xml(const RigGraph& graph);
/// All machines as a platform file of SimGrid: a host for each card, a link for each direction, a route for each pair.
/// Use it with the network model CM02, cross-traffic off and TCP-gamma 0. Every efficiency is 1.
std::string topology_simgrid_xml(const RigGraph& graph, PeerAssumption assumption);

}  // namespace rigplan
