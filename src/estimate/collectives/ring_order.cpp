// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>

#include "rigplan/estimate/collectives/schedule.h"

namespace rigplan {
namespace {

/// How good a ring is: time per byte on the most loaded link, then the sum of latencies, then the order itself.
struct RingCost {
  double per_byte = 0, latency = 0;
  auto key() const { return std::tuple{per_byte, latency}; }
};

/// Costs of rings over the cards of one machine; routes are looked up once.
class RingSearch {
 public:
  RingSearch(const CardGroup& group, const std::vector<int>& positions)
      : positions_{positions}, routes_(positions.size() * positions.size()) {
    std::unordered_map<LinkId, std::size_t> dense;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      for (std::size_t j = 0; j < positions.size(); ++j) {
        if (i == j) continue;
        const auto route = group.route_between(positions[i], positions[j]);
        auto& known = routes_[i * positions.size() + j];
        known.latency = route.latency.in(us);
        for (const auto& hop : route.hops) {
          const auto [at, is_new] = dense.emplace(hop.link, busy_.size());
          if (is_new) busy_.push_back(0);
          known.hops.emplace_back(at->second, hop.weight / group.graph().link(hop.link).bandwidth.in(GB_per_s));
        }
      }
    }
  }

  RingCost cost(const std::vector<std::size_t>& order) {
    std::fill(busy_.begin(), busy_.end(), 0);
    RingCost result;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const auto& edge = routes_[order[k] * positions_.size() + order[(k + 1) % order.size()]];
      result.latency += edge.latency;
      for (const auto& [link, time] : edge.hops) busy_[link] += time;
    }
    for (const double time : busy_) result.per_byte = std::max(result.per_byte, time);
    // Rounding must not decide between orders that are equal.
    result.per_byte = std::round(result.per_byte * 1e9) / 1e9;
    result.latency = std::round(result.latency * 1e6) / 1e6;
    return result;
  }

  /// Exchanges of two cards and reversals of a stretch while they help.
  std::vector<std::size_t> improve(std::vector<std::size_t> order) {
    auto best = cost(order);
    for (bool better = true; better;) {
      better = false;
      for (std::size_t i = 1; i + 1 < order.size(); ++i) {
        for (std::size_t j = i + 1; j < order.size(); ++j) {
          for (const bool reverse : {false, true}) {
            auto candidate = order;
            if (reverse)
              std::reverse(candidate.begin() + static_cast<std::ptrdiff_t>(i),
                           candidate.begin() + static_cast<std::ptrdiff_t>(j) + 1);
            else
              std::swap(candidate[i], candidate[j]);
            const auto its = cost(candidate);
            if (its.key() < best.key()) best = its, order = std::move(candidate), better = true;
          }
        }
      }
    }
    return order;
  }

 private:
  struct Edge {
    double latency = 0;
    std::vector<std::pair<std::size_t, double>> hops;
  };
  std::vector<int> positions_;
  std::vector<Edge> routes_;
  std::vector<double> busy_;
};

/// Cards below the same switch and socket one after the other.
std::vector<int> by_place(const CardGroup& group, std::vector<int> positions) {
  const auto place = [&](int position) {
    const auto& graph = group.graph();
    const int card = group.card(position);
    const int machine = graph.node_of_card(card);
    const auto& node = graph.node(machine);
    const int device = node.cards[static_cast<std::size_t>(card - graph.first_card[static_cast<std::size_t>(machine)])];
    const LinkId up = node.upward[static_cast<std::size_t>(device)];
    const int parent = up < 0 ? -1 : node.links[static_cast<std::size_t>(up)].to;
    return std::tuple{node.devices[static_cast<std::size_t>(device)].socket, parent, card};
  };
  std::sort(positions.begin(), positions.end(), [&](int a, int b) { return place(a) < place(b); });
  return positions;
}

}  // namespace

std::vector<int> ring_order(const CardGroup& group) {
  constexpr std::size_t most_searched = 16;  // beyond it the order by place is kept: search grows with the fourth power
  std::vector<int> ring;
  std::map<int, std::vector<int>> searched;  // kind of machine -> ring, as indices into the cards by place
  for (const auto& machine : group.machines()) {
    const auto placed = by_place(group, machine);
    if (placed.size() <= 3 || placed.size() > most_searched) {
      ring.insert(ring.end(), placed.begin(), placed.end());
      continue;
    }
    const int node = group.graph().node_of_card(group.card(placed.front()));
    const int kind = group.graph().kind_of_node[static_cast<std::size_t>(node)];
    const bool whole = group.graph().node(node).cards.size() == placed.size();
    auto& known = searched[whole ? kind : -1];
    if (known.empty() || !whole) {
      RingSearch search{group, placed};
      std::vector<std::size_t> order(placed.size());
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
      order = search.improve(order);
      known.assign(order.begin(), order.end());
    }
    for (const int index : known) ring.push_back(placed[static_cast<std::size_t>(index)]);
  }
  return ring;
}

}  // namespace rigplan
