// SPDX-License-Identifier: Apache-2.0
#include "rigplan/simulate/training.h"

#include <catch2/catch.hpp>

#include "rigplan/estimate/compute/training_times.h"
#include "rigplan/estimate/memory/training_memory.h"
#include "simulate/data_parallel.h"

using namespace rigplan;

namespace {

TransformerModel dense(int layers, int hidden, int heads, int kv_heads, int head_size, int width, int vocabulary,
                       bool gated = true) {
  TransformerModel model;
  model.hidden = hidden;
  model.vocabulary = vocabulary;
  model.groups = {{layers, GroupedQuery{.heads = heads, .kv_heads = kv_heads, .head_size = head_size, .value_size = head_size},
                   DenseFeedForward{.width = width, .gated = gated}}};
  return model;
}
const TransformerModel llama7 = dense(32, 4096, 32, 32, 128, 11008, 32000);
const TransformerModel megatron22 = dense(48, 6144, 64, 64, 96, 24576, 51200, false);

const Calibration& calibration() {
  static const auto fitted = built_in_calibration("training");
  return fitted;
}

TrainingCard a100() {
  TrainingCard card;
  card.peaks.fp16_matrix = card.peaks.bf16_matrix = 312 * TFLOP_per_s;
  card.peaks.fp32 = 19.5 * TFLOP_per_s;
  card.memory = 2039 * GB_per_s;
  card.architecture = "sm_80";
  card.family = "ampere";
  return card;
}
/// An RDNA3 card: matrix instructions without units of their own, bf16 at the rate of fp16.
TrainingCard xtx() {
  TrainingCard card;
  card.peaks.fp16_matrix = card.peaks.bf16_matrix = 122.8 * TFLOP_per_s;
  card.peaks.fp32 = 61.4 * TFLOP_per_s;
  card.memory = 960 * GB_per_s;
  card.architecture = "gfx1100";
  card.family = "rdna3";
  return card;
}
/// No matrix units and no bf16.
TrainingCard vega20() {
  TrainingCard card;
  card.peaks.fp16_vector = 26.8 * TFLOP_per_s;
  card.peaks.fp32 = 13.4 * TFLOP_per_s;
  card.memory = 1024 * GB_per_s;
  card.architecture = "gfx906";
  card.family = "gcn";
  card.matrix_units = card.native_bf16 = false;
  return card;
}

GroupFabric fabric(LinkClass kind, int cards, Bandwidth bus) {
  GroupFabric out;
  out.kind = kind;
  out.cards = cards;
  out.all_reduce_latency = out.hop_latency = 20 * us;
  out.all_reduce_bus = out.hop_bandwidth = bus;
  return out;
}

Job job(JobKind kind, double sequence, int micro, int per_step) {
  Job job;
  job.kind = kind;
  job.sequence = Tokens{sequence};
  job.micro_sequences = micro;
  job.sequences_per_step = per_step;
  job.weight_format = kind == JobKind::qlora ? "NF4" : "BF16";
  return job;
}

TrainingStack eager() { return {}; }

TrainingStep step(const TransformerModel& model, const Job& job, const ParallelPlan& plan = {}, const TrainingFabric& links = {},
                  const TrainingCard& card = a100(), const TrainingStack& stack = eager()) {
  return simulate_training(model, job, plan, stack, card, links, calibration());
}

}  // namespace

TEST_CASE("useful operations: 6 a weight and token, with adapters 4 a frozen and 6 an adapter weight") {
  // Layers: 32 x (4 x 4,096^2 + 3 x 4,096 x 11,008) = 6.476e9, head 4,096 x 32,000 = 1.311e8; causal attention of 2,048 tokens:
  // forward 2 x 32 x (128 + 128) x 1,024 x 32 layers = 5.37e8, and backward twice that.
  const double weights = 32 * (4 * 4096.0 * 4096 + 3 * 4096.0 * 11008) + 4096.0 * 32000;
  const double attention = 3 * 2 * 32.0 * 256 * 1024 * 32;
  CHECK(training_flops_per_token(llama7, job(JobKind::full_finetune, 2048, 1, 1)).in(FLOP) == Approx(6 * weights + attention));
  auto lora = job(JobKind::lora, 2048, 1, 1);
  lora.lora_rank = 8;
  lora.lora_all_linear = false;
  // Four square matrices of rank 8 a layer: 8 x (4,096 + 4,096) x 4 x 32.
  CHECK(training_flops_per_token(llama7, lora).in(FLOP) == Approx(4 * weights + 6 * 8.0 * 8192 * 4 * 32 + attention));
}

