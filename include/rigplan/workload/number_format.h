// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rigplan/units/quantity.h"

namespace rigplan {

/// How a format is multiplied: decides which peak rate and which calibration class apply.
enum class FormatClass {
  f32,
  f16,
  bf16,
  f8,
  f4,
  int8_block,
  int4_block,
  k_quant_low,
  k_quant_4,
  k_quant_5_6,
  i_quant,
  gptq,
  nf4
};

/// A way to store numbers. Block formats have exact bytes per block.
struct NumberFormat {
  std::string_view name;  ///< "Q4_K", "F16", "MXFP4"
  FormatClass kind{};
  int block = 1;            ///< values in a block
  double block_bytes = 0;   ///< bytes of a block, scales included
  std::string_view family;  ///< "gguf", "float", "gptq", "awq", "bnb", "fp8", "nvfp4", "mlx", "exl2"

  /// Bytes of `count` values, whole blocks.
  Bytes bytes(double count) const { return Bytes{count / block * block_bytes}; }
  double bits_per_value() const { return 8 * block_bytes / block; }
};

/// By name or a usual spelling ("bf16", "fp8", "q8_0"), without regard to case; nothing when there is no such format.
const NumberFormat* find_number_format(std::string_view name);
std::span<const NumberFormat> number_formats();

/// What llama.cpp's quantiser calls a file type. Each one is a rule that gives some matrices more bits than the rest.
enum class GgufRule {
  none,  ///< every matrix of the layers alike
  q2_k,
  q2_k_s,
  q3_k_s,
  q3_k_m,
  q3_k_l,
  q4_k_s,
  q4_k_m,
  q5_k_m,
  iq1_s,
  iq1_m,
  iq2_xxs,
  iq2_xs,
  iq2_s,
  iq2_m,
  iq3_xxs,
  iq3_xs,
  iq3_s,
  iq3_m,
  iq4_xs,
};

/// Which format each kind of tensor has in a file that a tool calls "Q4_K_M", "AWQ", "F16" ...: a real mix, so Q4_K_M is
/// 4.8 bits and not 4. The shares of the formats depend on the model: see weight_bytes() in parameters.h.
struct WeightMix {
  std::string_view name;
  FormatClass kind{};  ///< of the bulk of the weights
  std::string_view family;
  const NumberFormat* bulk = nullptr;       ///< of most matrices of the layers
  const NumberFormat* others = nullptr;     ///< of matrices outside the experts where only experts are quantised; else as bulk
  const NumberFormat* embedding = nullptr;  ///< of an embedding that is not the output head too
  const NumberFormat* head = nullptr;       ///< of the output head, and of an embedding that is tied to it
  const NumberFormat* small = nullptr;      ///< of norms, biases and routers
  GgufRule rule = GgufRule::none;
};

/// By name or a usual spelling ("q4_k_m", "Q4_K - Medium", "gptq-int4"), without regard to case; nothing when unknown.
const WeightMix* find_weight_mix(std::string_view name);
std::span<const WeightMix> weight_mixes();

}  // namespace rigplan
