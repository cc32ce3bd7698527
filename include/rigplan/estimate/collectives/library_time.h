// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "rigplan/catalog/calibration.h"
#include "rigplan/estimate/collectives/collective.h"
#include "rigplan/estimate/collectives/group_links.h"

namespace rigplan {

/// How a library carried a message.
enum class CollectiveMethod {
  nothing,
  ring_low_latency,
  ring_bulk,
  in_switch,
  nodes_low_latency,
  nodes_bulk,
  one_shot,
  two_shot,
  star
};
std::string_view algorithm_of(CollectiveMethod);
std::string_view protocol_of(CollectiveMethod);

/// A choice that the user forced: NCCL_ALGO, NVLS off, or a kernel of an engine instead of the library.
enum class ForcedMethod { none, ring, one_shot, star };

struct LibraryTime {
  Seconds time;
  CollectiveMethod method = CollectiveMethod::nothing;
};

/// What a communication library needs for collectives in one group, prepared so that a size is evaluated in well under a
/// microsecond. Made by prepare_library(). Formulas: library_time.cpp.
struct LibraryCost {
  struct Operation {
    double low_latency_start = 0, low_latency_per_byte = 0;  ///< us, us per byte
    double bulk_start = 0, bulk_per_byte = 0;
    double in_switch_start = 0, in_switch_per_byte = 0;  ///< 0 per byte: not available
    double nodes_start = 0, nodes_slow_per_byte = 0, nodes_bulk_start = 0, nodes_per_byte = 0;
  };
  std::array<Operation, collective_ops> operations;
  double overhead = 0, floor = 0;               ///< of the stack, us
  double node_ramp = 0.75, network_ramp = 0.6;  ///< exponents by which latency and bandwidth terms join
  double one_shot_start = 0, one_shot_per_byte = 0;
  double two_shot_start = 0, two_shot_per_byte = 0;  ///< 0 per byte: only where cards are joined directly
  double star_start = 0, star_per_byte = 0;
  int cards = 1, nodes = 1;

  LibraryTime time(CollectiveOp op, Bytes size, ForcedMethod forced = ForcedMethod::none) const;
  /// Of a message of a few bytes, stack excluded.
  Seconds latency(CollectiveOp op) const;
  /// Message size over time for very large messages (the algorithm bandwidth).
  Bandwidth rate(CollectiveOp op) const;
};

/// `stack` says what the clock includes and which library runs: "nccl_graph", "nccl_eager", "nccl_tests", "nccl_tests_printed",
/// "rccl", "oneccl", "gloo". A stack that the calibration has not seen gets the mean of those that it has.
LibraryCost prepare_library(const GroupLinks& links, const Calibration& calibration, std::string_view stack);

}  // namespace rigplan
