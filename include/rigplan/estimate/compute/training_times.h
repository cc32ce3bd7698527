// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/estimate/compute/training_constants.h"
#include "rigplan/workload/model.h"

namespace rigplan {

/// Time of one micro-batch in the layers of one card, forward pass alone unless said otherwise.
struct LayerPassTimes {
  Seconds gemm;      ///< matrices of the model
  Seconds adapters;  ///< matrices of the adapters
  Seconds attention;
  Seconds elementwise;
  Seconds dequantisation;  ///< once for each pass that needs the weights

  Seconds forward() const { return gemm + adapters + attention + elementwise; }
};
/// Layers of the stage that has most of them, all its chunks together.
double stage_layers(const TransformerModel&, const ParallelPlan&);

/// Layers that route tokens to experts.
double expert_layers(const TransformerModel&);

/// Layers of the deepest stage, widths 1/tensor.
LayerPassTimes layer_pass_times(const TransformerModel&, const Job&, const ParallelPlan&, const TrainingStack&,
                                const TrainingCard&, const TrainingRate&, const TrainingConstants&);

/// The backward pass of the same layers, without recomputation.
/// Frozen matrices need the gradient of their inputs only: one product instead of two.
Seconds backward_gemm(const LayerPassTimes&, const Job&);
Seconds backward_attention(const LayerPassTimes&, const TrainingStack&);

/// Head and cross entropy of one micro-batch, forward and backward, on the card that has the head.
Seconds loss_time(const TransformerModel&, const Job&, const ParallelPlan&, const TrainingCard&, const TrainingRate&,
                  const TrainingConstants&);

/// Bytes that one update of `weights` weights reads and writes.
Bytes optimizer_traffic(double weights, const Job&, const TrainingStack&);

/// One update of `weights` weights on a card; bytes bound.
Seconds optimizer_time(double weights, const Job&, const TrainingStack&, const TrainingCard&, const TrainingConstants&);

/// Useful operations of one token. 6 a weight in full training; 4 a frozen and 6 an adapter weight with adapters; causal
/// attention at the job's sequence, backward twice the forward.
Flops training_flops_per_token(const TransformerModel&, const Job&);

/// Weights of the layers that one token is multiplied with; routed experts apart.
struct LayerWeights {
  double dense = 0, experts_used = 0, experts_all = 0, adapters = 0;
};
LayerWeights layer_weights(const TransformerModel&, const Job&);

}  // namespace rigplan
