// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/compute/weight_pass.h"

#include <algorithm>
#include <cmath>

namespace rigplan {
namespace {

/// Rows up to which engines use matrix-vector kernels, and from which they surely use matrix kernels.
constexpr double few_rows = 8, many_rows = 64;
/// A card and a model width of usual size; the half-row count is given for them.
constexpr FlopRate usual_peak = 200 * TFLOP_per_s;
constexpr double usual_hidden = 4096;
/// Watts for a TFLOP/s of fp32 at which a chip holds its datasheet clock; a middle value of the cards of 2020 to 2025.
constexpr double usual_watts_per_tflop = 8;

/// Share of the peak that `rows` rows reach: a kernel works in tiles, and a larger card needs more of them to be full.
double fill(double rows, double half) { return rows / (rows + half); }

}  // namespace

Seconds soft_max(Seconds a, Seconds b, double p) {
  const double x = a.in(second), y = b.in(second);
  const double top = std::max(x, y), low = std::min(x, y);
  if (top <= 0) return Seconds{};
  return top * std::pow(1 + std::pow(low / top, p), 1 / p) * second;
}

FlopRate matrix_peak(const CardSpeed& card, const InferenceWork& work) {
  switch (work.format) {
    case FormatClass::f32:
      return card.fp32;
    case FormatClass::f16:
      return work.format_family == "gguf" ? card.matrix16_fast : card.matrix16;
    case FormatClass::bf16:
      return card.matrix16;
    case FormatClass::f8:
      return card.fp8;
    case FormatClass::f4:
      return work.format_family == "gguf" ? card.int8 : card.fp4;
    default:
      return work.format_family == "gguf" ? card.int8 : card.matrix16;
  }
}

PowerFactors power_factors(const CardSpeed& card, const SpeedConstants& constants) {
  if (card.board_power <= Watts{}) return {};
  const auto allowed = card.power_cap ? std::min(*card.power_cap, card.board_power) : card.board_power;
  const double tflops = card.fp32.in(TFLOP_per_s);
  return {std::pow(allowed.in(watt) / tflops / usual_watts_per_tflop, constants.power_arithmetic),
          std::pow(allowed / card.board_power, constants.power_bandwidth)};
}

namespace {

/// What a pass over `rows` tokens does on one card.
struct PassLoad {
  Bytes bytes;        ///< read from memory
  double values = 0;  ///< weights read
  double dense = 0;   ///< weights that every row is multiplied with
  double routed = 0;  ///< weights of routed experts that one row is multiplied with
};

PassLoad load_of(const InferenceWork& work, double rows, double dense_share, double routed_share, bool with_head) {
  const double body = with_head ? 1 : (work.dense_values - work.head_values) / std::max(work.dense_values, 1.0);
  const double touched = work.routed_experts > 0 ? 1 - std::pow(1 - work.active_share, rows) : 0;
  PassLoad load;
  load.bytes = dense_share * body * work.dense_weights + routed_share * touched * work.routed_weights;
  load.dense = dense_share * body * work.dense_values;
  load.routed = routed_share * work.active_share * work.routed_values;
  load.values = load.dense + routed_share * touched * work.routed_values;
  return load;
}

/// Matrix-vector kernels: each weight is unpacked once and then used once for every row.
Seconds vector_time(const PassLoad& load, const CardSpeed& card, const SpeedConstants& constants, double rows, double power) {
  const double again = std::max(0.0, (load.dense + load.routed) * rows - load.values);
  return (load.values * constants.unpack_operations + again * constants.small_rows_operations) * FLOP / (power * card.fp32);
}

/// Matrix kernels, whose tiles are not full when rows are few; the rows of a mixture are spread over its experts.
Seconds matrix_time(const InferenceWork& work, const PassLoad& load, const CardSpeed& card, const SpeedConstants& constants,
                    double rows, double power) {
  const auto peak = matrix_peak(card, work);
  const double size = std::sqrt(peak / usual_peak);
  const double width = std::sqrt(usual_hidden / std::max(work.hidden, 1.0));
  const double dense = load.dense / fill(rows, constants.half_rows * size * width);
  const double routed = load.routed > 0 ? load.routed / fill(rows * work.active_share, constants.half_rows_expert * size) : 0;
  return 2 * (dense + routed) * rows * FLOP / (constants.gemm_share * power * peak);
}

Seconds read_time(const PassLoad& load, const CardSpeed& card, const SpeedConstants& constants, double power) {
  const double share = constants.bandwidth_share / (1 + constants.bandwidth_share);
  return load.bytes / (share * power * card.memory);
}

bool has_vector_kernels(const InferenceWork& work) { return work.format_family == "gguf"; }

}  // namespace

WeightPass decode_weight_pass(const InferenceWork& work, const CardSpeed& card, const SpeedConstants& constants, double streams,
                              double dense_share, double routed_share) {
  const auto power = power_factors(card, constants);
  const auto load = load_of(work, streams, dense_share, routed_share, true);
  WeightPass pass;
  pass.read = read_time(load, card, constants, power.bandwidth);
  if (has_vector_kernels(work)) {
    pass.unpack = vector_time(load, card, constants, streams, power.arithmetic);
    if (streams > few_rows)
      pass.unpack = std::min(pass.unpack, matrix_time(work, load, card, constants, streams, power.arithmetic));
  } else {
    pass.unpack = load.values * constants.unpack_operations * FLOP / (power.arithmetic * card.fp32);
    pass.multiply =
        2 * (load.dense + load.routed) * streams * FLOP / (constants.batch_share * power.arithmetic * matrix_peak(card, work));
  }
  pass.total = soft_max(soft_max(pass.read, pass.unpack, 4), pass.multiply, 3);
  return pass;
}

WeightPass prefill_weight_pass(const InferenceWork& work, const CardSpeed& card, const SpeedConstants& constants, double rows,
                               double dense_share, double routed_share) {
  const auto power = power_factors(card, constants);
  const auto load = load_of(work, rows, dense_share, routed_share, false);
  WeightPass pass;
  pass.read = read_time(load, card, constants, power.bandwidth);
  pass.multiply = matrix_time(work, load, card, constants, rows, power.arithmetic);
  if (has_vector_kernels(work) && rows < many_rows) {
    const auto vectors = vector_time(load, card, constants, rows, power.arithmetic);
    pass.multiply = rows <= few_rows ? vectors : std::min(vectors, pass.multiply);
  }
  pass.total = soft_max(pass.read, pass.multiply, 3);
  return pass;
}

}  // namespace rigplan