TEST_CASE("Megatron's 22B step on eight A100 as published, both kinds of recomputation") {
  // Korthikanti et al., arXiv:2205.05198, table 5: 1.42 s with full, 1.10 s with selective recomputation and sequence
  // parallelism.
  TrainingStack megatron;
  megatron.id = "megatron";
  megatron.mixed = MixedStyle::master_copy;
  megatron.fused_attention = false;
  megatron.kernels = KernelStyle::fused;
  auto work = job(JobKind::full_finetune, 2048, 4, 4);
  work.precision = TrainingPrecision::fp16;
  ParallelPlan plan{.split = SplitMode::tensor, .cards = 8, .tensor = 8};
  TrainingFabric links;
  links.tensor = fabric(LinkClass::nvswitch, 8, 230 * GB_per_s);
  const auto full = step(megatron22, work, plan, links, a100(), megatron);
  CHECK(full.step.in(second) == Approx(1.42).epsilon(0.06));
  work.checkpointing = Checkpointing::selective;
  plan.sequence_parallel = true;
  CHECK(step(megatron22, work, plan, links, a100(), megatron).step.in(second) == Approx(1.10).epsilon(0.06));
  CHECK(full.limited_by == "arithmetic");
}

TEST_CASE("the parts of a step add up to it, and no card works above its peak") {
  const auto kind = GENERATE(JobKind::full_finetune, JobKind::lora, JobKind::qlora);
  const auto s = step(llama7, job(kind, 2048, 2, 16));
  const auto& p = s.parts;
  CHECK((p.gemm + p.attention + p.elementwise + p.recompute + p.dequantisation + p.loss + p.host_launch + p.tensor_comm +
         p.expert_comm + p.exposed_comm + p.stage_hops + p.bubble + p.offload + p.optimizer)
            .in(second) == Approx(s.step.in(second)));
  CHECK(s.mfu > 0.05);
  CHECK(s.mfu < 0.75);
  CHECK(s.tokens.in(token_per_s) == Approx(16 * 2048 / s.step.in(second)));
  CHECK((p.dequantisation > Seconds{}) == (kind == JobKind::qlora));
}

TEST_CASE("a QLoRA step of 32 sequences on one 7900 XTX takes far longer than two seconds") {
  // 32 x 512 tokens x 4 x 6.6e9 = 433 TFLOP: 3.5 s at the peak of 122.8 TFLOP/s. A micro-step of one sequence is possible in that
  // time.
  auto qlora = job(JobKind::qlora, 512, 1, 32);
  const auto whole = step(llama7, qlora, {}, {}, xtx());
  CHECK(whole.step > 3.5 * second);
  qlora.sequences_per_step = 1;
  CHECK(step(llama7, qlora, {}, {}, xtx()).step < 2 * second);
}

TEST_CASE("two cards with data parallelism: small batches gain little, and not because of the adapters' gradients") {
  // Adapters of rank 16 on attention: 4 x 16 x 8,192 x 32 = 16.8 M weights, 34 MB of gradients: 5 ms over a link of 7 GB/s.
  auto lora = job(JobKind::lora, 512, 1, 1);
  lora.lora_all_linear = false;
  const auto one = step(llama7, lora, {}, {}, xtx());
  lora.sequences_per_step = 2;
  TrainingFabric links;
  links.data = links.shard = fabric(LinkClass::pcie_staged, 2, 7 * GB_per_s);
  const auto two = step(llama7, lora, {.replicas = 2}, links, xtx());
  CHECK(two.parts.exposed_comm < 0.02 * two.step);
  // A full replica's gradients are 13.5 GB: there the link decides.
  auto full = job(JobKind::full_finetune, 512, 1, 1);
  const auto alone = step(llama7, full, {}, {}, xtx());
  full.sequences_per_step = 2;
  const auto pair = step(llama7, full, {.replicas = 2}, links, xtx());
  CHECK(pair.tokens / alone.tokens < 1.6);
  CHECK(pair.limited_by == "links");
  CHECK(two.tokens / one.tokens > pair.tokens / alone.tokens);
}

