// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "rigplan/topology/paths.h"
#include "rigplan/topology/slot_plan.h"

namespace rigplan {

Bytes Traffic::of(int from, int to) const {
  const auto a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to);
  if (from == to) return {};
  if (!between.empty()) return between[a][b];
  return groups.empty() || groups[a] == groups[b] ? to_each : Bytes{};
}

PlacementTime placement_time(const RigGraph& graph, const Traffic& traffic) {
  const int n = graph.cards();
  std::map<LinkId, Bytes> load;
  Seconds all_links;
  const auto carry = [&](const Route& route, Bytes bytes) {
    for (const auto& hop : route.hops) load[hop.link] += hop.weight * bytes;
  };
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b) {
      if (a == b) continue;
      const auto bytes = traffic.of(a, b);
      if (bytes > Bytes{}) carry(route(graph, a, b, traffic.assumption), bytes);
    }
  PlacementTime worst;
  for (const auto& [link, bytes] : load) {
    const auto time = bytes / graph.link(link).bandwidth;
    all_links += time;
    if (time > worst.time) worst = {time, link};
  }
  worst.time += 1e-6 * all_links;  // between placements with one bottleneck, the one that loads all links less
  return worst;
}

}  // namespace rigplan
