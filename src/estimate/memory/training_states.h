// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/estimate/memory/training_memory.h"

namespace rigplan {

/// Fills states, casts, gathered and host of one pipeline stage's card.
TrainingMemory training_states(const TransformerModel& model, const Job& job, const ParallelPlan& plan,
                               const TrainingStack& stack, int stage);

}  // namespace rigplan
