// SPDX-License-Identifier: Apache-2.0
#include "rigplan/topology/copy.h"

namespace rigplan {
namespace {

struct CopyShares {
  Range<double> share;
  Seconds software;
};

CopyShares shares_of(RouteKind kind) {
  switch (kind) {
    case RouteKind::self:
      return {{1, 1, 1}, {}};
    case RouteKind::nvlink:
      return {{0.65, 0.92, 0.97}, 0.5 * us};
    case RouteKind::xgmi:
      return {{0.60, 0.76, 0.95}, 0.5 * us};
    case RouteKind::pcie_peer:
      return {{0.55, 0.96, 1.0}, 0.3 * us};
    case RouteKind::pcie_staged:
      return {{0.36, 0.70, 1.0}, 13 * us};
    case RouteKind::network_rdma:
      return {{0.60, 0.88, 0.97}, 5 * us};
    case RouteKind::network_tcp:
      return {{0.30, 0.70, 0.92}, 50 * us};
  }
  return {};
}

}  // namespace

Range<Bandwidth> copy_rate(const RigGraph& graph, const Route& route) {
  const auto share = shares_of(route.kind).share;
  const auto rate = bandwidth(graph, route);
  return {share.low * rate, share.likely * rate, share.high * rate};
}

std::optional<Range<Bandwidth>> read_rate(const RigGraph& graph, const Route& route, int to) {
  const int machine = graph.node_of_card(to);
  const auto& node = graph.node(machine);
  const auto local = static_cast<std::size_t>(to - graph.first_card[static_cast<std::size_t>(machine)]);
  const double share = node.devices[static_cast<std::size_t>(node.cards[local])].peer_read_share;
  if (route.kind != RouteKind::pcie_peer || share <= 0) return std::nullopt;
  const auto rate = share * bandwidth(graph, route);
  return Range<Bandwidth>{0.9 * rate, rate, 1.1 * rate};
}

Seconds copy_latency(const Route& route) { return route.latency + shares_of(route.kind).software; }

}  // namespace rigplan
