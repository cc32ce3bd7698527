// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "rigplan/estimate/compute/training_times.h"
#include "rigplan/estimate/memory/training_memory.h"
#include "rigplan/search/plans.h"
#include "rigplan/search/training_search.h"

namespace rigplan {
namespace {

bool allows(std::optional<int> pin, int value) { return !pin || *pin == value; }

int experts_of(const TransformerModel& model) {
  for (const auto& group : model.groups)
    if (const auto* mixture = std::get_if<MixtureOfExperts>(&group.feed_forward)) return mixture->experts;
  return 1;
}

/// Sizes of a micro-batch that differ in the number of micro-steps: of those with as many steps, the smallest.
std::vector<int> micro_sizes(const Job& job, const TrainingShape& shape, std::optional<int> pin) {
  if (pin) return {*pin};
  const int each = (job.sequences_per_step + shape.data - 1) / shape.data;
  std::set<int> sizes;
  for (int steps = 1; steps <= each; ++steps) sizes.insert((each + steps - 1) / steps);
  return {sizes.begin(), sizes.end()};
}

/// Chunks of a stage: those that divide its layers evenly, where micro-batches come in whole rounds of the stages, which the
/// interleaved schedule asks for: Narayanan et al., arXiv:2104.04473, section 2.2.2.
std::vector<int> chunk_counts(const TransformerModel& model, const Job& job, const ParallelPlan& plan, std::optional<int> pin) {
  std::vector<int> counts;
  const int layers = model.layers(), stages = plan.pipeline;
  for (int chunks = 1; chunks <= layers / stages; ++chunks) {
    if (!allows(pin, chunks)) continue;
    if (chunks > 1 && (stages < 2 || layers % (stages * chunks) != 0 || micro_steps(job, plan) % stages != 0)) continue;
    counts.push_back(chunks);
  }
  return counts;
}

/// Stages of sharding, each over all copies, or within a machine where there are several.
std::vector<std::pair<int, int>> shardings(const TrainingShape& shape, std::optional<int> pin, int per_machine) {
  std::vector<std::pair<int, int>> found;
  const int local = per_machine / (shape.tensor * shape.pipeline);
  for (int stage = 0; stage <= (shape.data > 1 ? 3 : 0); ++stage) {
    if (!allows(pin, stage)) continue;
    found.emplace_back(stage, 0);
    if (stage > 0 && local > 1 && local < shape.data && shape.data % local == 0) found.emplace_back(stage, local);
  }
  return found;
}

}  // namespace

Job with_choice(Job job, const TrainingChoice& choice) {
  job.micro_sequences = choice.micro_sequences;
  job.checkpointing = choice.checkpointing;
  job.offload = choice.offload;
  return job;
}

std::vector<TrainingShape> training_shapes(const TransformerModel& model, const Job& job, int cards, const TrainingPins& pins) {
  std::vector<TrainingShape> shapes;
  const int experts = experts_of(model);
  for (int tensor = 1; tensor <= cards; ++tensor) {
    if (!allows(pins.tensor, tensor) || !divides(model, tensor)) continue;
    for (int pipeline = 1; pipeline <= std::min(cards / tensor, model.layers()); ++pipeline) {
      if (!allows(pins.pipeline, pipeline)) continue;
      const int data = pins.data.value_or(std::min(cards / (tensor * pipeline), job.sequences_per_step));
      if (tensor * pipeline * data > cards) continue;
      for (int expert = 1; expert <= std::min(data, experts); ++expert)
        if (allows(pins.expert, expert) && data % expert == 0 && experts % expert == 0)
          shapes.push_back({tensor, pipeline, data, expert});
    }
  }
  return shapes;
}

std::vector<TrainingChoice> training_choices(const TransformerModel& model, const Job& job, const TrainingShape& shape,
                                             const TrainingPins& pins, bool may_offload, int per_machine) {
  std::vector<TrainingChoice> choices;
  ParallelPlan plan;
  plan.split = shape.tensor > 1 ? SplitMode::tensor : shape.pipeline > 1 ? SplitMode::layer : SplitMode::single;
  plan.cards = shape.tensor * shape.pipeline;
  plan.tensor = shape.tensor, plan.pipeline = shape.pipeline, plan.expert = shape.expert, plan.replicas = shape.data;
  auto sized = job;
  for (const int micro : micro_sizes(job, shape, pins.micro_sequences)) {
    sized.micro_sequences = micro;
    for (const int chunks : chunk_counts(model, sized, plan, pins.interleave))
      for (const auto& [stage, local] : shardings(shape, pins.sharding, per_machine))
        for (const bool divided : {false, true}) {
          if (pins.sequence_parallel ? divided != *pins.sequence_parallel : divided && shape.tensor < 2) continue;
          plan.interleave = chunks, plan.sharding = stage, plan.shard_cards = local, plan.sequence_parallel = divided;
          for (const auto kept : {Checkpointing::none, Checkpointing::selective, Checkpointing::full}) {
            if (pins.checkpointing && kept != *pins.checkpointing) continue;
            for (const auto offload : {Offload::none, Offload::optimizer, Offload::parameters})
              if (pins.offload ? offload == *pins.offload : offload == Offload::none || may_offload)
                choices.push_back({plan, micro, kept, offload});
          }
        }
  }
  return choices;
}

}  // namespace rigplan
