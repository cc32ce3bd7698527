// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "rigplan/estimate/collectives/schedule.h"

namespace rigplan {
namespace {

/// Pairs at a distance exchange `share` each way; positions count along the ring, so that near pairs are near.
Round exchange(const CardGroup& group, int ranks, int distance, double share) {
  Round round;
  for (int i = 0; i < ranks; ++i) {
    const auto at = static_cast<std::size_t>(i), partner = static_cast<std::size_t>(i ^ distance);
    round.transfers.push_back({group.ring()[at], group.ring()[partner], share});
  }
  return round;
}

}  // namespace

// Recursive halving, then doubling: log2 n exchanges of 1/2, 1/4, ... of the message, and the same back. Ranks beyond the
// largest power of two first hand their data to a partner and get the result from it.
// Source: Thakur, Rabenseifner, Gropp, Int. J. High Perform. Comput. Appl. 19 (2005) 49-66.
std::vector<Schedule> halving_doubling_schedules(const CardGroup& group, CollectiveOp op) {
  const int n = group.size();
  const bool halve = op == CollectiveOp::all_reduce || op == CollectiveOp::reduce_scatter;
  const bool twice = op == CollectiveOp::all_reduce || op == CollectiveOp::all_gather;
  if (n < 2 || n > 1024 || !(halve || twice)) return {};
  const int ranks = static_cast<int>(std::bit_floor(static_cast<unsigned>(n)));
  if (ranks != n && op != CollectiveOp::all_reduce) return {};
  Schedule schedule;
  const auto hand_over = [&](bool back) {
    Round round;
    for (int extra = ranks; extra < n; ++extra) {
      const int card = group.ring()[static_cast<std::size_t>(extra)],
                partner = group.ring()[static_cast<std::size_t>(extra - ranks)];
      round.transfers.push_back(back ? Transfer{partner, card, 1} : Transfer{card, partner, 1});
    }
    if (!round.transfers.empty()) schedule.rounds.push_back(std::move(round));
  };
  hand_over(false);
  double share = 0.5;
  if (halve) {
    for (int distance = ranks / 2; distance >= 1; distance /= 2, share /= 2)
      schedule.rounds.push_back(exchange(group, ranks, distance, share));
  }
  if (twice) {
    share = 1.0 / ranks;
    for (int distance = 1; distance < ranks; distance *= 2, share *= 2)
      schedule.rounds.push_back(exchange(group, ranks, distance, share));
  }
  hand_over(true);
  return {schedule};
}

}  // namespace rigplan
