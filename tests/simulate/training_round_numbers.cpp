// SPDX-License-Identifier: Apache-2.0
// Training steps of made-up models with round numbers, worked out on paper.
#include <catch2/catch.hpp>
#include <cmath>

#include "estimate/round_calibration.h"
#include "rigplan/estimate/compute/training_times.h"
#include "rigplan/simulate/training.h"
#include "simulate/data_parallel.h"
#include "simulate/offload.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

/// Eight layers of width 1,000: attention 4 x 10^6 weights, feed-forward 2 x 4 x 10^6; 96 million in the layers, and 10 million
/// each in embedding and head.
TransformerModel round_model() {
  TransformerModel model;
  model.hidden = 1000;
  model.vocabulary = 10'000;
  model.groups = {{8, GroupedQuery{.heads = 10, .kv_heads = 10, .head_size = 100, .value_size = 100},
                   DenseFeedForward{.width = 4000, .gated = false}}};
  return model;
}
/// Half of the layers have four experts of width 1,000, gated, two for each token, in place of the feed-forward part.
TransformerModel round_mixture() {
  auto model = round_model();
  auto half = model.groups[0];
  half.count = model.groups[0].count = 4;
  half.feed_forward = MixtureOfExperts{.experts = 4, .active = 2, .expert_width = 1000};
  model.groups.push_back(half);
  return model;
}

TrainingCard round_card() {
  TrainingCard card;
  card.peaks.bf16_matrix = card.peaks.fp16_matrix = 100 * TFLOP_per_s;
  card.peaks.fp32 = 50 * TFLOP_per_s;
  card.memory = 1000 * GB_per_s;
  card.architecture = "arch";
  card.family = "family";
  return card;
}

/// Half of the peak whatever the size, half of it in attention; 0.8 of the bandwidth is fixed.
TrainingConstants round_constants() {
  TrainingConstants c;
  c.gemm_efficiency = c.attention_efficiency = 0.5;
  c.elementwise_passes = 2;
  c.dequantisation = 0.5;
  c.optimizer_traffic = 2;
  c.gather_bus = 0.5;
  c.gather_overlap = 0.8;
  c.reduce_overlap = 0.6;
  c.fp8_gain = 1.6;
  c.mixture_slowdown = 1.25;
  c.bf16_emulation = 4;
  return c;
}

/// Sixteen micro-batches of a sequence of 1,000 tokens.
Job round_job(JobKind kind = JobKind::full_finetune, Checkpointing checkpointing = Checkpointing::full) {
  Job job;
  job.kind = kind;
  job.sequence = Tokens{1000};
  job.sequences_per_step = 16;
  job.checkpointing = checkpointing;
  job.weight_format = kind == JobKind::qlora ? "NF4" : "BF16";
  return job;
}

/// 20 us and 10 GB/s.
GroupFabric round_fabric(int cards) {
  GroupFabric fabric;
  fabric.kind = LinkClass::pcie_peer;
  fabric.cards = cards;
  fabric.all_reduce_latency = fabric.hop_latency = 20 * us;
  fabric.all_reduce_bus = fabric.hop_bandwidth = 10 * GB_per_s;
  return fabric;
}

TrainingStep step_of(const Job& job, const ParallelPlan& plan = {}, const TrainingFabric& links = {},
                     const TrainingConstants& c = round_constants(), const TransformerModel& model = round_model(),
                     const TrainingStack& stack = {}) {
  return simulate_training(model, job, plan, stack, round_card(), links, c);
}

LayerPassTimes pass_of(const TransformerModel& model, const Job& job = round_job(), const ParallelPlan& plan = {},
                       const TrainingStack& stack = {}, const TrainingConstants& c = round_constants()) {
  return layer_pass_times(model, job, plan, stack, round_card(), {100 * TFLOP_per_s, 1, false, {}}, c);
}

// Of one micro-batch, in ms. Matrices: 2 x 1,000 x 96e6 at 50 TFLOP/s. Attention: each token sees 500 on average; 8 layers x 10
// heads x 2 x 200 x 500 operations, 1.6e10 for all, at 50. Between the matrices: 8 x (13 x 1,000 + 3.2 x 8,000) values, 1,000
// times, twice in 2 bytes at 800 GB/s. Head: 3 x 2 x 1,000 x 10,000 x 1,000 at 50, and 10 bytes for each of 10^7 logits at 800
// GB/s.
constexpr double gemm = 3.84, attention = 0.32, elementwise = 1.544, loss = 1.2 + 0.125;

}  // namespace

