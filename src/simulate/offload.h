// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simulate/data_parallel.h"

namespace rigplan {

/// Time per step that states in host memory add to the arithmetic of `count` micro-batches of `micro` each, the update by the
/// processors included.
Seconds offload_time(const SharedWeights&, const Job&, const ParallelPlan&, const TrainingStack&, const HostPath&, Seconds micro,
                     double count);

}  // namespace rigplan
