// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/compute/split_time.h"

#include <algorithm>
#include <cmath>

namespace rigplan {
namespace {

constexpr Bytes activation = 2 * byte;  ///< engines exchange activations in fp16 or bf16

/// Latency by steps and bytes by bus bandwidth: the alpha-beta model of a collective.
Seconds all_reduce(const GroupFabric& fabric, const SpeedConstants& constants, int cards, Bytes size) {
  const double moved = 2.0 * (cards - 1) / cards;
  return constants.all_reduce_latency * fabric.all_reduce_latency +
         moved * size / (constants.all_reduce_share * fabric.all_reduce_bus);
}

}  // namespace

SplitShape split_shape(const ParallelPlan& plan) {
  SplitShape shape{plan.split, std::max(plan.cards, 1), 1, 1, std::max(plan.expert, 1)};
  if (shape.cards == 1) return {SplitMode::single, 1, 1, 1, 1};
  switch (plan.split) {
    case SplitMode::single:
      break;
    case SplitMode::layer:
      shape.pipeline = shape.cards;
      break;
    case SplitMode::row:
      shape.tensor = shape.cards;
      break;
    case SplitMode::tensor:
      shape.pipeline = std::clamp(plan.pipeline, 1, shape.cards);
      shape.tensor = plan.tensor > 1 ? plan.tensor : std::max(1, shape.cards / shape.pipeline);
      break;
  }
  return shape;
}

Seconds split_time(const SplitShape& split, const GroupFabric& fabric, const InferenceWork& work, const SpeedConstants& constants,
                   double rows) {
  const auto row_bytes = work.hidden * rows * activation;
  const double layers = work.attention_layers + work.recurrent_layers;
  Seconds time;
  if (split.mode == SplitMode::row)
    time += layers * std::log2(split.tensor) * constants.gather_time * second;
  else if (split.tensor > 1)
    time += 2 * layers * all_reduce(fabric, constants, split.tensor, row_bytes);
  if (split.pipeline > 1) {
    const auto boundary = constants.boundary_time * second + row_bytes / fabric.hop_bandwidth + fabric.hop_latency;
    time += (split.pipeline - 1) * boundary;
  }
  return time;
}

}  // namespace rigplan
