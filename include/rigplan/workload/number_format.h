// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rigplan/units/quantity.h"

namespace rigplan {

/// How a format is multiplied: decides which peak rate and which calibration class apply.
enum class FormatClass { f32, f16, bf16, f8, f4, int8_block, int4_block, k_quant_low, k_quant_4, k_quant_5_6, i_quant, gptq, nf4 };

/// A way to store numbers. Block formats have exact bytes per block.
struct NumberFormat {
  std::string_view name;   ///< "Q4_K", "F16", "MXFP4"
  FormatClass kind{};
  int block = 1;           ///< values in a block
  double block_bytes = 0;  ///< bytes of a block, scales included
  std::string_view family; ///< "gguf", "float", "gptq", "awq", "bnb", "fp8", "nvfp4"

  /// Bytes of `count` values, whole blocks.
  Bytes bytes(double count) const { return Bytes{count / block * block_bytes}; }
  double bits_per_value() const { return 8 * block_bytes / block; }
};

/// Nothing when there is no such format.
const NumberFormat* find_number_format(std::string_view name);
std::span<const NumberFormat> number_formats();

/// Which format each kind of tensor has in a file that a tool calls "Q4_K_M", "AWQ-4bit", "F16" ...: real mixes, so Q4_K_M is
/// 4.8 bits and not 4. Shares add to 1 over the layer weights; embedding and head are apart.
struct WeightMix {
  std::string_view name;
  FormatClass kind{};      ///< of the bulk of the weights
  std::string_view family;
  struct Part {
    const NumberFormat* format = nullptr;
    double share = 0;      ///< of the values of the layers' matrices
  };
  std::span<const Part> layers;
  const NumberFormat* embedding = nullptr;
  const NumberFormat* head = nullptr;
};

const WeightMix* find_weight_mix(std::string_view name);
std::span<const WeightMix> weight_mixes();

}  // namespace rigplan
