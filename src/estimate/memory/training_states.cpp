// SPDX-License-Identifier: Apache-2.0
#include "estimate/memory/training_states.h"

#include <algorithm>
#include <cmath>

#include "estimate/memory/activations.h"
#include "rigplan/estimate/memory/optimizer.h"
#include "rigplan/workload/matrices.h"

namespace rigplan {
namespace {

/// Weights on one card of a stage before any sharding over replicas.
struct Share {
  double layers = 0;     ///< matrices and norms of this stage's layers
  double one_layer = 0;  ///< the mean layer
  double embedding = 0, head = 0;
  double widest = 0;  ///< values of the largest matrix
  double adapters = 0;
  double factors = 0;  ///< rows and columns of the trained matrices, for factored moments
};

bool has_adapter(const Matrix& m, const Job& job) {
  if (job.kind == JobKind::full_finetune || m.group < 0 || m.kind == TensorClass::norms || m.kind == TensorClass::router)
    return false;
  return job.lora_all_linear || m.kind == TensorClass::attention || m.kind == TensorClass::recurrent;
}

Share share_of(const TransformerModel& model, const Job& job, const ParallelPlan& plan, int stage, bool unties_head = false) {
  const bool first = stage == 0, last = stage == plan.pipeline - 1;
  const double layers = model.layers(), deepest = std::ceil(layers / plan.pipeline);
  Share share;
  for (const auto& m : matrices(model)) {
    const double divided = m.kind == TensorClass::norms ? 1 : plan.tensor * (m.kind == TensorClass::experts ? plan.expert : 1);
    if (m.group >= 0) {
      const double mine = deepest / layers / divided;
      share.layers += m.values() * mine;
      share.one_layer += m.values() / layers / divided;
      if (has_adapter(m, job)) share.adapters += job.lora_rank * (m.columns + m.rows) * m.count * mine;
      if (m.kind != TensorClass::norms) share.widest = std::max(share.widest, m.columns * m.rows / plan.tensor);
      share.factors += (m.columns + m.rows) * m.count * mine;
    } else if (m.kind == TensorClass::head) {
      if (last) share.head += m.values() / divided;
    } else if (first || (last && model.tied_embeddings && m.kind == TensorClass::embedding)) {
      share.embedding += m.values() / divided;
    }
  }
  if (unties_head && model.tied_embeddings && last)
    share.head += static_cast<double>(model.vocabulary) * model.hidden / plan.tensor;
  share.factors += (first || last ? model.hidden + static_cast<double>(model.vocabulary) / plan.tensor : 0);
  return share;
}

/// Bytes of one weight of a quantised base model. 4-bit NormalFloat: Dettmers et al., arXiv:2305.14314: blocks of 64 with an fp32
/// scale, which double quantisation stores in one byte and an fp32 for 256 of them. GPTQ and AWQ: groups of 128 with a 16-bit
/// scale and a 4-bit zero.
double quantised_bytes(const Job& job, const TrainingStack& stack) {
  if (job.weight_format.find("NF4") == std::string::npos && job.weight_format.find("nf4") == std::string::npos)
    return 0.5 + 2.5 / 128;
  return 0.5 + (stack.double_quantisation ? 1.0 / 64 + 4.0 / (64 * 256) : 4.0 / 64);
}

/// Bytes per weight of what is trained.
struct StateWidths {
  double weight = 0, master = 0, gradient = 0, moment = 0;
};
StateWidths state_widths(const Job& job, const TrainingStack& stack) {
  const double e = compute_bytes(job);
  if (!job.fp32_master || job.precision == TrainingPrecision::fp32) return {e, 0, e, e};
  if (stack.mixed == MixedStyle::autocast) return {4, 0, 4, 4};
  return {e, 4, stack.gradient_bytes, 4};
}

double moment_bytes(const Job& job, double weights, double factors, double element) {
  const auto* optimizer = find_optimizer(job.optimizer);
  if (!optimizer) return 2 * element * weights;
  return state_bytes_per_weight(*optimizer, element) * weights + (optimizer->factored ? 4 * factors : 0);
}

void full_states(TrainingMemory& memory, const Share& share, const Job& job, const TrainingStack& stack) {
  const auto width = state_widths(job, stack);
  const double weights = share.layers + share.embedding + share.head;
  auto& s = memory.states;
  s.weights = Bytes{width.weight * weights};
  s.master = Bytes{width.master * weights};
  s.moments = Bytes{moment_bytes(job, weights, share.factors, width.moment)};
  s.gradients = Bytes{width.gradient * (stack.optimizer_in_backward ? share.one_layer : weights)};
  s.last_gradients = stack.optimizer_in_backward ? Bytes{} : Bytes{width.gradient * (share.embedding + share.one_layer)};
  if (job.fp32_master && stack.mixed == MixedStyle::autocast && job.precision != TrainingPrecision::fp32) {
    // A checkpointed layer's casts go with its first forward pass; those of the head stay.
    const double head = share.head > 0 ? share.head : share.embedding;
    memory.casts = Bytes{compute_bytes(job) * ((job.checkpointing == Checkpointing::full ? 0 : share.layers) + head)};
  }
}

void adapter_states(TrainingMemory& memory, const Share& share, const Job& job, const TrainingStack& stack) {
  const double e = compute_bytes(job), a = stack.adapter_bytes;
  const double frozen = job.kind == JobKind::qlora ? quantised_bytes(job, stack) : e;
  const double ends = job.train_embeddings ? share.embedding + share.head : 0;
  auto& s = memory.states;
  s.weights = Bytes{frozen * share.layers + e * share.embedding + (stack.quantises_head ? frozen : e) * share.head};
  // Embeddings that are trained besides: a copy of their own next to the frozen original, with moments in fp32.
  s.adapters = Bytes{a * share.adapters + e * ends};
  s.moments = Bytes{moment_bytes(job, share.adapters, 0, a) + moment_bytes(job, ends, 0, 4)};
  s.gradients = Bytes{a * share.adapters + e * ends};
  if (job.kind == JobKind::qlora) memory.gathered += Bytes{2 * e * share.widest};
}

}  // namespace

TrainingMemory training_states(const TransformerModel& model, const Job& job, const ParallelPlan& plan,
                               const TrainingStack& stack, int stage) {
  TrainingMemory memory;
  const auto share = share_of(model, job, plan, stage, stack.unties_head);
  if (job.kind == JobKind::full_finetune)
    full_states(memory, share, job, stack);
  else
    adapter_states(memory, share, job, stack);

  auto& s = memory.states;
  s.gradients_held = micro_steps(job, plan) > 1 || plan.pipeline > 1 || (plan.replicas > 1 && plan.sharding == 0);
  // Stages of ZeRO: Rajbhandari et al., arXiv:1910.02054.
  const double shards = plan.shard_cards > 0 ? plan.shard_cards : plan.replicas;
  if (plan.sharding >= 1) s.moments /= shards, s.master /= shards;
  if (plan.sharding >= 2) s.gradients /= shards, s.last_gradients /= shards;
  const bool sharded = plan.sharding >= 3 && shards > 1;
  if (sharded || job.offload == Offload::parameters) {
    // Two layers at once (the next one is fetched ahead), and the group that holds embedding and head.
    const double e = compute_bytes(job);
    const double layer = job.kind == JobKind::qlora ? quantised_bytes(job, stack) : e;
    memory.gathered += Bytes{2 * layer * share.one_layer + (e * (share.embedding + share.head))};
  }
  if (sharded) s.weights /= shards, s.adapters /= shards;
  if (job.offload != Offload::none) {
    memory.host += s.moments + s.master;
    s.moments = s.master = Bytes{};
  }
  if (job.offload == Offload::parameters) {
    memory.host += s.weights + s.gradients;
    s.weights = s.gradients = s.last_gradients = Bytes{};
  }
  return memory;
}

int micro_steps(const Job& job, const ParallelPlan& plan) {
  const int at_once = std::max(1, job.micro_sequences * plan.replicas);
  return std::max(1, (job.sequences_per_step + at_once - 1) / at_once);
}

double trained_weights(const TransformerModel& model, const Job& job) {
  const auto share = share_of(model, job, ParallelPlan{}, 0);
  if (job.kind == JobKind::full_finetune) return share.layers + share.embedding + share.head;
  return share.adapters + (job.train_embeddings ? share.embedding + share.head : 0);
}

}  // namespace rigplan
