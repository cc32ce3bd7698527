// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/collectives/algorithm_time.h"

#include <algorithm>
#include <cmath>

#include "rigplan/estimate/collectives/calibrated_terms.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

/// Rounds in which something passes from one machine to another.
int network_rounds(const CardGroup& group, const Schedule& schedule) {
  if (group.machines().size() < 2) return 0;
  std::vector<std::size_t> machine(static_cast<std::size_t>(group.size()));
  for (std::size_t m = 0; m < group.machines().size(); ++m) {
    for (const int position : group.machines()[m]) machine[static_cast<std::size_t>(position)] = m;
  }
  int count = 0;
  for (const auto& round : schedule.rounds) {
    const bool crosses = std::any_of(round.transfers.begin(), round.transfers.end(), [&](const Transfer& transfer) {
      return transfer.from >= 0 && transfer.to >= 0 &&
             machine[static_cast<std::size_t>(transfer.from)] != machine[static_cast<std::size_t>(transfer.to)];
    });
    if (crosses) count += round.repeat;
  }
  return count;
}

AlgorithmTime calibrated(std::string_view name, const CardGroup& group, const Schedule& schedule, const CalibratedTerms& term) {
  AlgorithmTime result;
  result.algorithm = name;
  result.wires = transfer_cost(group, schedule);
  result.ramp = term("node_ramp");
  const int across = network_rounds(group, schedule), inside = result.wires.steps - across;
  const double wires = result.wires.seconds_per_byte * 1e6;
  const double architecture = term("architecture_latency");
  const double network = across * term("network_hop");
  if (schedule.switched_share > 0) {
    result.start = term("in_switch_latency") * architecture;
    result.per_byte = wires / term("in_switch_efficiency");
  } else if (name == "one-shot" || name == "two-shot") {
    // Kernels that write into their peers' memory: one launch, one flag to wait for in each step.
    result.start = term("push_start") + (result.wires.steps - 1) * term("hop_low_latency") * architecture + network;
    result.per_byte = wires / term("push_efficiency");
    result.ramp = 1;
  } else if (name == msg("through host")) {
    result.start = 2 * term("copy_start");
    result.per_byte = wires / term("copy_efficiency");
    result.ramp = 1;
  } else {
    const auto bottleneck = result.wires.bottleneck;
    const bool by_network = bottleneck >= 0 && group.graph().link(bottleneck).kind == LinkKind::network;
    const double efficiency = by_network ? term("network_efficiency") : term("link_efficiency");
    result.start = inside * term("hop_bulk") * architecture + term("bulk_start") + network;
    result.per_byte = wires / efficiency;
    result.low_latency_start = inside * term("hop_low_latency") * architecture + network;
    result.low_latency_per_byte = result.per_byte / term("low_latency_share");
  }
  return result;
}

}  // namespace

Seconds AlgorithmTime::time(Bytes size) const {
  const double bytes = size.in(byte);
  const double moving = per_byte * bytes;
  const double bulk =
      start > 0 && moving > 0 ? std::pow(std::pow(start, ramp) + std::pow(moving, ramp), 1 / ramp) : start + moving;
  if (low_latency_per_byte <= 0) return bulk * us;
  return std::min(bulk, low_latency_start + low_latency_per_byte * bytes) * us;
}

std::vector<AlgorithmTime> prepare_algorithms(const CardGroup& group, const GroupLinks& links, CollectiveOp op,
                                              const Calibration& calibration, std::string_view stack) {
  const CalibratedTerms term{calibration, links, stack};
  std::vector<AlgorithmTime> list;
  for (const auto& algorithm : collective_algorithms()) {
    const bool push = algorithm.name == "one-shot" || algorithm.name == "two-shot";
    if (push && links.kind == LinkClass::pcie_staged) continue;  // there is no memory of peers to write into
    for (const auto& schedule : algorithm.schedules(group, op)) list.push_back(calibrated(algorithm.name, group, schedule, term));
  }
  return list;
}

const AlgorithmTime* fastest(const std::vector<AlgorithmTime>& algorithms, Bytes size) {
  const auto best = std::min_element(algorithms.begin(), algorithms.end(),
                                     [&](const auto& a, const auto& b) { return a.time(size) < b.time(size); });
  return best == algorithms.end() ? nullptr : &*best;
}

}  // namespace rigplan
