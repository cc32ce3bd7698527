// SPDX-License-Identifier: Apache-2.0
#include "rigplan/simulate/training.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "rigplan/estimate/compute/training_times.h"
#include "rigplan/estimate/memory/training_memory.h"
#include "rigplan/units/message.h"
#include "simulate/data_parallel.h"
#include "simulate/offload.h"

namespace rigplan {
namespace {

/// What a micro-batch costs on one card of an inner stage, without loss.
struct MicroBatch {
  LayerPassTimes pass;
  Seconds attention, gemm, elementwise, recompute, dequantisation;
  Seconds launch;  ///< wait beyond the arithmetic
  Seconds tensor;  ///< all-reduces
  Seconds expert;  ///< all-to-alls

  Seconds arithmetic() const { return gemm + attention + elementwise + recompute + dequantisation; }
  Seconds total() const { return arithmetic() + launch + tensor + expert; }
};

/// Full: one more forward pass. Selective: the attention alone where its scores are kept (Korthikanti et al., arXiv:2205.05198),
/// every other layer where the attention is fused and there is nothing else to drop.
Seconds recompute_time(const LayerPassTimes& pass, const Job& job, const TrainingStack& stack) {
  switch (job.checkpointing) {
    case Checkpointing::none:
      return {};
    case Checkpointing::selective:
      return stack.fused_attention ? 0.5 * pass.forward() : pass.attention;
    case Checkpointing::full:
      return pass.forward();
  }
  return {};
}

/// Two all-reduces a layer in each pass of a tensor-parallel group: Shoeybi et al., arXiv:1909.08053. With sequence parallelism
/// each becomes a reduce-scatter and a gather of the same bytes.
Seconds tensor_time(const TransformerModel& model, const Job& job, const ParallelPlan& plan, const GroupFabric& fabric) {
  if (plan.tensor < 2) return {};
  const Bytes size{job.sequence.in(token)*job.micro_sequences / plan.context * model.hidden *
                   (job.precision == TrainingPrecision::fp32 ? 4 : 2)};
  const double reductions = job.checkpointing == Checkpointing::full ? 6 : 4;
  return reductions * stage_layers(model, plan) * all_reduce(fabric, size);
}

/// Tokens go to the cards of their experts and come back, in either pass, and again where the forward pass is repeated: Lepikhin
/// et al., arXiv:2006.16668, section 3.2. Each card keeps 1/e of what it sends.
Seconds expert_time(const TransformerModel& model, const Job& job, const ParallelPlan& plan, const GroupFabric& fabric) {
  if (plan.expert < 2 || fabric.cards < 2) return {};
  double sent = 0;  // values of one token over all layers
  for (const auto& group : model.groups)
    if (const auto* mixture = std::get_if<MixtureOfExperts>(&group.feed_forward))
      sent += static_cast<double>(group.count) * mixture->active * model.hidden;
  const double share = stage_layers(model, plan) / model.layers(), e = plan.expert;
  const double tokens = job.sequence.in(token)*job.micro_sequences / plan.context / (plan.sequence_parallel ? plan.tensor : 1);
  const double exchanges = job.checkpointing == Checkpointing::full ? 6 : 4;
  return exchanges * (share * expert_layers(model) * fabric.all_reduce_latency +
                      share * sent * tokens * (e - 1) / e * 2 * byte / fabric.all_reduce_bus);
}

/// What a stage passes on of one micro-batch. Each card of a tensor-parallel group sends its part: arXiv:2104.04473, section 4.1.
Bytes stage_boundary(const TransformerModel& model, const Job& job, const ParallelPlan& plan) {
  return Bytes{job.sequence.in(token)*job.micro_sequences / plan.context * model.hidden * 2 / plan.tensor};
}

/// Each micro-batch passes every chunk of a stage forward and backward. A stage of one chunk waits for what it is passed; one of
/// several works on another chunk meanwhile and waits for the start of each transfer, and for what outlasts the work.
Seconds hop_wait(const ParallelPlan& plan, Seconds hop, Seconds start, Seconds work) {
  const double hops = 2.0 * plan.interleave;
  return plan.interleave == 1 ? hops * hop : hops * start + std::max(Seconds{}, hops * (hop - start) - work);
}

MicroBatch micro_batch(const TransformerModel& model, const Job& job, const ParallelPlan& plan, const TrainingStack& stack,
                       const TrainingCard& card, const TrainingRate& rate, const TrainingFabric& fabric,
                       const TrainingConstants& c) {
  MicroBatch m;
  m.pass = layer_pass_times(model, job, plan, stack, card, rate, c);
  m.gemm = m.pass.gemm + m.pass.adapters + backward_gemm(m.pass, job);
  m.attention = m.pass.attention + backward_attention(m.pass, stack);
  m.elementwise = 3 * m.pass.elementwise;
  m.recompute = recompute_time(m.pass, job, stack);
  m.dequantisation = (job.checkpointing == Checkpointing::full ? 3 : 2) * m.pass.dequantisation;
  const Seconds host = stage_layers(model, plan) * c.launch;
  m.launch = std::max(Seconds{}, host - m.arithmetic());
  m.tensor = tensor_time(model, job, plan, fabric.tensor) * (stack.overlaps_tensor ? 1 - c.tensor_overlap : 1);
  m.expert = expert_time(model, job, plan, fabric.expert);
  return m;
}

std::string limiting(const TrainingParts& p) {
  const std::array<std::pair<Seconds, const char*>, 6> resources = {{
      {p.gemm + p.attention + p.recompute, msg("arithmetic")},
      {p.elementwise + p.dequantisation + p.optimizer, msg("memory bandwidth")},
      {p.host_launch, msg("host launches")},
      {p.tensor_comm + p.expert_comm + p.exposed_comm + p.stage_hops, msg("links")},
      {p.offload, msg("host memory")},
      {p.bubble, msg("pipeline bubble")},
  }};
  return std::max_element(resources.begin(), resources.end(), [](const auto& a, const auto& b) { return a.first < b.first; })
      ->second;
}

Seconds sum(const TrainingParts& p) {
  return p.gemm + p.attention + p.elementwise + p.recompute + p.dequantisation + p.loss + p.host_launch + p.tensor_comm +
         p.expert_comm + p.exposed_comm + p.stage_hops + p.bubble + p.offload + p.optimizer;
}

bool seen(const Calibration& calibration, const std::string& level) {
  const auto term = calibration.terms.find("gemm_efficiency");
  return term != calibration.terms.end() && term->second.offsets.contains(level);
}

Range<double> spread_of(const Calibration& calibration, const TrainingCard& card) {
  if (calibration.spreads.empty()) return Range<double>::exactly(1);
  const std::string_view distance = seen(calibration, "arch:" + card.architecture) ? "known"
                                    : seen(calibration, "family:" + card.family)   ? "known-architecture"
                                                                                   : "unknown";
  const auto& spread = calibration.spread("train", distance);
  return {std::exp(spread.low), 1, std::exp(spread.high)};
}

}  // namespace

LinkClass sharing_link(const ParallelPlan& plan, const TrainingFabric& fabric) {
  if (plan.replicas < 2) return LinkClass::none;
  return plan.sharding >= 3 ? fabric.shard.kind : fabric.data.kind;
}

TrainingStep simulate_training(const TransformerModel& model, const Job& job, const ParallelPlan& plan,
                               const TrainingStack& stack, const TrainingCard& card, const TrainingFabric& fabric,
                               const TrainingConstants& c) {
  const auto rate = training_rate(card, job.precision, c.bf16_emulation);
  const auto micro = micro_batch(model, job, plan, stack, card, rate, fabric, c);
  // The stage with the head works longer; with many stages the others fill half of that time.
  const Seconds loss = (plan.pipeline > 1 ? 0.5 : 1) * loss_time(model, job, plan, card, rate, c);
  const double count = micro_steps(job, plan);
  const auto shares = shared_weights(model, job, plan);

  TrainingStep out;
  auto& p = out.parts;
  p.gemm = count * micro.gemm;
  p.attention = count * micro.attention;
  p.elementwise = count * micro.elementwise;
  p.recompute = count * micro.recompute;
  p.dequantisation = count * micro.dequantisation;
  p.host_launch = count * micro.launch;
  p.tensor_comm = count * micro.tensor;
  p.expert_comm = count * micro.expert;
  p.loss = count * loss;
  p.exposed_comm = data_parallel_time(shares, job, plan, stack, fabric, c, micro.total(), count);
  if (plan.pipeline > 1) {
    // 1F1B: Narayanan et al., arXiv:2104.04473, section 2.2: (p - 1) / v micro-batches of idle time, and the hops of the first
    // one.
    const Seconds hop = fabric.pipeline.hop(stage_boundary(model, job, plan));
    p.bubble = (plan.pipeline - 1.0) * ((1.0 / plan.interleave) * micro.total() + 2 * hop);
    p.stage_hops = count * hop_wait(plan, hop, fabric.pipeline.hop_latency, micro.total());
  }
  if (job.offload == Offload::none)
    p.optimizer = optimizer_time(shares.updated, job, stack, card, c);
  else
    p.offload = offload_time(shares, job, plan, stack, fabric.host, micro.total(), count);

  out.step = sum(p);
  const Tokens tokens = job.sequences_per_step * job.sequence;
  out.tokens = tokens / out.step;
  out.model_flops = tokens.in(token)*training_flops_per_token(model, job);
  out.usable = out.model_flops / out.step;
  const double cards = static_cast<double>(plan.tensor) * plan.pipeline * plan.context * plan.replicas;
  const auto nominal = job.precision == TrainingPrecision::fp32 ? card.peaks.fp32.value_or(rate.peak) : rate.peak;
  out.mfu = out.usable / (cards * nominal);
  out.limited_by = limiting(p);
  out.precision_note = rate.note;
  return out;
}

TrainingStep simulate_training(const TransformerModel& model, const Job& job, const ParallelPlan& plan,
                               const TrainingStack& stack, const TrainingCard& card, const TrainingFabric& fabric,
                               const Calibration& calibration) {
  auto levels = training_levels(card, stack, job, plan, sharing_link(plan, fabric));
  auto step = simulate_training(model, job, plan, stack, card, fabric, training_constants(calibration, levels, stack));
  step.factor = spread_of(calibration, card);
  step.levels = std::move(levels);
  return step;
}

}  // namespace rigplan
