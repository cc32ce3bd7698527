// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/collectives/schedule.h"

namespace rigplan {

// The switch sums what all cards send and copies the result to all: each card sends its message once and receives the sum once;
// each card also asks the switch for its own part, hence S (1 + 1/n) each way. NVLink switches of generation 4 and later.
// Source: Klenk et al., An In-Network Architecture for Accelerating Shared-Memory Multiprocessor Collectives, ISCA 2020.
std::vector<Schedule> in_switch_schedules(const CardGroup& group, CollectiveOp op) {
  const int n = group.size();
  if (n < 3 || group.machines().size() > 1 || op != CollectiveOp::all_reduce) return {};
  for (int i = 0; i < n; ++i) {
    const auto& ports = group.graph().gpu(group.card(i)).peer_ports;
    if (!ports || ports->fabric != PeerFabric::switched || ports->kind != PeerLinkKind::nvlink || ports->generation < 4)
      return {};
  }
  Schedule schedule;
  schedule.switched_share = 1 + 1.0 / n;
  return {schedule};
}

}  // namespace rigplan