TEST_CASE("a forward pass of eight round layers") {
  const auto pass = pass_of(round_model());
  CHECK(pass.gemm.in(ms) == Approx(gemm));
  CHECK(pass.attention.in(ms) == Approx(attention));
  CHECK(pass.elementwise.in(ms) == Approx(elementwise));
  CHECK(pass.adapters == Seconds{});
  CHECK(pass.dequantisation == Seconds{});
  CHECK(pass.forward().in(ms) == Approx(gemm + attention + elementwise));
  CHECK(loss_time(round_model(), round_job(), {}, round_card(), {100 * TFLOP_per_s, 1, false, {}}, round_constants()).in(ms) ==
        Approx(loss));
}

TEST_CASE("matrices reach half of their rate at the half of rows and the half of width, and bf16 by way of fp32 a part of it") {
  auto c = round_constants();
  c.rows_half = 1000;
  CHECK(pass_of(round_model(), round_job(), {}, {}, c).gemm.in(ms) == Approx(2 * gemm));
  c.hidden_half = 3000;
  CHECK(pass_of(round_model(), round_job(), {}, {}, c).gemm.in(ms) == Approx(8 * gemm));
  // Four cards: a quarter of the work on matrices half as wide on either side, 500 / (500 + 3,000) in place of 1/4.
  c.rows_half = 0;
  CHECK(pass_of(round_model(), round_job(), {.tensor = 4}, {}, c).gemm.in(ms) == Approx(gemm / 4 * 7));
  const auto rated = [&](TrainingRate rate) {
    return layer_pass_times(round_model(), round_job(), {}, {}, round_card(), rate, round_constants());
  };
  CHECK(rated({100 * TFLOP_per_s, 4, false, {}}).gemm.in(ms) == Approx(4 * gemm));
  CHECK(rated({100 * TFLOP_per_s, 4, false, {}}).attention.in(ms) == Approx(4 * attention));
  CHECK(rated({100 * TFLOP_per_s, 1, true, {}}).gemm.in(ms) == Approx(gemm / 1.6));
  CHECK(rated({100 * TFLOP_per_s, 1, true, {}}).attention.in(ms) == Approx(attention));
}

// Not fused: all 1,000 x 1,000 pairs as matrices, twice the operations; their 10 x 1,000 scores a layer and token in 2 bytes,
// 11/3 times: 8e7 x 22/3 bytes at 800 GB/s.
TEST_CASE("an attention that is not fused computes the whole square and carries its scores through memory") {
  TrainingStack stack;
  stack.fused_attention = false;
  CHECK(pass_of(round_model(), round_job(), {}, stack).attention.in(ms) == Approx(2 * attention + 8e7 * 22 / 3 / 800e6));
  CHECK(pass_of(round_model(), round_job(), {.tensor = 2}, stack).attention.in(ms) == Approx(attention + 4e7 * 22 / 3 / 800e6));
}

// A window of 200: 200 tokens less what the first ones do not have, 200 - 200^2 / 2,000 = 180 of 1,000; the full half is 500.
TEST_CASE("windows, latent heads and states in training") {
  auto model = round_model();
  const auto heads = std::get<GroupedQuery>(model.groups[0].attention);
  const auto time = [&](const Attention& a) {
    model.groups[0].attention = a;
    return pass_of(model).attention.in(ms);
  };
  CHECK(time(SlidingWindow{heads, 200}) == Approx(attention * 180 / 500));
  CHECK(time(SlidingWindow{heads, 5000}) == Approx(attention));
  // Ten heads with 128 + 64 for the scores and 96 values: 288 in place of 200.
  CHECK(time(Latent{.heads = 10, .kv_rank = 512, .rope_size = 64, .nope_size = 128, .value_size = 96}) ==
        Approx(attention * 288 / 200));
  // Six operations for each of 10^5 values: 8 x 6e5 x 1,000 at 50 TFLOP/s.
  CHECK(time(Recurrent{1e5, 1e6}) == Approx(8 * 6e8 / 50e9));
  TrainingStack unfused;
  unfused.fused_attention = false;
  model.groups[0].attention = Latent{.heads = 10, .kv_rank = 512, .rope_size = 64, .nope_size = 128, .value_size = 96};
  CHECK(pass_of(model, round_job(), {}, unfused).attention.in(ms) == Approx(2 * attention * 288 / 200 + 8e7 * 22 / 3 / 800e6));
}

