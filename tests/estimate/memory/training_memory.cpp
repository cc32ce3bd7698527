// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/memory/training_memory.h"

#include <catch2/catch.hpp>

using namespace rigplan;

namespace {

TransformerModel dense(int layers, int hidden, int heads, int kv_heads, int head_size, int width, int vocabulary) {
  TransformerModel model;
  model.hidden = hidden;
  model.vocabulary = vocabulary;
  model.groups = {{layers, GroupedQuery{.heads = heads, .kv_heads = kv_heads, .head_size = head_size, .value_size = head_size},
                   DenseFeedForward{.width = width}}};
  return model;
}
const TransformerModel tiny = dense(22, 2048, 32, 4, 64, 5632, 32000);
const TransformerModel llama8 = dense(32, 4096, 32, 8, 128, 14336, 128256);
const TransformerModel llama7 = dense(32, 4096, 32, 32, 128, 11008, 32000);
const TransformerModel llama70 = dense(80, 8192, 64, 8, 128, 28672, 128256);
const TransformerModel qwen7 = dense(28, 3584, 28, 4, 128, 18944, 152064);
const TransformerModel qwen32 = dense(64, 5120, 40, 8, 128, 27648, 152064);

/// A program without buffers of its own.
TrainingStack plain() { return {}; }

TrainingStack measured_program() {
  TrainingStack stack;
  stack.program = 1 * GiB;
  return stack;
}

Job job(JobKind kind, double sequence, int micro, Checkpointing checkpointing, bool fp32_master) {
  Job job;
  job.kind = kind;
  job.sequence = Tokens{sequence};
  job.micro_sequences = job.sequences_per_step = micro;
  job.checkpointing = checkpointing;
  job.fp32_master = fp32_master;
  job.lora_rank = 16;
  job.lora_all_linear = false;
  return job;
}

Bytes peak(const TransformerModel& model, const Job& job, ParallelPlan plan = {}, const TrainingStack& stack = plain()) {
  return estimate_training_memory(model, job, plan, stack).peak;
}

}  // namespace

TEST_CASE("peaks measured on one H200 come out within 0.6 %") {
  // Plain PyTorch, AdamW, every setting known; the measured peaks are in GiB.
  using enum Checkpointing;
  using enum JobKind;
  struct Row {
    const TransformerModel* model;
    Job job;
    double measured;
  };
  const std::vector<Row> rows = {
      {&tiny, job(full_finetune, 2048, 4, none, false), 22.5726},
      {&tiny, job(full_finetune, 2048, 4, full, false), 10.3790},
      {&tiny, job(full_finetune, 2048, 4, none, true), 33.0275},
      {&tiny, job(full_finetune, 2048, 8, full, true), 22.2772},
      {&llama8, job(lora, 512, 1, none, false), 18.9216},
      {&llama8, job(lora, 2048, 1, none, false), 27.2417},
      {&llama8, job(lora, 2048, 1, full, false), 18.6026},
      {&llama8, job(lora, 2048, 4, full, false), 26.0168},
      {&llama8, job(full_finetune, 2048, 1, full, false), 61.3986},
      {&llama8, job(full_finetune, 2048, 4, full, false), 63.4978},
      {&llama8, job(full_finetune, 2048, 1, full, true), 121.2443},
      {&qwen32, job(lora, 1024, 1, full, false), 64.1481},
      {&qwen7, job(lora, 512, 1, full, false), 16.0579},
      {&qwen7, job(lora, 4096, 2, full, false), 26.2459},
      {&qwen7, job(full_finetune, 1024, 2, full, false), 58.5939},
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CAPTURE(i);
    CHECK(peak(*rows[i].model, rows[i].job, {}, measured_program()).in(GiB) == Approx(rows[i].measured).epsilon(0.006));
  }
}

TEST_CASE("adapters on every matrix keep the inputs that frozen matrices do not") {
  auto all = job(JobKind::lora, 2048, 1, Checkpointing::none, false);
  all.lora_all_linear = true;
  CHECK(peak(llama8, all, {}, measured_program()).in(GiB) == Approx(29.8409).epsilon(0.006));
  CHECK(peak(llama8, all) > peak(llama8, job(JobKind::lora, 2048, 1, Checkpointing::none, false)));
}

