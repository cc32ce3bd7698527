// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/estimate/compute/speed_constants.h"

namespace rigplan {

/// Reading the caches of `streams` streams at `depth`, divided among at most as many cards as there are cached heads. One stream
/// leaves attention kernels short of parallel work, so it reads at the share `cache_share`; a large batch reaches 0.75 of the
/// bandwidth. (FlashDecoding, Dao et al. 2023, splits a long cache for the same reason.)
Seconds cache_time(const InferenceWork& work, const CardSpeed& card, const SpeedConstants& constants, int tensor, double depth,
                   double streams);

}  // namespace rigplan
