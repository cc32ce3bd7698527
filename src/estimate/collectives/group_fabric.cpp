// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/collectives/group_fabric.h"

#include <cmath>

namespace rigplan {

Seconds GroupFabric::all_reduce(Bytes size) const {
  if (cards < 2) return {};
  if (library.cards > 1) return library.time(CollectiveOp::all_reduce, size).time;
  // Known by its two figures alone: they join as a pipelined transfer does.
  constexpr double ramp = 0.75;
  const double latency = all_reduce_latency.in(us);
  const double moving = (ring_share(CollectiveOp::all_reduce, cards) * size / all_reduce_bus).in(us);
  return std::pow(std::pow(latency, ramp) + std::pow(moving, ramp), 1 / ramp) * us;
}

}  // namespace rigplan
