// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/collectives/schedule.h"

namespace rigplan {

// Direct reduce-scatter, then direct all-gather: every card owns 1/n of the message, receives that part from all others and
// sends its sum back to all. Two steps; the bytes of a ring on a full mesh or switch.
std::vector<Schedule> two_shot_schedules(const CardGroup& group, CollectiveOp op) {
  const int n = group.size();
  if (n < 2 || n > 64) return {};
  const int phases = op == CollectiveOp::all_reduce ? 2 : op == CollectiveOp::reduce_scatter ? 1 : 0;
  if (phases == 0) return {};
  Round round{{}, phases};
  for (int from = 0; from < n; ++from) {
    for (int to = 0; to < n; ++to) {
      if (from != to) round.transfers.push_back({from, to, 1.0 / n});
    }
  }
  return {{{std::move(round)}}};
}

}  // namespace rigplan
