// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/estimate/collectives/group_fabric.h"
#include "rigplan/estimate/compute/speed_constants.h"
#include "rigplan/workload/job.h"

namespace rigplan {

/// How the cards of one replica share the work.
struct SplitShape {
  SplitMode mode = SplitMode::single;
  int cards = 1;
  int tensor = 1;    ///< cards that share every matrix (tensor and row split)
  int pipeline = 1;  ///< stages that follow one another
  int expert = 1;    ///< cards among which routed experts are spread whole
};
SplitShape split_shape(const ParallelPlan& plan);

}  // namespace rigplan
