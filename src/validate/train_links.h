// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/catalog/gpu.h"
#include "rigplan/simulate/training.h"
#include "rigplan/validate/measurement.h"

namespace rigplan {

/// Links of the plan's groups, from what a row says of them and from what such cards have: usual figures of a class of link, not
/// a rig.
TrainingFabric train_links(const Measurement& row, const Gpu& gpu, const ParallelPlan& plan);

}  // namespace rigplan
