// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "rigplan/search/evaluator.h"

namespace rigplan {

/// What of a plan is not to be searched, because the asker knows it. Unset: everything that rig and model allow.
struct TrainingPins {
  std::optional<int> tensor, pipeline, data, expert, sharding, interleave, micro_sequences;
  std::optional<bool> sequence_parallel;
  std::optional<Checkpointing> checkpointing;
  std::optional<Offload> offload;
};

/// Degrees that say which cards talk to which.
struct TrainingShape {
  int tensor = 1, pipeline = 1, data = 1, expert = 1;
  int cards() const { return tensor * pipeline * data; }
  auto operator<=>(const TrainingShape&) const = default;
};

/// One way to train: a plan, and what of the job goes with it.
struct TrainingChoice {
  ParallelPlan plan;
  int micro_sequences = 1;
  Checkpointing checkpointing = Checkpointing::full;
  Offload offload = Offload::none;
};
/// The job under this choice.
Job with_choice(Job job, const TrainingChoice& choice);

/// The best choice of one shape: of those that fit and are within 1 % of the fastest, the one that needs least (no offload, few
/// chunks, little sharding); where none fits, the one that misses least.
struct ShapeResult {
  TrainingShape shape;
  TrainingChoice choice;
  bool fits = false;
  Seconds step;   ///< of one optimizer step; where it fits
  Bytes missing;  ///< on the fullest card or in host memory; where it does not fit
  Bytes host;     ///< of one machine's memory, for all its cards
  std::int64_t tried = 0, fit = 0;
  std::optional<PlanResult> result;     ///< of the shapes that get a full look
  std::optional<PlanResult> with_peer;  ///< the same where peer access works, if that is not known
};

struct TrainingSearch {
  std::vector<ShapeResult> shapes;  ///< the fastest first; then those that do not fit, the least missing first
  std::int64_t tried = 0, fit = 0;
  bool host_memory_known = true;  ///< else nothing is offloaded, unless the pins ask for it
};

/// The shapes that divide the model on at most `cards` cards; of each, as many copies as there are cards and sequences for.
std::vector<TrainingShape> training_shapes(const TransformerModel& model, const Job& job, int cards, const TrainingPins& pins);

/// Every choice of a shape, in a fixed order.
/// @param per_machine cards of one machine where there are several: copies may then be sharded within it alone; else 0
std::vector<TrainingChoice> training_choices(const TransformerModel& model, const Job& job, const TrainingShape& shape,
                                             const TrainingPins& pins, bool may_offload, int per_machine);

/// Tries every plan of the evaluator's job on the rig: tensor x pipeline x data x expert degrees, micro-batch, checkpointing,
/// sharding, interleaved chunks, sequence parallelism, offload to host memory that the rig states. Peer access that is not known
/// counts as absent. Cards must be alike.
/// @param looks shapes that get a full look, from the first one on; 0: all
TrainingSearch search_training(const Evaluator& evaluator, const RigGraph& graph, const TrainingPins& pins, int looks);

}  // namespace rigplan
