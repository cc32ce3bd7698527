// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "rigplan/catalog/calibration.h"
#include "rigplan/estimate/collectives/group_links.h"
#include "rigplan/estimate/collectives/schedule.h"

namespace rigplan {

/// What an algorithm would take with the efficiencies and step times of the calibration, whichever library offers it.
struct AlgorithmTime {
  std::string_view algorithm;
  TransferCost wires;                                      ///< the same with every efficiency 1
  double start = 0, per_byte = 0;                          ///< us, us per byte: large messages
  double low_latency_start = 0, low_latency_per_byte = 0;  ///< with flags in the data; 0: not done so
  double ramp = 1;                                         ///< exponent by which start and bytes join

  Seconds time(Bytes size) const;
};

/// All algorithms that can do the operation in this group, each with its schedules. Stack and launch are not inside.
std::vector<AlgorithmTime> prepare_algorithms(const CardGroup& group, const GroupLinks& links, CollectiveOp op,
                                              const Calibration& calibration, std::string_view stack);

/// The fastest for one size; nullptr for an empty list.
const AlgorithmTime* fastest(const std::vector<AlgorithmTime>& algorithms, Bytes size);

}  // namespace rigplan
