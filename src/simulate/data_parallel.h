// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/catalog/training_stack.h"
#include "rigplan/estimate/compute/training_constants.h"
#include "rigplan/simulate/training.h"

namespace rigplan {

/// Weights of one card's share that data parallelism moves, before sharding.
struct SharedWeights {
  double all = 0;      ///< gathered where the model is sharded
  double trained = 0;  ///< their gradients are reduced
  double updated = 0;  ///< what one card's optimizer updates
  Bytes stored;        ///< of one gathered weight
  Bytes gradient;      ///< of one reduced gradient
};
SharedWeights shared_weights(const TransformerModel&, const Job&, const ParallelPlan&);

/// Time per step that gathers and reductions add to the arithmetic of `count` micro-batches of `micro` each.
Seconds data_parallel_time(const SharedWeights&, const Job&, const ParallelPlan&, const TrainingStack&, const TrainingFabric&,
                           const TrainingConstants&, Seconds micro, double count);

/// A large all-reduce at the bus bandwidth of the group.
Seconds all_reduce(const GroupFabric&, Bytes size);

/// What `transfer` adds to `work` when the longer hides the share `overlap` of the shorter.
Seconds exposed(Seconds work, Seconds transfer, double overlap);

}  // namespace rigplan
