// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "rigplan/topology/graph.h"
#include "rigplan/topology/peer.h"

namespace rigplan {

enum class RouteKind { self, nvlink, xgmi, pcie_peer, pcie_staged, network_rdma, network_tcp };
std::string_view to_text(RouteKind);

/// A link on a route and how often each byte crosses it: 2 for the memory of a staged copy.
struct Hop {
  LinkId link = 0;
  double weight = 1;
  bool operator==(const Hop&) const = default;
};

/// The way of bytes from one card to another.
struct Route {
  RouteKind kind = RouteKind::self;
  std::vector<Hop> hops;
  Seconds latency;  ///< of the wires and what they pass; no software
};

/// The route of a write from card `from` to card `to` (numbered through all machines): over NVLink or xGMI where there is a
/// direct way, else over PCIe as peers, else through host memory; between machines over the nearest NICs.
Route route(const RigGraph& graph, int from, int to, PeerAssumption assumption);

/// What the route carries when nothing else moves: the least bandwidth over weight of its links. Zero for a card to itself.
Bandwidth bandwidth(const RigGraph& graph, const Route& route);
/// The link that decides it; the first of several that are equal; -1 for a card to itself.
LinkId bottleneck(const RigGraph& graph, const Route& route);

/// Time of one transfer that is alone, with every efficiency 1.
Seconds transfer_time(const RigGraph& graph, const Route& route, Bytes size);

}  // namespace rigplan
