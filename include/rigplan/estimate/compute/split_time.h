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

/// What cards say to each other in one pass of `rows` tokens through the whole model: two all-reduces of rows x hidden values in
/// 2 bytes for each layer of a tensor split (Shoeybi et al. 2019, arXiv 1909.08053), gathers on the main card for a row split,
/// one hand-over at each boundary of a layer split or pipeline.
Seconds split_time(const SplitShape& split, const GroupFabric& fabric, const InferenceWork& work, const SpeedConstants& constants,
                   double rows);

}  // namespace rigplan
