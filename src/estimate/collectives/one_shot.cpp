// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/collectives/schedule.h"

namespace rigplan {

// Every card pushes to every other at once; each sums for itself. One step, but n-1 times the message over each card's link.
std::vector<Schedule> one_shot_schedules(const CardGroup& group, CollectiveOp op) {
  const int n = group.size();
  if (n < 2 || n > 64 || op == CollectiveOp::reduce_scatter || op == CollectiveOp::reduce) return {};
  Round round;
  if (op == CollectiveOp::send_receive) {
    round.transfers.push_back({0, 1, 1});
  } else if (op == CollectiveOp::broadcast) {
    for (int to = 1; to < n; ++to) round.transfers.push_back({0, to, 1});
  } else {
    // Of an all-gather or all-to-all each pair moves 1/n of the message, of an all-reduce all of it.
    const double share = op == CollectiveOp::all_reduce ? 1 : 1.0 / n;
    for (int from = 0; from < n; ++from) {
      for (int to = 0; to < n; ++to) {
        if (from != to) round.transfers.push_back({from, to, share});
      }
    }
  }
  return {{{std::move(round)}}};
}

}  // namespace rigplan