TEST_CASE("states of full fine-tuning, per weight") {
  // 22 layers of 2048 x (2 x 2048 + 2 x 256) + 3 x 2048 x 5632 and two norms, embedding and head of 32000 x 2048, last norm.
  const double weights = 22 * (2048.0 * 4608 + 3.0 * 2048 * 5632 + 2 * 2048) + 2 * 32000.0 * 2048 + 2048;
  auto pure = job(JobKind::full_finetune, 2048, 1, Checkpointing::full, false);
  const auto m = estimate_training_memory(tiny, pure, {}, plain());
  CHECK(m.states.weights.in(byte) == Approx(2 * weights));
  CHECK(m.states.gradients.in(byte) == Approx(2 * weights));
  CHECK(m.states.moments.in(byte) == Approx(4 * weights));
  pure.fp32_master = true;
  const auto mixed = estimate_training_memory(tiny, pure, {}, plain());
  CHECK((mixed.states.weights + mixed.states.gradients + mixed.states.moments).in(byte) == Approx(16 * weights));
  // With a master copy: 2 of weights, 4 of the copy, 8 of moments, 2 of gradients: 16 as well.
  auto stack = plain();
  stack.mixed = MixedStyle::master_copy;
  stack.gradient_bytes = 2;
  const auto copied = estimate_training_memory(tiny, pure, {}, stack);
  CHECK((copied.states.weights + copied.states.master + copied.states.gradients + copied.states.moments).in(byte) ==
        Approx(16 * weights));
}

TEST_CASE("stages of ZeRO divide moments, then gradients, then weights") {
  const auto mixed = job(JobKind::full_finetune, 2048, 1, Checkpointing::full, true);
  const auto states = [&](int sharding) {
    return estimate_training_memory(tiny, mixed, {.replicas = 4, .sharding = sharding}, plain()).states;
  };
  CHECK(states(1).moments.in(byte) == Approx(states(0).moments.in(byte) / 4));
  CHECK(states(1).gradients == states(0).gradients);
  CHECK(states(2).gradients.in(byte) == Approx(states(0).gradients.in(byte) / 4));
  CHECK(states(2).weights == states(0).weights);
  CHECK(states(3).weights.in(byte) == Approx(states(0).weights.in(byte) / 4));
}

TEST_CASE("data parallelism keeps its gradient buckets through the forward pass") {
  const auto pure = job(JobKind::full_finetune, 512, 1, Checkpointing::full, false);
  const auto alone = estimate_training_memory(llama8, pure, {}, plain());
  auto two = pure;
  two.sequences_per_step = 2;
  const auto pair = estimate_training_memory(llama8, two, {.replicas = 2}, plain());
  CHECK((pair.after_forward - alone.after_forward).in(byte) == Approx(alone.states.gradients.in(byte)));
}

TEST_CASE("a QLoRA of a 7B model stays under 10 GB on one card") {
  // 6.6e9 layer weights at 0.516 byte, embedding and head in 16 bit, adapters of rank 16: 3.3 + 0.5 + 0.6 GB; 1,024 tokens with
  // checkpoints: 32 x 4,096 x 2 bytes each, 0.3 GB.
  auto qlora = job(JobKind::qlora, 1024, 1, Checkpointing::full, false);
  qlora.lora_all_linear = true;
  qlora.weight_format = "NF4";
  auto stack = plain();
  stack.double_quantisation = true;
  const auto m = estimate_training_memory(llama7, qlora, {}, stack);
  CHECK(m.peak < 10 * GB);
  CHECK(m.peak > 4 * GB);
  // Without any quantisation the weights alone are 13.5 GB.
  qlora.kind = JobKind::lora;
  CHECK(peak(llama7, qlora) > 13.5 * GB);
}

TEST_CASE("full fine-tuning of a 70B model needs more than 14 cards of 80 GB") {
  // 70.6e9 weights x 16 bytes of states: 1,129 GB; with gathered layers and activations 14 cards of 80 GB do not hold it.
  auto mixed = job(JobKind::full_finetune, 2048, 1, Checkpointing::full, true);
  const auto on = [&](int cards) {
    mixed.sequences_per_step = cards;
    return peak(llama70, mixed, {.cards = 1, .replicas = cards, .sharding = 3});
  };
  CHECK(on(8) > 140 * GB);
  CHECK(on(14) > 80 * GB);
  CHECK(on(24) < 80 * GB);
}

