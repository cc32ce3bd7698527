// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/compute/training_times.h"

#include <algorithm>
#include <cmath>

#include "rigplan/estimate/memory/optimizer.h"
#include "rigplan/workload/matrices.h"

namespace rigplan {
namespace {

double tokens_of(const Job& job, const ParallelPlan& plan) {
  const double tokens = job.sequence.in(token);
  return tokens * job.micro_sequences / plan.context;
}

/// Tiles at the edges of a matrix are partly empty: the rate rises with rows and width as x / (x + half).
double gemm_share(const TransformerModel& model, const Job& job, const ParallelPlan& plan, const TrainingConstants& c) {
  const double rows = tokens_of(job, plan), width = model.hidden / std::sqrt(static_cast<double>(plan.tensor));
  return c.gemm_efficiency * rows / (rows + c.rows_half) * width / (width + c.hidden_half);
}

FlopRate gemm_rate(const TransformerModel& model, const Job& job, const ParallelPlan& plan, const TrainingRate& rate,
                   const TrainingConstants& c) {
  return rate.peak * (gemm_share(model, job, plan, c) * (rate.fp8 ? c.fp8_gain : 1) / rate.emulation);
}

/// Operations of scores and weighted values of one token over the tokens it sees (half of the sequence on average when causal
/// halves are skipped), and the heads' scores for the passes of an attention that is not fused.
struct AttentionWork {
  double flops = 0, scores = 0;
};
struct AttentionWorkOf {
  double sequence;
  bool causal_half;

  double seen(double window) const {
    const double s = sequence, w = std::min(window, s);
    return causal_half ? w - w * w / (2 * s) : s;
  }
  AttentionWork operator()(const GroupedQuery& a) const { return of(a, sequence); }
  AttentionWork operator()(const SlidingWindow& a) const { return of(a.heads, a.window); }
  AttentionWork operator()(const Latent& a) const {
    const double n = seen(sequence);
    return {2.0 * a.heads * (a.nope_size + a.rope_size + a.value_size) * n, a.heads * n};
  }
  /// A scan reads, changes and writes its state: three multiply-adds a value.
  AttentionWork operator()(const Recurrent& a) const { return {6 * a.state_elements, 0}; }

