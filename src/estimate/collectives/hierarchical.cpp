// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "rigplan/estimate/collectives/schedule.h"

namespace rigplan {
namespace {

/// A ring step inside every machine at once.
Round inside_round(const CardGroup& group, double share, int repeat) {
  Round round{{}, repeat};
  for (const auto& machine : group.machines()) {
    for (std::size_t i = 0; i < machine.size(); ++i)
      round.transfers.push_back({machine[i], machine[(i + 1) % machine.size()], share});
  }
  return round;
}

/// A ring step between the machines: one ring for each position of a card in its machine.
Round across_round(const CardGroup& group, double share, int repeat) {
  Round round{{}, repeat};
  const auto& machines = group.machines();
  for (std::size_t k = 0; k < machines.size(); ++k) {
    const auto& next = machines[(k + 1) % machines.size()];
    for (std::size_t i = 0; i < machines[k].size(); ++i) round.transfers.push_back({machines[k][i], next[i], share});
  }
  return round;
}

}  // namespace

// Reduce-scatter inside each of k machines of m cards, all-reduce of 1/m of the message across machines by all positions at
// once, all-gather inside. Source: Cho et al., BlueConnect, IBM J. Res. Dev. 63 (2019).
std::vector<Schedule> hierarchical_schedules(const CardGroup& group, CollectiveOp op) {
  const auto& machines = group.machines();
  const int k = static_cast<int>(machines.size());
  if (k < 2 || machines.front().size() < 2) return {};
  const int m = static_cast<int>(machines.front().size());
  if (std::any_of(machines.begin(), machines.end(), [&](const auto& machine) { return static_cast<int>(machine.size()) != m; }))
    return {};
  Schedule schedule;
  const bool scatter = op == CollectiveOp::all_reduce || op == CollectiveOp::reduce_scatter;
  const bool gather = op == CollectiveOp::all_reduce || op == CollectiveOp::all_gather;
  if (!scatter && !gather) return {};
  if (scatter) schedule.rounds.push_back(inside_round(group, 1.0 / m, m - 1));
  const int across = op == CollectiveOp::all_reduce ? 2 * (k - 1) : k - 1;
  schedule.rounds.push_back(across_round(group, 1.0 / m / k, across));
  if (gather) schedule.rounds.push_back(inside_round(group, 1.0 / m, m - 1));
  return {schedule};
}

}  // namespace rigplan
