// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "rigplan/estimate/collectives/schedule.h"

namespace rigplan {
namespace {

/// One step of a ring in the order of the group: every card sends `share` to the next.
Round ring_round(const CardGroup& group, double share, int repeat) {
  Round round{{}, repeat};
  const auto& ring = group.ring();
  for (std::size_t i = 0; i < ring.size(); ++i) round.transfers.push_back({ring[i], ring[(i + 1) % ring.size()], share});
  return round;
}

/// A message that runs along the ring in chunks from the card at the front: chunk c crosses edge e in round c + e.
Schedule ring_pipeline(const CardGroup& group, int chunks, bool towards_front) {
  Schedule schedule;
  auto chain = group.ring();
  if (towards_front) std::reverse(chain.begin(), chain.end());
  const int edges = group.size() - 1;
  for (int r = 0; r < edges + chunks - 1; ++r) {
    Round round;
    for (int e = 0; e < edges; ++e) {
      if (r - e < 0 || r - e >= chunks) continue;
      round.transfers.push_back({chain[static_cast<std::size_t>(e)], chain[static_cast<std::size_t>(e) + 1], 1.0 / chunks});
    }
    schedule.rounds.push_back(std::move(round));
  }
  return schedule;
}

}  // namespace

// All-reduce is a reduce-scatter and an all-gather of n-1 steps each, every step moving 1/n of the message.
// Source: Patarasuk, Yuan, J. Parallel Distrib. Comput. 69 (2009) 117-124.
std::vector<Schedule> ring_schedules(const CardGroup& group, CollectiveOp op) {
  const int n = group.size();
  if (n < 2) return {};
  switch (op) {
    case CollectiveOp::all_reduce:
      return {{{ring_round(group, 1.0 / n, 2 * (n - 1))}}};
    case CollectiveOp::reduce_scatter:
    case CollectiveOp::all_gather:
      return {{{ring_round(group, 1.0 / n, n - 1)}}};
    case CollectiveOp::broadcast:
    case CollectiveOp::reduce: {
      std::vector<Schedule> choices;
      for (const int chunks : {1, 4, 16}) choices.push_back(ring_pipeline(group, chunks, op == CollectiveOp::reduce));
      return choices;
    }
    default:
      return {};
  }
}

}  // namespace rigplan
