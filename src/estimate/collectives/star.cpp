// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/collectives/schedule.h"

namespace rigplan {

// All cards send to one, which sums and sends the result back. The hub is the card for which that costs least.
std::vector<Schedule> star_schedules(const CardGroup& group, CollectiveOp op) {
  const int n = group.size();
  if (n < 2 || n > 64) return {};
  const bool in = op == CollectiveOp::all_reduce || op == CollectiveOp::reduce;
  const bool out = op == CollectiveOp::all_reduce || op == CollectiveOp::broadcast;
  if (!in && !out) return {};
  std::vector<Schedule> choices;
  const int hubs = op == CollectiveOp::all_reduce && n <= 16 ? n : 1;  // a root is given for the other two
  for (int hub = 0; hub < hubs; ++hub) {
    Schedule schedule;
    Round collect, spread;
    for (int card = 0; card < n; ++card) {
      if (card == hub) continue;
      collect.transfers.push_back({card, hub, 1});
      spread.transfers.push_back({hub, card, 1});
    }
    if (in) schedule.rounds.push_back(std::move(collect));
    if (out) schedule.rounds.push_back(std::move(spread));
    choices.push_back(std::move(schedule));
  }
  return choices;
}

}  // namespace rigplan