// Two experts of 3 x 10^6 weights are used, at 1.25 times the time; 4 x 12 + 4 x 4 + router 4 x 0.004 million of the others.
TEST_CASE("experts that a token uses are multiplied, all of them dequantised") {
  const auto weights = layer_weights(round_mixture(), round_job());
  CHECK(weights.dense == Approx(4 * 12e6 + 4 * 4e6 + 4 * 4e3));
  CHECK(weights.experts_used == Approx(4 * 2 * 3e6));
  CHECK(weights.experts_all == Approx(4 * 4 * 3e6));
  CHECK(expert_layers(round_mixture()) == 4);
  CHECK(pass_of(round_mixture()).gemm.in(ms) == Approx(2 * (64.016 + 24 * 1.25) / 50));
  // Between the matrices: 4 layers with 8,000 values as before, 4 with 2 x 1,000 x 3.
  CHECK(pass_of(round_mixture()).elementwise.in(ms) == Approx((8 * 13e3 + 3.2 * (4 * 8e3 + 4 * 6e3)) * 4e3 / 800e6));
  auto shared = round_mixture();
  std::get<MixtureOfExperts>(shared.groups[1].feed_forward).shared_experts = 2;
  std::get<MixtureOfExperts>(shared.groups[1].feed_forward).shared_width = 500;
  CHECK(pass_of(shared).elementwise.in(ms) == Approx((8 * 13e3 + 3.2 * (4 * 8e3 + 4 * 9e3)) * 4e3 / 800e6));
  // NF4 is read in 0.56 bytes, written and read in 2 each, at half of the bandwidth.
  CHECK(pass_of(round_mixture(), round_job(JobKind::qlora)).dequantisation.in(ms) == Approx((64.016 + 48) * 1e6 * 4.56 / 500e6));
  CHECK(pass_of(round_mixture(), round_job(JobKind::qlora), {.tensor = 2}).dequantisation.in(ms) ==
        Approx((64.016 + 48) * 1e6 * 4.56 / 500e6 / 2));
}

// Rank 16 on attention: 8 x 4 x 16 x 2,000 = 1.024 million; on the feed-forward part 8 x 2 x 16 x 5,000 = 1.28 more. Thin
// matrices run at half of the rate of others.
TEST_CASE("adapters on attention alone or on every matrix but routers") {
  auto job = round_job(JobKind::lora);
  CHECK(layer_weights(round_model(), job).adapters == Approx(2.304e6));
  CHECK(pass_of(round_model(), job).adapters.in(ms) == Approx(2 * 2.304 / 25));
  CHECK(training_flops_per_token(round_model(), job).in(FLOP) == Approx(4 * 106e6 + 6 * 2.304e6 + 3 * 1.6e7));
  // Input and output of each adapted matrix three times: 3 x 8 x 18,000 values more, unless kernels are made into one.
  CHECK(pass_of(round_model(), job).elementwise.in(ms) == Approx(elementwise + 432e3 * 4e3 / 800e6));
  CHECK(pass_of(round_model(), job, {.tensor = 2}).elementwise.in(ms) == Approx((8e3 * 9 + 102.4e3 + 216e3) * 4e3 / 800e6));
  for (const auto kernels : {KernelStyle::compiled, KernelStyle::fused}) {
    TrainingStack one_kernel;
    one_kernel.kernels = kernels;
    CHECK(pass_of(round_model(), job, {}, one_kernel).elementwise.in(ms) == Approx(elementwise));
  }
  job.lora_all_linear = false;
  CHECK(layer_weights(round_model(), job).adapters == Approx(1.024e6));
  job.lora_all_linear = true;
  // Four dense layers 4 x (4 x 2,000 + 2 x 5,000) and four with 4 x 2,000 and 4 experts x 3 matrices of 2,000.
  CHECK(layer_weights(round_mixture(), job).adapters == Approx(16 * 4.0 * (18e3 + 8e3 + 24e3)));
  LayerPassTimes pass;
  pass.gemm = 10 * ms;
  pass.adapters = 1 * ms;
  pass.attention = 4 * ms;
  // Frozen matrices pass the gradient on, trained ones have one of their own too.
  CHECK(backward_gemm(pass, round_job()).in(ms) == Approx(22));
  CHECK(backward_gemm(pass, job).in(ms) == Approx(12));
  CHECK(training_flops_per_token(round_model(), round_job()).in(FLOP) == 6 * 106e6 + 3 * 1.6e7);
  CHECK(backward_attention(pass, {}).in(ms) == Approx(10));
  TrainingStack unfused;
  unfused.fused_attention = false;
  CHECK(backward_attention(pass, unfused).in(ms) == Approx(8));
}