  AttentionWork of(const GroupedQuery& a, double window) const {
    const double n = seen(window);
    return {2.0 * a.heads * (a.head_size + a.value_size) * n, a.heads * n};
  }
};

AttentionWork attention_work(const TransformerModel& model, const Job& job, bool causal_half) {
  AttentionWork sum;
  for (const auto& group : model.groups) {
    const auto work = std::visit(AttentionWorkOf{job.sequence.in(token), causal_half}, group.attention);
    sum.flops += group.count * work.flops;
    sum.scores += group.count * work.scores;
  }
  return sum;
}

struct InnerWidth {
  double operator()(const DenseFeedForward& f) const { return f.width * (f.gated ? 3.0 : 2.0); }
  double operator()(const MixtureOfExperts& f) const {
    return (static_cast<double>(f.active) * f.expert_width + static_cast<double>(f.shared_experts) * f.shared_width) *
           (f.gated ? 3.0 : 2.0);
  }
  double operator()(const NoFeedForward&) const { return 0; }
};

/// Values of one token that adapters pass through memory beside the frozen matrices: input and output of each adapted matrix
/// about three times (dropout; the second product, its scale, the sum with the frozen result: Hu et al., arXiv:2106.09685,
/// equation 3, one kernel each), unless a compiler makes one kernel of them.
double adapter_values(const LayerWeights& weights, const Job& job, const TrainingStack& stack) {
  const bool joined = stack.kernels == KernelStyle::compiled || stack.kernels == KernelStyle::fused;
  return joined || job.lora_rank < 1 ? 0 : 3 * weights.adapters / job.lora_rank;
}

constexpr Bytes nf4_read{0.56}, dequantised_write_and_read{4};

}  // namespace

LayerWeights layer_weights(const TransformerModel& model, const Job& job) {
  LayerWeights out;
  for (const auto& m : matrices(model)) {
    if (m.group < 0 || m.kind == TensorClass::norms) continue;
    if (m.kind == TensorClass::experts) {
      const auto& mix = std::get<MixtureOfExperts>(model.groups[static_cast<std::size_t>(m.group)].feed_forward);
      out.experts_all += m.values();
      out.experts_used += m.values() * mix.active / mix.experts;
    } else {
      out.dense += m.values();
    }
    const bool attention = m.kind == TensorClass::attention || m.kind == TensorClass::recurrent;
    if (job.kind != JobKind::full_finetune && m.kind != TensorClass::router && (attention || job.lora_all_linear))
      out.adapters += job.lora_rank * (m.columns + m.rows) * m.count;
  }
  return out;
}

double stage_layers(const TransformerModel& model, const ParallelPlan& plan) {
  return plan.interleave * std::ceil(static_cast<double>(model.layers()) / (plan.pipeline * plan.interleave));
}

double expert_layers(const TransformerModel& model) {
  double layers = 0;
  for (const auto& group : model.groups)
    if (std::holds_alternative<MixtureOfExperts>(group.feed_forward)) layers += group.count;
  return layers;
}

LayerPassTimes layer_pass_times(const TransformerModel& model, const Job& job, const ParallelPlan& plan,
                                const TrainingStack& stack, const TrainingCard& card, const TrainingRate& rate,
                                const TrainingConstants& c) {
  const double tokens = tokens_of(job, plan), share = stage_layers(model, plan) / model.layers(), part = share / plan.tensor;
  const auto weights = layer_weights(model, job);
  const auto gemm = gemm_rate(model, job, plan, rate, c);
  LayerPassTimes out;
  out.gemm = 2 * tokens * part * FLOP / gemm * (weights.dense + weights.experts_used * c.mixture_slowdown);
  out.adapters = 2 * tokens * part * FLOP / (0.5 * gemm) * weights.adapters;  // thin matrices: half the rate at best

  // Fused: Dao, arXiv:2307.08691; the causal half is skipped. Unfused: the whole square as matrices, and its scores go through
  // memory eleven times in forward and backward pass (scale, mask, softmax, dropout, copies); a third of them forward.
  const auto attention = attention_work(model, job, stack.fused_attention);
  const Bandwidth streamed = c.memory_efficiency * card.memory;
  if (stack.fused_attention) {
    out.attention = tokens * part * attention.flops * FLOP / (rate.peak * (c.attention_efficiency / rate.emulation));
  } else {
    out.attention = tokens * part * attention.flops * FLOP / (rate.peak * (gemm_share(model, job, plan, c) / rate.emulation)) +
                    tokens * part * attention.scores * (11.0 / 3 * 2) * byte / streamed;
  }
  double inner = 0;
  for (const auto& group : model.groups) inner += group.count * std::visit(InnerWidth{}, group.feed_forward);
  // Norms, dropouts and residuals of a tensor-parallel layer are done in full by every card unless the sequence is divided too:
  // table 4 of arXiv:2205.05198 gives 0.6 ms of a 22B layer's 19.6, which is 3 to 5 of the 13 values.
  const double repeated = plan.sequence_parallel ? plan.tensor : 1;
  const double values =
      (model.hidden * model.layers() * (5.0 / repeated + 8.0 / plan.tensor) + 3.2 * inner / plan.tensor) * share;
  out.elementwise = tokens * (values + adapter_values(weights, job, stack) * part) * c.elementwise_passes * 2 * byte / streamed;

  if (job.kind == JobKind::qlora)
    out.dequantisation =
        (weights.dense + weights.experts_all) * part * (nf4_read + dequantised_write_and_read) / (c.dequantisation * card.memory);
  return out;
}

Seconds backward_gemm(const LayerPassTimes& pass, const Job& job) {
  return (job.kind == JobKind::full_finetune ? 2 : 1) * pass.gemm + 2 * pass.adapters;
}
Seconds backward_attention(const LayerPassTimes& pass, const TrainingStack& stack) {
  // The fused backward pass recomputes the scores: five products instead of two.
  return (stack.fused_attention ? 2.5 : 2) * pass.attention;
}

Seconds loss_time(const TransformerModel& model, const Job& job, const ParallelPlan& plan, const TrainingCard& card,
                  const TrainingRate& rate, const TrainingConstants& c) {
  const double tokens = tokens_of(job, plan), logits = tokens * model.vocabulary / plan.tensor;
  const double products = job.kind == JobKind::full_finetune || job.train_embeddings ? 3 : 2;
  return products * 2 * logits * model.hidden * FLOP / gemm_rate(model, job, plan, rate, c) +
         10 * logits * byte / (c.memory_efficiency * card.memory);
}

Bytes optimizer_traffic(double weights, const Job& job, const TrainingStack& stack) {
  const bool mixed = job.fp32_master && job.precision != TrainingPrecision::fp32 && job.kind == JobKind::full_finetune;
  const double element = mixed || job.kind != JobKind::full_finetune ? 4 : 2;
  const auto* optimizer = find_optimizer(job.optimizer);
  const double states = optimizer ? state_bytes_per_weight(*optimizer, element) : 2 * element;
  // Reads and writes of weight and moments, one read of the gradient; a master copy is one more write of 16 bit.
  const double traffic = 2 * (element + states) + element + (mixed && stack.mixed == MixedStyle::master_copy ? 2 : 0);
  return Bytes{weights * traffic};
}

Seconds optimizer_time(double weights, const Job& job, const TrainingStack& stack, const TrainingCard& card,
                       const TrainingConstants& c) {
  return c.optimizer_traffic * optimizer_traffic(weights, job, stack) / (c.memory_efficiency * card.memory);
}

Flops training_flops_per_token(const TransformerModel& model, const Job& job) {
  const auto weights = layer_weights(model, job);
  const double head = static_cast<double>(model.hidden) * model.vocabulary;
  const double used = weights.dense + weights.experts_used + head;
  const double attention = 3 * attention_work(model, job, true).flops;
  if (job.kind == JobKind::full_finetune) return Flops{6 * used + attention};
  return Flops{4 * used + 6 * weights.adapters + attention};
}

}  // namespace rigplan
