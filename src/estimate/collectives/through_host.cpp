// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/collectives/schedule.h"

namespace rigplan {

// Every card writes its data to host memory, the processor sums, every card reads the result: what libraries without card to
// card transport do (gloo). Host memory is passed once in and once out; summing is counted as free.
std::vector<Schedule> through_host_schedules(const CardGroup& group, CollectiveOp op) {
  if (group.size() < 2 || group.machines().size() > 1 || op == CollectiveOp::send_receive) return {};
  const double one = 1.0 / group.size();
  double in = 1, out = 1;
  if (op == CollectiveOp::all_gather) in = one;
  if (op == CollectiveOp::reduce_scatter) out = one;
  Round write, read;
  for (int card = 0; card < group.size(); ++card) {
    if (op != CollectiveOp::broadcast || card == 0) write.transfers.push_back({card, host_memory, in});
    if (op != CollectiveOp::reduce || card == 0) read.transfers.push_back({host_memory, card, out});
  }
  return {{{std::move(write), std::move(read)}}};
}

}  // namespace rigplan