TEST_CASE("a frozen head has one product less; its logits are divided among cards") {
  const TrainingRate rate{100 * TFLOP_per_s, 1, false, {}};
  const auto of = [&](const Job& job, const ParallelPlan& plan = {}) {
    return loss_time(round_model(), job, plan, round_card(), rate, round_constants()).in(ms);
  };
  auto lora = round_job(JobKind::lora);
  CHECK(of(lora) == Approx(0.8 + 0.125));
  lora.train_embeddings = true;
  CHECK(of(lora) == Approx(loss));
  CHECK(of(round_job(), {.tensor = 4}) == Approx(loss / 4));
  CHECK(of(round_job(), {.context = 2}) == Approx(loss / 2));
}

TEST_CASE("cards of a tensor group repeat what lies between their blocks, unless the sequence is divided too") {
  // 8,000 x (5 + 8/4) + 3.2 x 64,000 / 4; with sequence parallelism 5/4 in place of 5.
  CHECK(pass_of(round_model(), round_job(), {.tensor = 4}).elementwise.in(ms) == Approx((56e3 + 51.2e3) * 4e3 / 800e6));
  CHECK(pass_of(round_model(), round_job(), {.tensor = 4, .sequence_parallel = true}).elementwise.in(ms) ==
        Approx((26e3 + 51.2e3) * 4e3 / 800e6));
  CHECK(pass_of(round_model(), round_job(), {.tensor = 4}).attention.in(ms) == Approx(attention / 4));
}

TEST_CASE("the deepest stage decides: eight layers on three stages are three, in chunks of one still three") {
  CHECK(stage_layers(round_model(), {}) == 8);
  CHECK(stage_layers(round_model(), {.pipeline = 3}) == 3);
  CHECK(stage_layers(round_model(), {.pipeline = 2, .interleave = 3}) == 6);
  CHECK(pass_of(round_model(), round_job(), {.pipeline = 3}).gemm.in(ms) == Approx(gemm * 3 / 8));
}

// 116 million weights: 4 + 8 bytes of weight and moments read and written and 4 of gradient, 28; a master copy writes 2 more. In
// 16 bit throughout 2 x (2 + 4) + 2 = 14. Twice that at 800 GB/s.
TEST_CASE("an optimizer step reads and writes weight, moments and gradient") {
  TrainingStack autocast, copy;
  copy.mixed = MixedStyle::master_copy;
  auto job = round_job();
  CHECK(optimizer_traffic(1e6, job, autocast).in(byte) == Approx(28e6));
  CHECK(optimizer_traffic(1e6, job, copy).in(byte) == Approx(30e6));
  job.fp32_master = false;
  CHECK(optimizer_traffic(1e6, job, copy).in(byte) == Approx(14e6));
  job.optimizer = "sgd";  // nothing beside weight and gradient
  CHECK(optimizer_traffic(1e6, job, copy).in(byte) == Approx(6e6));
  job.optimizer = "one of my own";  // taken as two moments
  CHECK(optimizer_traffic(1e6, job, copy).in(byte) == Approx(14e6));
  CHECK(optimizer_traffic(1e6, round_job(JobKind::lora), copy).in(byte) == Approx(28e6));
  CHECK(optimizer_time(116e6, round_job(), autocast, round_card(), round_constants()).in(ms) == Approx(2 * 116 * 28 / 800.0));
}

// Sixteen micro-batches: forward and twice as much backward (fused attention 2.5 times), and the forward pass again.
TEST_CASE("a whole step on one card is the sum of its passes") {
  const auto s = step_of(round_job());
  CHECK(s.parts.gemm.in(ms) == Approx(16 * 3 * gemm));
  CHECK(s.parts.attention.in(ms) == Approx(16 * 3.5 * attention));
  CHECK(s.parts.elementwise.in(ms) == Approx(16 * 3 * elementwise));
  CHECK(s.parts.recompute.in(ms) == Approx(16 * (gemm + attention + elementwise)));
  CHECK(s.parts.loss.in(ms) == Approx(16 * loss));
  CHECK(s.parts.optimizer.in(ms) == Approx(8.12));
  CHECK(s.parts.host_launch == Seconds{});
  const double step = 16 * (4 * gemm + 4.5 * attention + 4 * elementwise + loss) + 8.12;
  CHECK(s.step.in(ms) == Approx(step));
  CHECK(s.tokens.in(token_per_s) == Approx(16e6 / step));
  const double flops = 16e3 * (6 * 106e6 + 3 * 1.6e7);
  CHECK(s.model_flops.in(FLOP) == Approx(flops));
  CHECK(s.usable.in(TFLOP_per_s) == Approx(flops / step / 1e9));
  CHECK(s.mfu == Approx(flops / step / 1e9 / 100));
  CHECK(s.limited_by == "arithmetic");
}

