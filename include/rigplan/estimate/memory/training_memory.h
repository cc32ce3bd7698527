// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rigplan/catalog/training_stack.h"
#include "rigplan/units/quantity.h"
#include "rigplan/workload/job.h"
#include "rigplan/workload/model.h"

namespace rigplan {

enum class TrainingPhase { forward, backward, step };

/// What a card keeps for its share of the weights; what is sharded over replicas or offloaded is divided or absent already.
struct TrainingStates {
  Bytes weights;                ///< frozen and trained, in the format that is multiplied or stored
  Bytes master;                 ///< fp32 copies beside 16-bit weights
  Bytes moments;                ///< the optimizer's
  Bytes adapters;               ///< weights of adapters
  Bytes gradients;              ///< of all trained weights
  Bytes last_gradients;         ///< those that exist only when the backward pass has ended: of embedding and first layer
  bool gradients_held = false;  ///< during the forward pass too: accumulated, or the buckets of data parallelism
  bool operator==(const TrainingStates&) const = default;
};

/// Memory of one card in training. Where cards differ (pipeline stages) this is the fullest one.
struct TrainingMemory {
  TrainingStates states;
  Bytes casts;        ///< 16-bit copies of fp32 weights that autocast keeps during the forward pass
  Bytes gathered;     ///< whole layers of a sharded model, and dequantised matrices
  Bytes activations;  ///< kept between forward and backward pass
  Bytes layer;        ///< what the backward pass of one layer needs: its activations, recomputed or kept, and temporary gradients
  Bytes logits;       ///< with what the loss makes of them
  Bytes workspace;    ///< of the matrix library, and the program's own buffers

  Bytes after_forward, in_backward, at_step;  ///< totals of the three phases
  TrainingPhase peak_phase{};
  Bytes peak;  ///< the greatest of the three, as the allocator reports it
  Bytes host;  ///< offloaded states and checkpoints, in host memory, of this card
};

/// Memory of the fullest card.
/// The peak is the greatest of three: the end of the forward pass, the backward pass of one layer, the optimizer step.
TrainingMemory estimate_training_memory(const TransformerModel&, const Job&, const ParallelPlan&, const TrainingStack&);

/// Micro-steps of the replica that has most of them: sequences that do not divide evenly keep the others waiting.
int micro_steps(const Job&, const ParallelPlan&);

/// Weights that are trained: all, or those of the adapters (and embeddings where the job says so).
double trained_weights(const TransformerModel&, const Job&);

}  // namespace rigplan
