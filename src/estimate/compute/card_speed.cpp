// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/compute/card_speed.h"

namespace rigplan {
namespace {

std::string_view vendor_name(Vendor vendor) {
  switch (vendor) {
    case Vendor::amd:
      return "amd";
    case Vendor::nvidia:
      return "nvidia";
    case Vendor::intel:
      return "intel";
    case Vendor::huawei:
      return "huawei";
    case Vendor::moore_threads:
      return "moore-threads";
    case Vendor::other:
      break;
  }
  return "other";
}

}  // namespace

CardSpeed card_speed(const Gpu& gpu, const Architecture* architecture) {
  const auto& peaks = gpu.peaks;
  CardSpeed card;
  card.card = gpu.id;
  card.architecture = gpu.architecture;
  card.family = architecture ? architecture->family : "";
  card.memory_type = gpu.memory_type;
  card.vendor = vendor_name(gpu.vendor);
  card.vram = gpu.vram;
  card.memory = gpu.vram_bandwidth;
  card.matrix_units = peaks.fp16_matrix.has_value() || (architecture && architecture->matrix_units);
  const auto half_of_fp16 = peaks.fp16_vector ? 0.5 * *peaks.fp16_vector : FlopRate{};
  card.fp32 = peaks.fp32.value_or(half_of_fp16);
  const auto vector16 = architecture && !architecture->fast_fp16 ? card.fp32 : peaks.fp16_vector.value_or(card.fp32);
  card.matrix16 = peaks.fp16_matrix.value_or(peaks.bf16_matrix.value_or(vector16));
  card.matrix16_fast = peaks.fp16_matrix_fp16_accumulate.value_or(card.matrix16);
  // Chips without matrix units multiply four int8 pairs in the time of one fp32 operation (dp4a, v_dot4).
  card.int8 = peaks.int8.value_or(peaks.fp16_matrix ? card.matrix16 : 4 * card.fp32);
  card.fp8 = peaks.fp8.value_or(card.matrix16);
  card.fp4 = peaks.fp4.value_or(card.matrix16);
  card.board_power = gpu.board_power.value_or(Watts{});
  return card;
}

}  // namespace rigplan