TEST_CASE("recomputation repeats all, half or nothing of the forward pass, and the attention alone where scores are kept") {
  CHECK(step_of(round_job(JobKind::full_finetune, Checkpointing::none)).parts.recompute == Seconds{});
  const auto selective = round_job(JobKind::full_finetune, Checkpointing::selective);
  CHECK(step_of(selective).parts.recompute.in(ms) == Approx(8 * (gemm + attention + elementwise)));
  TrainingStack unfused;
  unfused.fused_attention = false;
  const auto kept = step_of(selective, {}, {}, round_constants(), round_model(), unfused);
  CHECK(kept.parts.recompute.in(ms) == Approx(kept.parts.attention.in(ms) / 3));
}

TEST_CASE("a quantised base is dequantised for each pass, adapters pass forward once and backward twice") {
  const auto base = 96e6 * 4.56 / 500e6, adapters = 2 * 2.304 / 25;
  const auto full = step_of(round_job(JobKind::qlora)), none = step_of(round_job(JobKind::qlora, Checkpointing::none));
  CHECK(full.parts.dequantisation.in(ms) == Approx(16 * 3 * base));
  CHECK(none.parts.dequantisation.in(ms) == Approx(16 * 2 * base));
  CHECK(none.parts.gemm.in(ms) == Approx(16 * (2 * gemm + 3 * adapters)));
}

// 8 layers x 2 ms of launches against 11.8 ms of arithmetic without recomputation.
TEST_CASE("a card waits for the host's launches beyond its own work") {
  auto c = round_constants();
  c.launch = 2 * ms;
  const double work = 3 * gemm + 3.5 * attention + 3 * elementwise;
  const auto s = step_of(round_job(JobKind::full_finetune, Checkpointing::none), {}, {}, c);
  CHECK(s.parts.host_launch.in(ms) == Approx(0).margin(1e-9));
  c.launch = 20 * ms;
  const auto waits = step_of(round_job(JobKind::full_finetune, Checkpointing::none), {}, {}, c);
  CHECK(waits.parts.host_launch.in(ms) == Approx(16 * (160 - work)));
  CHECK(waits.limited_by == "host launches");
}

// 1,000 x 1,000 values in 2 bytes: 2 x (20 us + 3/4 x 2 MB at 10 GB/s) = 340 us, four times a layer and six with the repeated
// pass.
TEST_CASE("a tensor group sums twice a layer in each pass") {
  TrainingFabric links;
  links.tensor = round_fabric(4);
  const ParallelPlan plan{.cards = 4, .tensor = 4};
  const auto none = round_job(JobKind::full_finetune, Checkpointing::none);
  CHECK(step_of(none, plan, links).parts.tensor_comm.in(ms) == Approx(16 * 4 * 8 * 0.34));
  CHECK(step_of(round_job(), plan, links).parts.tensor_comm.in(ms) == Approx(16 * 6 * 8 * 0.34));
  auto wide = none;
  wide.precision = TrainingPrecision::fp32;
  CHECK(step_of(wide, plan, links).parts.tensor_comm.in(ms) == Approx(16 * 4 * 8 * 0.64));
  CHECK(step_of(wide, plan, links).mfu == Approx(step_of(wide, plan, links).usable / (4 * 50 * TFLOP_per_s)));
  auto halves = plan;
  halves.context = 2;
  CHECK(step_of(none, halves, links).parts.tensor_comm.in(ms) == Approx(16 * 4 * 8 * 0.19));
  CHECK(step_of(none, {}, links).parts.tensor_comm == Seconds{});
  // A program that runs them in parts beside the matrices hides its share.
  auto c = round_constants();
  c.tensor_overlap = 0.75;
  TrainingStack beside;
  CHECK(step_of(none, plan, links, c, round_model(), beside).parts.tensor_comm.in(ms) == Approx(16 * 4 * 8 * 0.34));
  beside.overlaps_tensor = true;
  CHECK(step_of(none, plan, links, c, round_model(), beside).parts.tensor_comm.in(ms) == Approx(4 * 4 * 8 * 0.34));
  links.tensor = round_fabric(2);  // 2 x (20 us + 1/2 x 2 MB)
  CHECK(step_of(none, {.cards = 2, .tensor = 2}, links).parts.tensor_comm.in(ms) == Approx(16 * 4 * 8 * 0.24));
}

