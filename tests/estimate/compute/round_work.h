// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "rigplan/estimate/compute/card_speed.h"
#include "rigplan/estimate/compute/inference_work.h"
#include "rigplan/estimate/compute/speed_constants.h"

namespace rigplan::test {

/// A card, a model and constants of round numbers, so that every expected time can be worked out on paper.
inline CardSpeed round_card() {
  CardSpeed card;
  card.memory = 1000 * GB_per_s;
  card.fp32 = 25 * TFLOP_per_s;
  card.matrix16 = 200 * TFLOP_per_s;
  card.matrix16_fast = 400 * TFLOP_per_s;
  card.int8 = 800 * TFLOP_per_s;
  card.fp8 = 1600 * TFLOP_per_s;
  card.fp4 = 3200 * TFLOP_per_s;
  card.board_power = 200 * watt;  // 8 W for a TFLOP/s of fp32: the usual chip
  return card;
}

/// 1,000 million weights in 1 GB, of them a tenth in the head; no experts, no cache.
inline InferenceWork round_work() {
  InferenceWork work;
  work.hidden = 4096;
  work.attention_layers = 10;
  work.dense_weights = 1 * GB;
  work.dense_values = 1e9;
  work.head_values = 1e8;
  work.active_values = 9e8;
  work.format = FormatClass::f16;
  work.format_family = "float";
  return work;
}

/// Half of the bandwidth (odds of 1), half of the arithmetic, nothing for launches.
inline SpeedConstants round_constants() {
  SpeedConstants constants;
  constants.bandwidth_share = 1;
  constants.gemm_share = constants.batch_share = constants.attention_share = 0.5;
  constants.cache_share = 0.5;
  constants.all_reduce_latency = constants.all_reduce_share = 1;
  constants.unpack_operations = 2;
  constants.small_rows_operations = 4;
  constants.half_rows = constants.half_rows_expert = 64;
  return constants;
}

}  // namespace rigplan::test
