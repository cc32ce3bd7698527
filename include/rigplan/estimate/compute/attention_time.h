// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/estimate/compute/speed_constants.h"

namespace rigplan {

/// Attention of `rows` new tokens behind `behind` cached ones: quadratic in the prompt, at a share of the fp16 matrix peak that
/// stands for the kernel (fused or not).
Seconds attention_time(const InferenceWork& work, const CardSpeed& card, const SpeedConstants& constants, int tensor,
                       double behind, double rows);

}  // namespace rigplan