// A token goes to two experts in each of four layers, 8,000 values in 2 bytes; three of four leave the card: 12 MB of 1,000
// tokens at 10 GB/s, and four times 20 us; four times without and six times with repeated passes.
TEST_CASE("tokens travel to their experts and back") {
  TrainingFabric links;
  links.expert = round_fabric(4);
  const ParallelPlan plan{.cards = 4, .expert = 4};
  const auto none = round_job(JobKind::full_finetune, Checkpointing::none);
  const auto comm = [&](const Job& job, const ParallelPlan& p) {
    return step_of(job, p, links, round_constants(), round_mixture()).parts.expert_comm.in(ms);
  };
  CHECK(comm(none, plan) == Approx(16 * 4 * (0.08 + 1.2)));
  CHECK(comm(round_job(), plan) == Approx(16 * 6 * (0.08 + 1.2)));
  CHECK(comm(none, {.cards = 4, .expert = 4, .context = 2}) == Approx(16 * 4 * (0.08 + 0.6)));
  CHECK(comm(none, {.cards = 4, .tensor = 2, .expert = 4, .sequence_parallel = true}) == Approx(16 * 4 * (0.08 + 0.6)));
  CHECK(comm(none, {.cards = 4, .tensor = 2, .expert = 4}) == Approx(16 * 4 * (0.08 + 1.2)));
  CHECK(comm(none, {.cards = 4, .pipeline = 2, .expert = 4}) == Approx(16 * 4 * (0.04 + 0.6)));
  CHECK(comm(none, {.cards = 4}) == 0);
  links.expert = round_fabric(2);  // half of 16 MB
  CHECK(comm(none, {.cards = 2, .expert = 2}) == Approx(16 * 4 * (0.08 + 0.8)));
  links.expert.cards = 1;
  CHECK(comm(none, plan) == 0);
}

// Four stages of two layers. A boundary passes 2 MB in 20 + 200 us. One chunk: each of 16 micro-batches waits twice; the bubble
// is three micro-batches and their hops. Two chunks: four starts of 20 us, and what of 4 x 200 us outlasts the work; half a
// bubble.
TEST_CASE("stages wait for each other by chunk") {
  TrainingFabric links;
  links.pipeline = round_fabric(4);
  const auto none = round_job(JobKind::full_finetune, Checkpointing::none);
  const double micro = (3 * gemm + 3.5 * attention + 3 * elementwise) / 4;
  const auto one = step_of(none, {.cards = 4, .pipeline = 4}, links);
  CHECK(one.parts.stage_hops.in(ms) == Approx(16 * 2 * 0.22));
  CHECK(one.parts.bubble.in(ms) == Approx(3 * (micro + 0.44)));
  const auto pair = step_of(none, {.cards = 2, .pipeline = 2}, links);
  CHECK(pair.parts.bubble.in(ms) == Approx(2 * micro + 0.44));
  CHECK(pair.parts.loss.in(ms) == Approx(16 * loss / 2));
  CHECK(one.parts.loss.in(ms) == Approx(16 * loss / 2));  // the other stages fill half of the head's time
  const auto two = step_of(none, {.cards = 4, .pipeline = 4, .interleave = 2}, links);
  CHECK(two.parts.stage_hops.in(ms) == Approx(16 * 4 * 0.02));
  CHECK(two.parts.bubble.in(ms) == Approx(3 * (micro / 2 + 0.44)));
  links.pipeline.hop_bandwidth = 1 * GB_per_s;  // 4 x 2 ms outlast 4.3 ms of work
  const auto slow = step_of(none, {.cards = 4, .pipeline = 4, .interleave = 2}, links);
  CHECK(slow.parts.stage_hops.in(ms) == Approx(16 * (0.08 + 8 - micro)));
  CHECK(slow.mfu == Approx(slow.usable / (400 * TFLOP_per_s)));
  const auto divided = step_of(none, {.cards = 8, .pipeline = 4, .context = 2}, links);
  CHECK(divided.parts.stage_hops.in(ms) == Approx(16 * 2 * 1.02));
  CHECK(divided.mfu == Approx(divided.usable / (800 * TFLOP_per_s)));
  const auto copies = step_of(none, {.replicas = 3});
  CHECK(copies.mfu == Approx(copies.usable / (300 * TFLOP_per_s)));
}

