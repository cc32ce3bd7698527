// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/catalog/training_stack.h"
#include "rigplan/workload/job.h"
#include "rigplan/workload/model.h"

namespace rigplan {

/// Bytes that one layer keeps for the backward pass, per token of the micro-batch. `undivided` tensors are whole on every card of
/// a tensor-parallel group (unless sequence parallelism divides them), `divided` ones are split over its cards.
struct LayerActivations {
  double undivided = 0;
  double divided = 0;
  double scores = 0;       ///< of an attention that is not fused, at the job's sequence; divided; absent when recomputed
  double checkpoint = 0;   ///< the input of the layer
  double temporaries = 0;  ///< gradients that the layer's backward pass holds at once; divided

  double on_card(int tensor, bool sequence_parallel) const {
    return undivided / (sequence_parallel ? tensor : 1) + (divided + scores) / tensor;
  }
};
LayerActivations layer_activations(const TransformerModel& model, const LayerGroup& group, const Job& job,
                                   const TrainingStack& stack);

/// Bytes per token of the scores of one layer, fused or not.
double layer_scores(const TransformerModel& model, const LayerGroup& group, const Job& job);

/// Bytes of one value of the residual stream, and of what matrices multiply.
double residual_bytes(const Job& job, const TrainingStack& stack);
double compute_bytes(const Job& job);

}  // namespace rigplan
