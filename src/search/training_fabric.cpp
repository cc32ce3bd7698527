// SPDX-License-Identifier: Apache-2.0
#include "search/training_fabric.h"

#include <algorithm>
#include <map>

#include "rigplan/estimate/collectives/prepare_fabric.h"
#include "rigplan/estimate/collectives/schedule.h"
#include "rigplan/topology/contention.h"

namespace rigplan {
namespace {

/// Every `stride`-th card of `count`, beginning with the first.
std::vector<int> strided(int count, int stride) {
  std::vector<int> cards;
  for (int i = 0; i < count; ++i) cards.push_back(i * stride);
  return cards;
}

}  // namespace

TrainingFabric training_fabric(const RigGraph& graph, const ParallelPlan& plan, PeerAssumption assumption,
                               const Calibration& collectives) {
  const auto over = [&](int count, int stride) {
    return count > 1 ? prepare_fabric(graph, strided(count, stride), assumption, collectives) : GroupFabric{};
  };
  TrainingFabric fabric;
  fabric.tensor = over(plan.tensor, 1);
  fabric.pipeline = over(plan.pipeline, plan.tensor);
  fabric.data = over(plan.replicas, plan.cards);
  fabric.expert = plan.expert == plan.replicas ? fabric.data : over(plan.expert, plan.cards);
  const bool all_share = plan.shard_cards == 0 || plan.shard_cards == plan.replicas;
  if (plan.sharding > 0) fabric.shard = all_share ? fabric.data : over(plan.shard_cards, plan.cards);
  return fabric;
}

std::optional<Bytes> host_room(const Rig& rig) {
  constexpr double usable = 0.85;  // the rest is the system's and the program's
  std::optional<Bytes> least;
  for (const auto& node : rig.nodes) {
    if (!node.memory) return std::nullopt;
    if (!least || usable * *node.memory < *least) least = usable * *node.memory;
  }
  return least;
}

int most_cards_of_machine(const Rig& rig) {
  std::size_t most = 1;
  for (const auto& node : rig.nodes) most = std::max(most, node.cards.size());
  return static_cast<int>(most);
}

HostPath host_path(const RigGraph& graph, int cards) {
  std::vector<Route> ways;
  std::map<LinkId, int> users;  // of each memory
  for (int card = 0; card < cards; ++card) {
    ways.push_back(CardGroup{graph, {card}, PeerAssumption::unknown_is_no}.route_from_host(0));
    ++users[ways.back().hops.back().link];
  }
  const auto shares = fair_shares(graph, ways);
  HostPath path{*std::min_element(shares.begin(), shares.end()), {}};
  for (const auto& [link, count] : users) {
    const auto share = graph.link(link).bandwidth / count;
    if (path.memory == Bandwidth{} || share < path.memory) path.memory = share;
  }
  return path;
}

}  // namespace rigplan