TEST_CASE("more checkpointing never takes more memory, nor does a second card for the same shards") {
  const auto kind = GENERATE(JobKind::full_finetune, JobKind::lora, JobKind::qlora);
  const auto fused = GENERATE(true, false);
  const auto sequence = GENERATE(256.0, 2048.0, 16384.0);
  auto stack = plain();
  stack.fused_attention = fused;
  const auto at = [&](Checkpointing c) { return peak(llama8, job(kind, sequence, 2, c, true), {}, stack); };
  CHECK(at(Checkpointing::selective) <= at(Checkpointing::none));
  CHECK(at(Checkpointing::full) <= at(Checkpointing::selective));
  auto shared = job(kind, sequence, 2, Checkpointing::full, true);
  shared.sequences_per_step = 8;
  CHECK(peak(llama8, shared, {.replicas = 4, .sharding = 3}, stack) <=
        peak(llama8, shared, {.replicas = 2, .sharding = 3}, stack));
}

TEST_CASE("the first of four stages holds four micro-batches, the last one holds the logits") {
  auto mixed = job(JobKind::full_finetune, 2048, 1, Checkpointing::none, true);
  mixed.sequences_per_step = 16;
  auto stack = plain();
  stack.mixed = MixedStyle::master_copy;
  const ParallelPlan plan{.split = SplitMode::tensor, .cards = 4, .pipeline = 4};
  const auto four = estimate_training_memory(llama8, mixed, plan, stack);
  const auto one = estimate_training_memory(llama8, mixed, {}, stack);
  // 8 of 32 layers, four micro-batches: as much as one card with all layers and one.
  CHECK(four.activations.in(byte) == Approx(one.activations.in(byte)).epsilon(0.01));
  CHECK(four.logits == Bytes{});
}

TEST_CASE("offloading moves states to the host and does not lose them") {
  auto mixed = job(JobKind::full_finetune, 2048, 1, Checkpointing::full, true);
  const auto here = estimate_training_memory(llama8, mixed, {}, plain());
  mixed.offload = Offload::optimizer;
  const auto there = estimate_training_memory(llama8, mixed, {}, plain());
  CHECK(there.host == here.states.moments + here.states.master);
  CHECK(there.states.moments == Bytes{});
}

// Parameters of a GPT: 12 l h^2 (1 + 13 / (12 h) + (V + s) / (12 l h)), Narayanan et al., arXiv:2104.04473, equation 2; 14 bytes
// each for 16-bit weights, fp32 copy and two fp32 moments. 22B (48 layers of 6,144, 51,200 words, 2,048 positions): 2.21e10 over
// eight cards are 38.7 GB each. 530B (105 layers of 20,480) on 8 x 35: three layers and the embedding's eighth on the first
// stage, (3 x 12 x 20,480^2 + 51,200 x 20,480) / 8 = 2.02e9, 28.3 GB.
TEST_CASE("weights and optimizer of Megatron's 22B and 530B are within 2 % of their parameters") {
  auto megatron = plain();
  megatron.mixed = MixedStyle::master_copy;
  megatron.gradient_bytes = 4;
  auto gpt = [](int layers, int hidden, int heads) {
    auto model = dense(layers, hidden, heads, heads, hidden / heads, 4 * hidden, 51200);
    model.groups.front().feed_forward = DenseFeedForward{.width = 4 * hidden, .gated = false};
    model.tied_embeddings = true;
    return model;
  };
  const auto state_bytes = [&](const TransformerModel& model, const ParallelPlan& plan) {
    const auto m =
        estimate_training_memory(model, job(JobKind::full_finetune, 2048, 1, Checkpointing::full, true), plan, megatron);
    return (m.states.weights + m.states.master + m.states.moments).in(GB);
  };
  const double l = 48, h = 6144, of22 = 12 * l * h * h * (1 + 13 / (12 * h) + (51200 + 2048) / (12 * l * h));
  CHECK(of22 == Approx(2.21e10).epsilon(0.005));
  CHECK(state_bytes(gpt(48, 6144, 64), {.cards = 8, .tensor = 8}) == Approx(14 * of22 / 8 / 1e9).epsilon(0.02));
  CHECK(state_bytes(gpt(105, 20480, 128), {.cards = 280, .tensor = 8, .pipeline = 35}) == Approx(28.3).epsilon(0.02));
}
