// SPDX-License-Identifier: Apache-2.0
#include "rigplan/topology/contention.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace rigplan {
namespace {

struct LinkState {
  Bandwidth left;
  double demand = 0;                                  ///< sum of the weights of flows that still grow
  std::vector<std::pair<std::size_t, double>> flows;  ///< flow and its weight here
};

}  // namespace

std::vector<Bandwidth> fair_shares(std::span<const Bandwidth> capacity, std::span<const std::vector<Hop>> flows) {
  std::vector<LinkState> links(capacity.size());
  for (std::size_t l = 0; l < capacity.size(); ++l) links[l].left = capacity[l];
  for (std::size_t f = 0; f < flows.size(); ++f)
    for (const auto& hop : flows[f]) {
      auto& link = links[static_cast<std::size_t>(hop.link)];
      link.demand += hop.weight;
      link.flows.emplace_back(f, hop.weight);
    }
  std::vector<Bandwidth> share(flows.size());
  std::vector<bool> done(flows.size());
  std::size_t open = 0;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    done[f] = flows[f].empty();
    if (done[f]) share[f] = Bandwidth{std::numeric_limits<double>::infinity()};
    open += !done[f];
  }
  while (open > 0) {
    // The link whose remaining capacity per unit of weight is least fills first; its flows are frozen at that rate.
    LinkState* tightest = nullptr;
    Bandwidth level;
    for (auto& link : links) {
      if (link.demand <= 1e-12) continue;
      const auto here = std::max(link.left, Bandwidth{}) / link.demand;
      if (tightest == nullptr || here < level) tightest = &link, level = here;
    }
    if (tightest == nullptr) break;
    for (const auto& [f, ignored] : tightest->flows) {
      if (done[f]) continue;
      done[f] = true;
      --open;
      share[f] = level;
      for (const auto& hop : flows[f]) {
        auto& link = links[static_cast<std::size_t>(hop.link)];
        link.left -= hop.weight * level;
        link.demand -= hop.weight;
      }
    }
    tightest->demand = 0;
  }
  return share;
}

std::vector<Bandwidth> fair_shares(const RigGraph& graph, std::span<const Route> flows) {
  // Only the links that a flow crosses take part, so a large rig costs no more than its flows.
  std::unordered_map<LinkId, LinkId> dense;
  std::vector<Bandwidth> capacity;
  std::vector<std::vector<Hop>> hops(flows.size());
  for (std::size_t f = 0; f < flows.size(); ++f)
    for (const auto& hop : flows[f].hops) {
      const auto [at, is_new] = dense.emplace(hop.link, static_cast<LinkId>(capacity.size()));
      if (is_new) capacity.push_back(graph.link(hop.link).bandwidth);
      hops[f].push_back({at->second, hop.weight});
    }
  return fair_shares(capacity, hops);
}

Seconds step_time(const RigGraph& graph, std::span<const Route> flows, Bytes size) {
  const auto shares = fair_shares(graph, flows);
  Seconds longest;
  for (std::size_t f = 0; f < flows.size(); ++f)
    if (!flows[f].hops.empty()) longest = std::max(longest, flows[f].latency + size / shares[f]);
  return longest;
}

}  // namespace rigplan
