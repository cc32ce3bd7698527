// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "rigplan/catalog/gpu.h"

namespace rigplan {

/// What the formulas of speed need of a card. Rates are dense datasheet peaks; where a chip has no path for a format, the rate is
/// that of the path it falls back to, so none is 0 unless fp32 is unknown too.
struct CardSpeed {
  std::string card, architecture, family, memory_type, vendor;  ///< for the calibration's levels; vendor in lower case
  Bytes vram;
  Bandwidth memory;
  FlopRate fp32;
  FlopRate matrix16;       ///< fp16, accumulating in fp32
  FlopRate matrix16_fast;  ///< fp16, accumulating in fp16
  FlopRate int8;           ///< block formats of llama.cpp are multiplied as int8
  FlopRate fp8, fp4;
  bool matrix_units = false;
  Watts board_power;               ///< zero: unknown
  std::optional<Watts> power_cap;  ///< a limit set below board_power
};

/// @param architecture nullptr when the catalog has no entry for it
CardSpeed card_speed(const Gpu& gpu, const Architecture* architecture);

}  // namespace rigplan
