// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/memory/training_memory.h"

#include <algorithm>
#include <cmath>

#include "estimate/memory/activations.h"
#include "estimate/memory/training_states.h"

namespace rigplan {
namespace {

/// Two handles of the matrix library, each with its usual 32 MiB on current chips.
constexpr Bytes matrix_workspace = 64 * MiB;

/// Micro-batches whose activations the stage holds at once. 1F1B holds as many as there are stages behind it; interleaving adds
/// (p - 1) / (p v): Narayanan et al., arXiv:2104.04473, section 2.2, and Korthikanti et al., arXiv:2205.05198, section 4.2.
double micro_batches_in_flight(const Job& job, const ParallelPlan& plan, int stage) {
  const int accumulation = micro_steps(job, plan);
  const double stages = plan.pipeline;
  const double held = std::min<double>(accumulation, stages - stage);
  const bool interleaved = plan.interleave > 1 && stage == 0 && accumulation > plan.pipeline;
  return held * (interleaved ? 1 + (stages - 1) / (stages * plan.interleave) : 1);
}

struct Activations {
  Bytes kept, layer, hidden, host;
};

/// Share of the layers whose activations are dropped and computed again. Selective recomputation drops the scores of an attention
/// that keeps them, and every other layer where there are none.
double dropped_layers(const Job& job, const TrainingStack& stack) {
  if (job.checkpointing == Checkpointing::full) return 1;
  return job.checkpointing == Checkpointing::selective && stack.fused_attention ? 0.5 : 0;
}

/// Activations of one micro-batch on one card of a stage; `layer` is the largest layer in full with its temporary gradients.
Activations stage_activations(const TransformerModel& model, const Job& job, const ParallelPlan& plan,
                              const TrainingStack& stack) {
  const double sequence = job.sequence.in(token), tokens = sequence * job.micro_sequences / plan.context;
  const int shared = plan.sequence_parallel ? plan.tensor : 1;
  Activations out;
  for (const auto& group : model.groups) {
    const auto layer = layer_activations(model, group, job, stack);
    const double full = layer.on_card(plan.tensor, plan.sequence_parallel);
    const double dropped = dropped_layers(job, stack);
    const double count = std::ceil(static_cast<double>(group.count) / plan.pipeline);
    const Bytes checkpoints{dropped * count * layer.checkpoint / shared * tokens};
    (stack.checkpoints_on_host ? out.host : out.kept) += checkpoints;
    out.kept += Bytes{(1 - dropped) * count * full * tokens};
    const double scores = job.checkpointing == Checkpointing::selective && !stack.fused_attention
                              ? layer_scores(model, group, job) / plan.tensor
                              : 0;
    const double now = (dropped > 0 ? layer.checkpoint / shared : 0) + full + scores + layer.temporaries / plan.tensor;
    out.layer = std::max(out.layer, Bytes{now * tokens});
  }
  // The last norm: its input and its output. Checkpoints that leave for the host keep two layers on their way.
  const double ends = residual_bytes(job, stack) + compute_bytes(job) + (out.host > Bytes{} ? 2 * residual_bytes(job, stack) : 0);
  out.hidden = Bytes{ends * model.hidden * tokens / shared};
  return out;
}

struct Logits {
  Bytes peak, kept;
};
Logits logits(const TransformerModel& model, const Job& job, const ParallelPlan& plan, const TrainingStack& stack) {
  const double values = job.sequence.in(token)*job.micro_sequences * model.vocabulary / (plan.tensor * plan.context);
  const bool mixed = job.fp32_master && job.kind == JobKind::full_finetune;
  const double fp32 = job.precision == TrainingPrecision::fp32 ? 2 : 1;
  const double bytes = mixed                        ? stack.mixed_logit_bytes
                       : job.kind == JobKind::qlora ? stack.quantised_logit_bytes
                                                    : stack.logit_bytes;
  switch (stack.loss) {
    case LossStyle::whole:
      return {Bytes{values * fp32 * bytes}, Bytes{values * compute_bytes(job)}};
    case LossStyle::chunked:
      return {Bytes{values * fp32 * bytes}, Bytes{}};
    case LossStyle::fused:
      break;
  }
  return {};
}

/// One stage of the pipeline.
TrainingMemory stage_memory(const TransformerModel& model, const Job& job, const ParallelPlan& plan, const TrainingStack& stack,
                            int stage) {
  auto memory = training_states(model, job, plan, stack, stage);
  const bool last = stage == plan.pipeline - 1;
  const auto acts = stage_activations(model, job, plan, stack);
  const auto loss = last ? logits(model, job, plan, stack) : Logits{};
  const double in_flight = micro_batches_in_flight(job, plan, stage);
  memory.activations = in_flight * acts.kept + (last ? acts.hidden : Bytes{});
  memory.layer = acts.layer;
  memory.logits = loss.peak;
  memory.workspace = matrix_workspace + stack.program;
  memory.host += in_flight * acts.host;

  const auto& states = memory.states;
  const Bytes always = states.weights + states.master + states.moments + states.adapters + memory.gathered + memory.workspace;
  const Bytes held = states.gradients_held ? states.gradients : Bytes{};
  memory.after_forward = always + held + memory.casts + memory.activations + memory.logits;
  const Bytes grads = states.gradients_held ? states.gradients : states.gradients - states.last_gradients;
  memory.in_backward = always + grads + (in_flight - 1) * acts.kept + acts.layer + loss.kept;
  memory.at_step = always + states.gradients + loss.kept;
  const Bytes totals[] = {memory.after_forward, memory.in_backward, memory.at_step};
  const auto* peak = std::max_element(std::begin(totals), std::end(totals));
  memory.peak_phase = static_cast<TrainingPhase>(peak - totals);
  memory.peak = stack.reserved_over_allocated * *peak;
  return memory;
}

}  // namespace

TrainingMemory estimate_training_memory(const TransformerModel& model, const Job& job, const ParallelPlan& plan,
                                        const TrainingStack& stack) {
  auto fullest = stage_memory(model, job, plan, stack, 0);
  if (plan.pipeline > 1) {
    const auto last = stage_memory(model, job, plan, stack, plan.pipeline - 1);
    if (last.peak > fullest.peak) fullest = last;
  }
  return fullest;
}

}  // namespace rigplan