// 1e9 weights in 2 bytes on four cards: a gather is 10 us and 3/4 of 2 GB at half of 10 GB/s, 0.30001 s.
TEST_CASE("what each stage of sharding moves, and how much of it the arithmetic hides") {
  const SharedWeights w{1e9, 1e9, 1e9, 2 * byte, 2 * byte};
  TrainingFabric links;
  links.data = links.shard = round_fabric(4);
  links.data.all_reduce_latency = links.shard.all_reduce_latency = 10 * us;
  auto job = round_job();
  job.fp32_master = false;
  TrainingStack stack;
  const double gather = 0.30001, backward = 2 / 3.0;
  const auto time = [&](const ParallelPlan& plan) {
    return data_parallel_time(w, job, plan, stack, links, round_constants(), 1 * second, 4).in(second);
  };
  CHECK(time({.replicas = 1}) == 0);
  CHECK(time({.replicas = 2}) > 0);
  CHECK(time({.replicas = 4}) == Approx(0.4 * 2 * gather));
  CHECK(time({.replicas = 4, .sharding = 1}) == Approx(0.2 * gather + gather));
  CHECK(time({.replicas = 4, .sharding = 2}) == Approx(0.2 * gather + 4 * 0.2 * gather));
  CHECK(time({.replicas = 4, .sharding = 3}) == Approx(4 * 0.2 * 3 * gather));
  // fp32 gradients under autocast are twice as large: 1.20002 s outlast the backward pass.
  job.fp32_master = true;
  CHECK(time({.replicas = 4}) == Approx(2 * (0.00001 + 0.6) + 0.4 * backward - backward));
  stack.mixed = MixedStyle::master_copy;
  CHECK(time({.replicas = 4}) == Approx(0.4 * 2 * gather));
  // Eight replicas in shards of four: between the two, a quarter of the gradients is summed once a step, 2 x (10 us + 0.05 s).
  links.data.cards = 2;
  CHECK(time({.replicas = 8, .sharding = 3, .shard_cards = 4}) == Approx(4 * 0.2 * 3 * gather + 0.2 * 0.10002));
  CHECK(time({.replicas = 8, .sharding = 3, .shard_cards = 8}) == Approx(4 * 0.2 * 3 * gather));
  const double half = 0.20001;  // 1/2 of 2 GB
  CHECK(time({.replicas = 8, .sharding = 1, .shard_cards = 4}) == Approx(0.2 * 2 * half + gather));
  CHECK(time({.replicas = 8, .sharding = 1}) == Approx(0.2 * half + gather));
  links.data.cards = 1;  // nobody to share with
  CHECK(time({.replicas = 2}) == 0);
}

// Layers 96 million, embedding and head 20; two by two cards have a quarter of the layers, and either end on a half of the
// stages, half of its width: 5 million.
TEST_CASE("what one card shares with its replicas") {
  const auto of = [](const ParallelPlan& plan, const Job& job = round_job()) { return shared_weights(round_model(), job, plan); };
  CHECK(of({}).all == Approx(116e6));
  CHECK(of({}).trained == Approx(116e6));
  CHECK(of({}).updated == Approx(116e6));
  CHECK(of({.tensor = 2, .pipeline = 2}).all == Approx(24e6 + 5e6));
  CHECK(of({.tensor = 2}).all == Approx(48e6 + 10e6));
  CHECK(of({.replicas = 4, .sharding = 1}).updated == Approx(29e6));
  CHECK(of({.replicas = 4}).updated == Approx(116e6));
  CHECK(of({.replicas = 4, .sharding = 1, .shard_cards = 2}).updated == Approx(58e6));
  auto tied = round_model();
  tied.tied_embeddings = true;
  CHECK(shared_weights(tied, round_job(), {}).all == Approx(106e6));
  CHECK(shared_weights(round_mixture(), round_job(), {.expert = 4}).all == Approx(64.016e6 + 12e6 + 20e6));
  auto lora = round_job(JobKind::lora);
  CHECK(of({}, lora).trained == 2.304e6);  // exactly: nothing of the ends
  CHECK(of({.tensor = 2}, lora).trained == Approx(1.152e6));
  lora.train_embeddings = true;
  CHECK(of({}, lora).trained == Approx(22.304e6));
  CHECK(of({}).stored.in(byte) == 2);
  CHECK(of({}).gradient.in(byte) == 2);
  CHECK(of({}, round_job(JobKind::qlora)).stored.in(byte) == Approx(0.56));
  auto wide = round_job();
  wide.precision = TrainingPrecision::fp32;
  CHECK(of({}, wide).stored.in(byte) == 4);
}

