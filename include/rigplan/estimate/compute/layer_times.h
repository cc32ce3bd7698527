// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/estimate/compute/speed_constants.h"

namespace rigplan {

/// Launches and gaps of one pass through all layers: what an infinitely fast card would still take. Expert layers cost more
/// (routing, gathering, one product per expert), recurrent layers cost what their own kernels cost, low-rank
/// projections and caches compressed along the context add products and kernels of their own (DeepSeek-V2, arXiv 2405.04434).
Seconds layer_times(const InferenceWork& work, const SpeedConstants& constants);

}  // namespace rigplan