// 16 sequences over ten replicas are two for six of them: a step waits for two micro-steps of one sequence, as over eight.
TEST_CASE("replicas that do not divide the batch work as long as the fullest one") {
  Job job;
  job.sequences_per_step = 16;
  job.micro_sequences = 1;
  ParallelPlan plan;
  const auto steps = [&](int replicas) {
    plan.replicas = replicas;
    return micro_steps(job, plan);
  };
  CHECK(steps(8) == 2);
  CHECK(steps(10) == 2);
  CHECK(steps(15) == 2);
  CHECK(steps(16) == 1);
  CHECK(steps(32) == 1);
}

TEST_CASE("a chip without bf16 or matrix units says what it does instead") {
  auto full = job(JobKind::full_finetune, 2048, 1, 1);
  const auto bf16 = step(llama7, full, {}, {}, vega20());
  CHECK(bf16.precision_note.find("no bf16") != std::string::npos);
  full.precision = TrainingPrecision::fp16;
  const auto fp16 = step(llama7, full, {}, {}, vega20());
  CHECK(fp16.precision_note.find("no matrix units") != std::string::npos);
  CHECK(bf16.step > 2 * fp16.step);
  CHECK(step(llama7, job(JobKind::full_finetune, 2048, 1, 1)).precision_note.empty());
}

TEST_CASE("the bubble of 1F1B is (p - 1) micro-batches, of interleaved stages a part of it") {
  auto work = job(JobKind::full_finetune, 2048, 1, 16);
  TrainingStack fused;
  fused.kernels = KernelStyle::fused;
  TrainingFabric links;
  links.pipeline = fabric(LinkClass::nvswitch, 4, 1e6 * GB_per_s);
  links.pipeline.hop_latency = Seconds{};
  ParallelPlan plan{.split = SplitMode::tensor, .cards = 4, .pipeline = 4};
  const auto plain = step(llama7, work, plan, links, a100(), fused);
  const auto busy = plain.step - plain.parts.bubble - plain.parts.stage_hops - plain.parts.optimizer - plain.parts.loss;
  CHECK(plain.parts.bubble.in(ms) == Approx((busy * (3.0 / 16)).in(ms)).epsilon(0.01));
  plan.interleave = 2;
  CHECK(step(llama7, work, plan, links, a100(), fused).parts.bubble.in(ms) ==
        Approx(plain.parts.bubble.in(ms) / 2).epsilon(0.01));
}

// A stage of a 7B on four: 2,048 tokens x 4,096 values x 2 bytes = 16.8 MB over 1 GB/s are 16.8 ms. With one chunk each of 16
// micro-batches waits for one forward and one backward: 16 x 2 x 16.8 ms = 537 ms; the bubble has three more pairs, 101 ms.
// Tensor parallel 2 halves what each card sends.
TEST_CASE("a stage waits for what it is passed, once a chunk in either direction") {
  auto work = job(JobKind::full_finetune, 2048, 1, 16);
  TrainingFabric slow, fast;
  slow.pipeline = fabric(LinkClass::pcie_staged, 4, 1 * GB_per_s),
  fast.pipeline = fabric(LinkClass::pcie_staged, 4, 1e6 * GB_per_s);
  slow.pipeline.hop_latency = fast.pipeline.hop_latency = Seconds{};
  ParallelPlan plan{.split = SplitMode::layer, .cards = 4, .pipeline = 4};
  const auto waits = step(llama7, work, plan, slow), not_at_all = step(llama7, work, plan, fast);
  CHECK(waits.parts.stage_hops.in(ms) == Approx(537).epsilon(0.01));
  CHECK((waits.parts.bubble - not_at_all.parts.bubble).in(ms) == Approx(101).epsilon(0.01));
  plan.tensor = 2, plan.cards = 8;
  slow.tensor = fabric(LinkClass::nvswitch, 2, 230 * GB_per_s);
  CHECK(step(llama7, work, plan, slow).parts.stage_hops.in(ms) == Approx(537 / 2.0).epsilon(0.01));
}

