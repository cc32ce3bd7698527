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

WeightPass decode_weight_pass(const InferenceWork& work, const CardSpeed& card, const SpeedConstants& constants, double streams,
                              double dense_share, double routed_share) {
  const auto power = power_factors(card, constants);
  const double touched = work.routed_experts > 0 ? 1 - std::pow(1 - work.active_share, streams) : 0;
  const auto bytes = dense_share * work.dense_weights + routed_share * touched * work.routed_weights;
  const double values = dense_share * work.dense_values + routed_share * touched * work.routed_values;
  const double active = dense_share * work.dense_values + routed_share * work.active_share * work.routed_values;
  const double share = constants.bandwidth_share / (1 + constants.bandwidth_share);
  WeightPass pass;
  pass.read = bytes / (share * power.bandwidth * card.memory);
  pass.unpack = values * constants.unpack_operations * FLOP / (power.arithmetic * card.fp32);
  pass.multiply = 2 * active * streams * FLOP / (constants.batch_share * power.arithmetic * matrix_peak(card, work));
  pass.total = soft_max(soft_max(pass.read, pass.unpack, 4), pass.multiply, 3);
  return pass;
}

WeightPass prefill_weight_pass(const InferenceWork& work, const CardSpeed& card, const SpeedConstants& constants, double rows,
                               double dense_share, double routed_share) {
  const auto power = power_factors(card, constants);
  const double touched = work.routed_experts > 0 ? 1 - std::pow(1 - work.active_share, rows) : 0;
  const double body = (work.dense_values - work.head_values) / std::max(work.dense_values, 1.0);
  const auto bytes = dense_share * body * work.dense_weights + routed_share * touched * work.routed_weights;
  const double share = constants.bandwidth_share / (1 + constants.bandwidth_share);
  const auto peak = matrix_peak(card, work);
  const double size = std::pow(peak / usual_peak * (usual_hidden / std::max(work.hidden, 1.0)), 0.5);
  const auto rate = constants.gemm_share * power.arithmetic * peak;
  const double dense = dense_share * body * work.dense_values;
  const double routed = routed_share * work.active_share * work.routed_values;
  WeightPass pass;
  pass.read = bytes / (share * power.bandwidth * card.memory);
  const auto matrices = 2 * dense * rows * FLOP / (rate * fill(rows, constants.half_rows * size));
  const auto experts = 2 * routed * rows * FLOP / (rate * fill(rows * work.active_share, constants.half_rows_expert));
  pass.multiply = routed > 0 ? matrices + experts : matrices;
  const auto vectors = 2 * (dense + routed) * rows * constants.small_rows_operations * FLOP / (power.arithmetic * card.fp32);
  if (rows <= few_rows)
    pass.multiply = vectors;
  else if (rows < many_rows)
    pass.multiply = std::min(pass.multiply, vectors);
  pass.total = soft_max(pass.read, pass.multiply, 3);
  return pass;
}

}  // namespace rigplan