// 1e9 weights, 10 GB/s to the host, 100 GB/s there. 2 GB of gradients take 0.2 s, of which a backward pass of 0.1 s hides half;
// 28 bytes a weight are updated in 0.28 s; 2 GB come back in 0.2 s.
TEST_CASE("states in host memory travel and are updated there") {
  const SharedWeights w{1e9, 1e9, 1e9, 2 * byte, 2 * byte};
  auto job = round_job();
  job.offload = Offload::optimizer;
  const HostPath host{10 * GB_per_s, 100 * GB_per_s};
  const auto time = [&](Seconds micro, const ParallelPlan& plan = {}, const HostPath& path = {10 * GB_per_s, 100 * GB_per_s}) {
    return offload_time(w, job, plan, {}, path, micro, 4).in(second);
  };
  CHECK(time(0.15 * second) == Approx(0.1 + 0.28 + 0.2));
  CHECK(time(0.6 * second) == Approx(0.28 + 0.2));
  CHECK(time(0.15 * second, {}, {}) == 0);  // nothing known of the way
  CHECK(time(0.15 * second, {}, {Bandwidth{}, host.memory}) == Approx(0.28));
  // Weights there too: fetched twice for each of four micro-batches, with the gradients 6 GB: 0.6 s, of which 0.15 are hidden.
  job.offload = Offload::parameters;
  CHECK(time(0.15 * second) == Approx(4 * 0.45 + 0.28));
  CHECK(time(0.7 * second) == Approx(0.28));
  // Sharded over four, over shards of two, and not at all below the third stage.
  CHECK(time(0.15 * second, {.replicas = 4, .sharding = 3}) == Approx(4 * (0.3 - 0.15) + 0.28));
  CHECK(time(0.15 * second, {.replicas = 4, .sharding = 3, .shard_cards = 2}) == Approx(4 * (0.4 - 0.15) + 0.28));
  CHECK(time(0.15 * second, {.replicas = 4, .sharding = 3, .shard_cards = 1}) == Approx(4 * 0.45 + 0.28));
  CHECK(time(0.15 * second, {.replicas = 4, .sharding = 2}) == Approx(4 * 0.45 + 0.28));
}

TEST_CASE("the greatest part of a step limits it") {
  const auto none = round_job(JobKind::full_finetune, Checkpointing::none);
  auto c = round_constants();
  c.elementwise_passes = 30;
  CHECK(step_of(none, {}, {}, c).limited_by == "memory bandwidth");
  TrainingFabric links;
  links.tensor = round_fabric(4);
  CHECK(step_of(none, {.cards = 4, .tensor = 4}, links).limited_by == "links");
  auto short_step = none;
  short_step.sequences_per_step = 1;
  CHECK(step_of(short_step, {.cards = 8, .pipeline = 8}).limited_by == "pipeline bubble");
  auto offloaded = none;
  offloaded.offload = Offload::optimizer;
  links.host = {0.1 * GB_per_s, 1 * GB_per_s};
  CHECK(step_of(offloaded, {}, links).limited_by == "host memory");
  CHECK(step_of(offloaded, {}, links).parts.optimizer == Seconds{});
}

TEST_CASE("the range of a step is narrow where chip or family were measured") {
  auto calibration = round_calibration("training", {});
  calibration.terms.at("gemm_efficiency").offsets = {{"arch:arch", 0.0}, {"family:cousins", 0.0}};
  calibration.spreads = {{"train", "known", std::log(0.9), std::log(1.1), 1},
                         {"train", "known-architecture", std::log(0.8), std::log(1.2), 1},
                         {"train", "unknown", std::log(0.5), std::log(2), 1}};
  const auto factor = [&](const char* architecture, const char* family) {
    auto card = round_card();
    card.architecture = architecture;
    card.family = family;
    return simulate_training(round_model(), round_job(), {}, {}, card, {}, calibration).factor;
  };
  CHECK(factor("arch", "cousins").high == Approx(1.1));
  CHECK(factor("other", "cousins").low == Approx(0.8));
  CHECK(factor("other", "cousins").likely == 1);
  CHECK(factor("other", "strangers").high == Approx(2));
  calibration.spreads.clear();
  CHECK(factor("arch", "cousins").high == 1);
}

TEST_CASE("gathers cross the links of shards, reductions those of replicas, one replica none") {
  TrainingFabric links;
  links.data.kind = LinkClass::network_tcp;
  links.shard.kind = LinkClass::nvlink;
  CHECK(sharing_link({.replicas = 1, .sharding = 3}, links) == LinkClass::none);
  CHECK(sharing_link({.replicas = 2, .sharding = 2}, links) == LinkClass::network_tcp);
  CHECK(sharing_link({.replicas = 2, .sharding = 3}, links) == LinkClass::nvlink);
}