// 7B in full with the optimizer on the host, 6.738e9 weights: 16-bit gradients leave in 0.54 s at 25 GB/s beside the backward
// pass, 30 bytes a weight (master copy 4+4, two moments 8+8, gradient 4, 16-bit weights 2) are 2.02 s at 100 GB/s, and 13.5 GB
// come back in 0.54 s.
TEST_CASE("an optimizer on the host takes its time from the links and the memory there") {
  auto work = job(JobKind::full_finetune, 2048, 1, 16);
  TrainingStack stack;
  stack.mixed = MixedStyle::master_copy;
  work.offload = Offload::optimizer;
  TrainingFabric links;
  links.host = {25 * GB_per_s, 100 * GB_per_s};
  const auto s = step(llama7, work, {}, links, a100(), stack);
  CHECK(s.parts.optimizer == Seconds{});
  CHECK(s.parts.offload.in(second) >= Approx(2.02 + 0.54).epsilon(0.01));
  CHECK(s.parts.offload.in(second) <= Approx(2.02 + 0.54 + 0.54).epsilon(0.01));
  // Weights there too: two fetches a micro-batch, 2 x 13.5 GB, and 13.5 GB of gradients: 16 x 1.62 s at most, and the update.
  work.offload = Offload::parameters;
  const auto all = step(llama7, work, {}, links, a100(), stack);
  CHECK(all.parts.offload.in(second) > 2.02);
  CHECK(all.parts.offload.in(second) <= Approx(16 * 1.62 + 2.02).epsilon(0.01));
  links.host = {50 * GB_per_s, 200 * GB_per_s};
  CHECK(step(llama7, work, {}, links, a100(), stack).parts.offload < all.parts.offload);
}

TEST_CASE("faster memory, links or arithmetic never make a step longer") {
  const auto kind = GENERATE(JobKind::full_finetune, JobKind::qlora);
  const auto sharding = GENERATE(0, 1, 2, 3);
  const auto at = [&](double memory, double link, double peak) {
    auto card = a100();
    card.memory *= memory;
    *card.peaks.bf16_matrix *= peak;
    TrainingFabric links;
    links.data = links.shard = fabric(LinkClass::pcie_staged, 4, link * 10 * GB_per_s);
    return step(llama7, job(kind, 1024, 1, 16), {.replicas = 4, .sharding = sharding}, links, card).step;
  };
  const auto base = at(1, 1, 1);
  CHECK(at(2, 1, 1) <= base);
  CHECK(at(1, 2, 1) <= base);
  CHECK(at(1, 1, 2) <= base);
  CHECK(at(0.5, 1, 1) >= base);
}

TEST_CASE("overlap hides at most the shorter of work and transfer") {
  CHECK(exposed(3 * second, 2 * second, 1).in(second) == Approx(0));
  CHECK(exposed(3 * second, 2 * second, 0).in(second) == Approx(2));
  CHECK(exposed(2 * second, 3 * second, 1).in(second) == Approx(1));
}

// Three passes over in- and outputs of each adapted matrix, 2 bytes a value, forward and twice that backward, at 0.8 of the
// bandwidth. Attention alone: 2 (4096 + 4096) for query and output each, 2 x (4096 + 4096) for key and value: 4 x 8192 values a
// layer of this model, times 32 layers and 3: 3.1 million values a token.
TEST_CASE("adapters pass through memory beside the matrices they belong to, unless a compiler joins their kernels") {
  auto with = job(JobKind::lora, 2048, 1, 1);
  with.lora_all_linear = false;
  auto without = with;
  without.lora_rank = 0;
  const auto extra = [&](KernelStyle kernels) {
    TrainingStack stack;
    stack.kernels = kernels;
    const TrainingConstants c = training_constants(calibration(), {}, stack);
    const auto passes = [&](const Job& j) { return simulate_training(llama7, j, {}, stack, a100(), {}, c).parts.elementwise; };
    return (passes(with) - passes(without)).in(ms) / c.elementwise_passes;
  };
  CHECK(extra(KernelStyle::eager) == Approx(2048 * 3 * 32 * 4 * 8192.0 * 2 * 3 / (0.8 * 2039e9) * 1e3));
  CHECK(extra(KernelStyle::compiled) == 0);
}

TEST_CASE("a program that divides matrices and all-reduces hides part of tensor parallel's links") {
  TrainingFabric links;
  links.tensor = fabric(LinkClass::nvswitch, 8, 230 * GB_per_s);
  TrainingStack plain, overlapping;
  overlapping.overlaps_tensor = true;
  const TrainingConstants c = training_constants(calibration(), {}, plain);
  const auto exposed = [&](const TrainingStack& stack) {
    return simulate_training(megatron22, job(JobKind::full_finetune, 2048, 4, 4), {.cards = 8, .tensor = 8}, stack, a100(), links,
                             c)
        .parts.tensor_comm.in(ms);
  };
  CHECK(exposed(overlapping) == Approx((1 - c.tensor_overlap) * exposed(plain)));
}
