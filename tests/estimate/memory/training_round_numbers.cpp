// SPDX-License-Identifier: Apache-2.0
// Training memory of a made-up model with round numbers, worked out on paper.
#include <catch2/catch.hpp>

#include "estimate/memory/activations.h"
#include "estimate/memory/training_states.h"
#include "rigplan/estimate/memory/training_memory.h"

using namespace rigplan;

namespace {

const GroupedQuery heads{.heads = 10, .kv_heads = 2, .head_size = 100, .value_size = 50};
const DenseFeedForward inner{4000};

/// Four layers of width 1,000, 5,000 words. A layer: queries 10^6 weights, keys 2 x 10^5, values 10^5, output 5 x 10^5,
/// feed-forward 12 x 10^6; 13.8 million and two norms.
TransformerModel round_model(const Attention& attention = heads, const FeedForward& feed_forward = inner) {
  TransformerModel model;
  model.hidden = 1000;
  model.vocabulary = 5000;
  model.groups = {{4, attention, feed_forward}};
  return model;
}
constexpr double layers = 4 * 13.8e6 + 4 * 2000, embedding = 5e6 + 1000,
                 head = 5e6;  // the last norm is counted with the embedding

/// One sequence of 1,000 tokens, everything in 16 bit.
Job round_job(JobKind kind = JobKind::full_finetune, Checkpointing checkpointing = Checkpointing::none) {
  Job job;
  job.kind = kind;
  job.sequence = Tokens{1000};
  job.sequences_per_step = 1;
  job.checkpointing = checkpointing;
  job.fp32_master = false;
  job.weight_format = "NF4";
  return job;
}

LayerActivations activations_of(const Job& job, const TrainingStack& stack = {}, const TransformerModel& model = round_model()) {
  return layer_activations(model, model.groups[0], job, stack);
}
TrainingMemory memory_of(const Job& job, const ParallelPlan& plan = {}, const TrainingStack& stack = {},
                         const TransformerModel& model = round_model()) {
  return estimate_training_memory(model, job, plan, stack);
}
TrainingStates states_of(const Job& job, const ParallelPlan& plan = {}, const TrainingStack& stack = {},
                         const TransformerModel& model = round_model()) {
  return training_states(model, job, plan, stack, 0).states;
}

}  // namespace

// Inputs of two norms, of attention and feed-forward part, each 1,000 values in 2 bytes: 8,000. Queries, keys and values 1,300
// before and the first two 1,200 again after the rotation, results of 500 twice, ten sums in 4 bytes, gate, up and product of
// 4,000 each and the input of the last matrix: 2 x (1,300 + 1,200 + 1,000 + 16,000) + 40.
TEST_CASE("what a layer keeps of a token") {
  const auto plain = activations_of(round_job());
  CHECK(plain.undivided == 8000);
  CHECK(plain.divided == 39'040);
  CHECK(plain.scores == 0);
  CHECK(plain.checkpoint == 2000);
  CHECK(plain.temporaries == 18'000);
  CHECK(plain.on_card(4, false) == 8000 + 9760);
  CHECK(plain.on_card(4, true) == 2000 + 9760);
  TrainingStack repeats;
  repeats.repeats_kv = true;  // keys and values of two heads for all ten: 1,200 more
  CHECK(activations_of(round_job(), repeats).divided == 39'040 + 2400);
  TrainingStack norms;
  norms.norm_extra_bytes = 3;
  CHECK(activations_of(round_job(), norms).undivided == 8000 + 6000);
  // Under autocast what passes from layer to layer is fp32; with a master copy it is not, nor with adapters.
  auto mixed = round_job();
  mixed.fp32_master = true;
  CHECK(activations_of(mixed).undivided == 8000 + 4000);
  CHECK(activations_of(mixed).checkpoint == 4000);
  TrainingStack copy;
  copy.mixed = MixedStyle::master_copy;
  CHECK(activations_of(mixed, copy).undivided == 8000);
  mixed.kind = JobKind::lora;
  CHECK(activations_of(mixed).checkpoint == 2000);
  auto wide = round_job();
  wide.precision = TrainingPrecision::fp32;
  CHECK(activations_of(wide).undivided == 16'000);
  CHECK(activations_of(wide).divided == 2 * 39'000 + 40);
}

TEST_CASE("kinds of layers keep different widths") {
  const auto of = [](const Attention& attention, const FeedForward& feed_forward) {
    return activations_of(round_job(), {}, round_model(attention, feed_forward));
  };
  // Two matrices instead of three: the activation and its input.
  CHECK(of(heads, DenseFeedForward{4000, false}).divided == 39'040 - 16'000);
  CHECK(of(heads, DenseFeedForward{4000, false}).temporaries == 10'000);
  // Two experts of 500 and a shared one of 200; the hidden vector is copied there and back for each of the two.
  const auto mixture = of(heads, MixtureOfExperts{8, 2, 500, 1, 200});
  CHECK(mixture.divided == 7040 + 8 * 1200);
  CHECK(mixture.undivided == 8000 + 8000);
  const auto none = of(heads, NoFeedForward{});
  CHECK(none.divided == 7040);
  CHECK(none.undivided == 4000);
  // Ten heads of 100 + 20 for queries and keys, 50 for values; compressed vectors of 100 and 200 with normed copies, and 20.
  const auto latent =
      of(Latent{.heads = 10, .query_rank = 100, .kv_rank = 200, .rope_size = 20, .nope_size = 100, .value_size = 50}, inner);
  CHECK(latent.divided == 2 * (2900 + 2400 + 1000 + 16'000) + 40);
  CHECK(latent.undivided == 8000 + 2 * 620);
  // A scan of 3 million weights keeps twice 3,000 values.
  CHECK(of(Recurrent{1e5, 3e6}, inner).divided == 2 * (6000 + 16'000));
}

// Ten heads x 1,000 seen, in 2 bytes before and after dropout and one byte of mask.
TEST_CASE("scores are kept where attention is not fused and nothing recomputes them") {
  TrainingStack unfused;
  unfused.fused_attention = false;
  CHECK(activations_of(round_job(), unfused).scores == 50'000);
  CHECK(activations_of(round_job(JobKind::full_finetune, Checkpointing::selective), unfused).scores == 0);
  CHECK(activations_of(round_job(), unfused, round_model(SlidingWindow{heads, 300})).scores == 15'000);
  CHECK(activations_of(round_job(), unfused, round_model(SlidingWindow{heads, 5000})).scores == 50'000);
  auto wide = round_job();
  wide.precision = TrainingPrecision::fp32;
  CHECK(activations_of(wide, unfused).scores == 90'000);
  CHECK(activations_of(round_job(), unfused).on_card(2, false) == 8000 + 19'520 + 25'000);
}

TEST_CASE("adapters keep their inner vectors; frozen matrices without one keep what the program keeps") {
  TrainingStack stack;
  stack.frozen_input_bytes = 1;
  stack.dequantised_extra_bytes = 0.5;
  auto job = round_job(JobKind::lora);
  CHECK(activations_of(job, stack).undivided == 8000 + 2 * 16 * 7);
  CHECK(activations_of(job, stack).divided == 39'040);
  job.lora_all_linear = false;  // on four matrices; the feed-forward part keeps a byte of each input
  CHECK(activations_of(job, stack).undivided == 7000 + 2 * 16 * 4);
  CHECK(activations_of(job, stack).divided == 39'040 - 4000);
  job.kind = JobKind::qlora;
  CHECK(activations_of(job, stack).divided == 39'040 - 4000 + 2000);
}

// 47,040 bytes a token and layer; the last norm's input and output 4 more MB. Logits 1,000 x 5,000: 8 bytes each, 2 kept.
TEST_CASE("a micro-batch of 1,000 tokens through four layers") {
  const auto none = memory_of(round_job());
  CHECK(none.activations.in(MB) == Approx(188.16 + 4));
  CHECK(none.layer.in(MB) == Approx(47.04 + 18));
  CHECK(none.logits.in(MB) == Approx(40));
  CHECK(none.workspace == 64 * MiB);
  CHECK(none.host == Bytes{});
  const auto full = memory_of(round_job(JobKind::full_finetune, Checkpointing::full));
  CHECK(full.activations.in(MB) == Approx(8 + 4));
  CHECK(full.layer.in(MB) == Approx(2 + 47.04 + 18));
  const auto selective = round_job(JobKind::full_finetune, Checkpointing::selective);
  CHECK(memory_of(selective).activations.in(MB) == Approx(4 + 94.08 + 4));
  CHECK(memory_of(selective).layer.in(MB) == Approx(2 + 47.04 + 18));
  TrainingStack unfused;
  unfused.fused_attention = false;
  CHECK(memory_of(selective, {}, unfused).activations.in(MB) == Approx(192.16));
  CHECK(memory_of(selective, {}, unfused).layer.in(MB) == Approx(47.04 + 50 + 18));
  CHECK(memory_of(selective, {.tensor = 2}, unfused).layer.in(MB) == Approx(27.52 + 25 + 9));
  CHECK(memory_of(round_job(), {}, unfused).activations.in(MB) == Approx(4 * 97.04 + 4));
  CHECK(memory_of(round_job(), {}, unfused).layer.in(MB) == Approx(97.04 + 18));
  // Half of the tokens; a quarter of what is divided among cards.
  CHECK(memory_of(round_job(), {.context = 2}).activations.in(MB) == Approx(96.08));
  CHECK(memory_of(round_job(), {.context = 2}).logits.in(MB) == Approx(20));
  const ParallelPlan four{.tensor = 4};
  CHECK(memory_of(round_job(), four).activations.in(MB) == Approx(4 * 17.76 + 4));
  CHECK(memory_of(round_job(), four).layer.in(MB) == Approx(17.76 + 4.5));
  CHECK(memory_of(round_job(), four).logits.in(MB) == Approx(10));
  const ParallelPlan divided{.tensor = 4, .sequence_parallel = true};
  CHECK(memory_of(round_job(), divided).activations.in(MB) == Approx(4 * 11.76 + 1));
  CHECK(memory_of(round_job(JobKind::full_finetune, Checkpointing::full), divided).activations.in(MB) == Approx(2 + 1));
  CHECK(memory_of(round_job(JobKind::full_finetune, Checkpointing::full), divided).layer.in(MB) == Approx(0.5 + 11.76 + 4.5));
  auto two = round_job();
  two.micro_sequences = two.sequences_per_step = 2;
  CHECK(memory_of(two).activations.in(MB) == Approx(2 * 192.16));
  CHECK(memory_of(two).logits.in(MB) == Approx(80));
}

TEST_CASE("checkpoints in host memory leave two layers on their way") {
  TrainingStack stack;
  stack.checkpoints_on_host = true;
  const auto memory = memory_of(round_job(JobKind::full_finetune, Checkpointing::full), {}, stack);
  CHECK(memory.host.in(MB) == Approx(8));
  CHECK(memory.activations.in(MB) == Approx(4 + 4));
  CHECK(memory_of(round_job(), {}, stack).host == Bytes{});
  stack.program = 1 * GB;
  CHECK(memory_of(round_job(), {}, stack).workspace == 64 * MiB + 1 * GB);
}

TEST_CASE("logits by program: whole, in slices, or none; mixed, quantised or plain") {
  TrainingStack stack;
  stack.logit_bytes = 3;
  stack.mixed_logit_bytes = 5;
  stack.quantised_logit_bytes = 7;
  const auto megabytes = [&](const Job& job) { return memory_of(job, {}, stack).logits.in(MB); };
  auto mixed = round_job();
  mixed.fp32_master = true;
  CHECK(megabytes(round_job()) == Approx(15));
  CHECK(megabytes(mixed) == Approx(25));
  CHECK(megabytes(round_job(JobKind::qlora)) == Approx(35));
  CHECK(megabytes(round_job(JobKind::lora)) == Approx(15));
  mixed.kind = JobKind::lora;
  CHECK(megabytes(mixed) == Approx(15));
  auto wide = round_job();
  wide.precision = TrainingPrecision::fp32;
  CHECK(megabytes(wide) == Approx(30));
  const auto kept = [&](LossStyle loss) {
    stack.loss = loss;
    const auto memory = memory_of(round_job(), {}, stack);
    // What is left in the backward pass beside weights, gradients so far, one layer and the workspace.
    return (memory.in_backward - memory.states.weights - memory.states.moments - memory.workspace - memory.layer -
            (memory.states.gradients - memory.states.last_gradients))
        .in(MB);
  };
  CHECK(kept(LossStyle::whole) == Approx(10).margin(1e-6));
  CHECK(kept(LossStyle::chunked) == Approx(0).margin(1e-6));
  CHECK(memory_of(round_job(), {}, stack).logits.in(MB) == Approx(15));
  CHECK(kept(LossStyle::fused) == Approx(0).margin(1e-6));
  CHECK(memory_of(round_job(), {}, stack).logits == Bytes{});
}

// One micro-batch and layers that are nothing: the peak is the greatest of the three phases, as the allocator reserves it.
TEST_CASE("the peak is that of the fullest phase") {
  const auto memory = memory_of(round_job());
  const auto& s = memory.states;
  const auto always = s.weights + s.moments + memory.workspace;
  CHECK(memory.after_forward.in(MB) == Approx((always + memory.activations + memory.logits).in(MB)));
  CHECK(memory.in_backward.in(MB) == Approx((always + s.gradients - s.last_gradients + memory.layer).in(MB) + 10));
  CHECK(memory.at_step.in(MB) == Approx((always + s.gradients).in(MB) + 10));
  CHECK(memory.peak_phase == TrainingPhase::forward);
  CHECK(memory.peak == memory.after_forward);
  CHECK(memory_of(round_job(JobKind::full_finetune, Checkpointing::full)).peak_phase == TrainingPhase::backward);
  auto brief = round_job(JobKind::full_finetune, Checkpointing::full);
  brief.sequence = Tokens{10};
  CHECK(memory_of(brief).peak_phase == TrainingPhase::step);
  TrainingStack reserves;
  reserves.reserved_over_allocated = 1.25;
  CHECK(memory_of(round_job(), {}, reserves).peak.in(MB) == Approx(1.25 * memory.peak.in(MB)));
  // Accumulated gradients stay through the forward pass.
  auto accumulated = round_job();
  accumulated.sequences_per_step = 2;
  CHECK((memory_of(accumulated).after_forward - memory.after_forward).in(MB) == Approx(s.gradients.in(MB)));
  CHECK(memory_of(accumulated).in_backward - memory.in_backward == s.last_gradients);
}

// Two stages of two layers: the first holds two micro-batches, interleaved in two chunks 1 + 1/4 times as many.
TEST_CASE("the first stage holds as many micro-batches as there are stages, the last one has the head") {
  auto job = round_job();
  job.sequences_per_step = 16;
  const ParallelPlan two{.cards = 2, .pipeline = 2};
  const auto first = memory_of(job, two);
  CHECK(first.activations.in(MB) == Approx(2 * 94.08));
  CHECK(first.logits == Bytes{});
  CHECK(first.states.gradients_held);
  CHECK(memory_of(job, {.cards = 2, .pipeline = 2, .interleave = 2}).activations.in(MB) == Approx(2.5 * 94.08));
  CHECK((first.in_backward - first.at_step).in(MB) == Approx(94.08 + 65.04));
  job.sequences_per_step = 1;  // nothing to hold besides: the last stage with its logits is fuller
  const auto last = memory_of(job, two);
  CHECK(last.activations.in(MB) == Approx(94.08 + 4));
  CHECK(last.logits.in(MB) == Approx(40));
  CHECK(last.states.gradients_held);
  job.sequences_per_step = 2;  // as many micro-batches as stages: interleaving adds nothing
  CHECK(memory_of(job, {.cards = 2, .pipeline = 2, .interleave = 2}).activations == memory_of(job, two).activations);
}

TEST_CASE("weights of one card: norms are never divided, ends belong to the first and the last stage") {
  const auto bytes = [](const ParallelPlan& plan, int stage, const TransformerModel& model = round_model()) {
    return training_states(model, round_job(), plan, {}, stage).states.weights.in(byte) / 2;
  };
  CHECK(bytes({}, 0) == layers + embedding + head);  // exactly, as the other numbers of whole weights
  CHECK(bytes({.tensor = 2}, 0) == Approx(4 * 6.9e6 + 8000 + 2.5e6 + 1000 + 2.5e6));
  CHECK(bytes({.pipeline = 2}, 0) == Approx(layers / 2 + embedding));
  CHECK(bytes({.pipeline = 2}, 1) == Approx(layers / 2 + head));
  CHECK(bytes({.pipeline = 4}, 1) == Approx(layers / 4));
  CHECK(bytes({.pipeline = 3}, 1) == Approx(layers / 2));  // the deepest stage has two of four
  auto tied = round_model();
  tied.tied_embeddings = true;
  CHECK(bytes({}, 0, tied) == Approx(layers + embedding));
  CHECK(bytes({.pipeline = 2}, 1, tied) == Approx(layers / 2 + 5e6));
  const auto mixture = round_model(heads, MixtureOfExperts{8, 2, 500});
  CHECK(bytes({.expert = 4}, 0, mixture) == Approx(4 * (1.8e6 + 3e6 + 8e3 + 2e3) + embedding + head));
  CHECK(bytes({.tensor = 2, .expert = 4}, 0, mixture) == Approx(4 * (0.9e6 + 1.5e6 + 4e3 + 2e3) + 1000 + 5e6));
  TrainingStack unties;
  unties.unties_head = true;
  CHECK(states_of(round_job(), {}, unties, tied).weights.in(byte) / 2 == Approx(layers + embedding + head));
  CHECK(states_of(round_job(), {.tensor = 2}, unties, tied).weights.in(byte) / 2 ==
        Approx(4 * 6.9e6 + 8000 + 2.5e6 + 1000 + 2.5e6));
  CHECK(states_of(round_job(), {}, unties).weights.in(byte) / 2 == Approx(layers + embedding + head));
  CHECK(trained_weights(round_model(), round_job()) == Approx(layers + embedding + head));
}

TEST_CASE("what full training keeps beside the weights") {
  const double all = layers + embedding + head, one = layers / 4;
  const auto pure = states_of(round_job());
  CHECK(pure.gradients.in(byte) == Approx(2 * all));
  CHECK(pure.last_gradients.in(byte) == 2 * (embedding + one));
  CHECK(pure.master == Bytes{});
  CHECK_FALSE(pure.gradients_held);
  auto wide = round_job();
  wide.precision = TrainingPrecision::fp32;
  wide.fp32_master = true;
  CHECK(states_of(wide).weights.in(byte) == Approx(4 * all));
  CHECK(states_of(wide).moments.in(byte) == Approx(8 * all));
  CHECK(training_states(round_model(), wide, {}, {}, 0).casts == Bytes{});
  TrainingStack stack;
  stack.optimizer_in_backward = true;  // one layer's gradients at a time
  CHECK(states_of(round_job(), {}, stack).gradients.in(byte) == Approx(2 * one));
  CHECK(states_of(round_job(), {}, stack).last_gradients == Bytes{});
  // Casts of autocast: all layers and the head; with checkpoints the head alone, which may be the embedding.
  auto mixed = round_job();
  mixed.fp32_master = true;
  const auto casts = [&](const TransformerModel& model = round_model()) {
    return training_states(model, mixed, {}, {}, 0).casts.in(byte);
  };
  CHECK(casts() == Approx(2 * (layers + head)));
  mixed.checkpointing = Checkpointing::full;
  CHECK(casts() == Approx(2 * head));
  auto tied = round_model();
  tied.tied_embeddings = true;
  CHECK(casts(tied) == Approx(2 * embedding));
  // One row and one column of each matrix in fp32: (2,000 + 1,200 + 1,100 + 1,500 + 3 x 5,000 + 1,002) x 4 layers, 6,000 of the
  // ends.
  auto factored = round_job();
  factored.optimizer = "adafactor";
  CHECK(states_of(factored).moments.in(byte) == 4 * (4 * 21'802 + 6000));
  factored.optimizer = "one of my own";
  CHECK(states_of(factored).moments.in(byte) == Approx(4 * all));
}

// Rank 16 on all matrices: 16 x (2,000 + 1,200 + 1,100 + 1,500 + 15,000) x 4 = 1.3312 million; on attention 0.3712.
TEST_CASE("adapters are trained beside frozen weights") {
  const double adapters = 1.3312e6;
  auto job = round_job(JobKind::lora);
  const auto lora = states_of(job);
  CHECK(lora.weights.in(byte) == Approx(2 * (layers + embedding + head)));
  // Exactly: nothing of the frozen ends.
  CHECK(lora.adapters.in(byte) == 4 * adapters);
  CHECK(lora.gradients.in(byte) == 4 * adapters);
  CHECK(lora.moments.in(byte) == 8 * adapters);
  CHECK(states_of(job, {.tensor = 2}).adapters.in(byte) == Approx(2 * adapters));
  CHECK(trained_weights(round_model(), job) == Approx(adapters));
  job.train_embeddings = true;
  const double ends = embedding + head;
  CHECK(states_of(job).adapters.in(byte) == Approx(4 * adapters + 2 * ends));
  CHECK(states_of(job).gradients.in(byte) == Approx(4 * adapters + 2 * ends));
  CHECK(states_of(job).moments.in(byte) == Approx(8 * adapters + 8 * ends));
  CHECK(trained_weights(round_model(), job) == Approx(adapters + ends));
  job.train_embeddings = job.lora_all_linear = false;
  CHECK(states_of(job).adapters.in(byte) == Approx(4 * 0.3712e6));
  TrainingStack narrow;
  narrow.adapter_bytes = 2;
  CHECK(states_of(job, {}, narrow).adapters.in(byte) == Approx(2 * 0.3712e6));
  // No adapter on a router: experts 8 x 3 x 1,500 values of rows and columns a layer.
  job.lora_all_linear = true;
  CHECK(states_of(job, {}, {}, round_model(heads, MixtureOfExperts{8, 2, 500})).adapters.in(byte) ==
        Approx(4 * 16 * 4 * (5800.0 + 8 * 4500)));
  CHECK(states_of(job, {}, {}, round_model(Recurrent{1e5, 3e6}, NoFeedForward{})).adapters.in(byte) ==
        Approx(4 * 16 * 4 * 4000.0));
}

// NormalFloat: half a byte and 4 bytes for 64 values, 0.5625; scales in one byte and 4 bytes for 256 of them, 0.51587; groups of
// 128 with 2.5 bytes, 0.51953. The widest matrix, 4 million values, is dequantised twice: 16 MB.
TEST_CASE("a quantised base in its exact bytes") {
  auto job = round_job(JobKind::qlora);
  TrainingStack stack;
  const auto base = [&] { return (states_of(job, {}, stack).weights.in(byte)-2 * (embedding + head)) / layers; };
  CHECK(base() == Approx(0.5625));
  stack.double_quantisation = true;
  CHECK(base() == Approx(0.515869140625));
  job.weight_format = "nf4";
  CHECK(base() == Approx(0.515869140625));
  job.weight_format = "GPTQ";
  CHECK(base() == Approx(0.51953125));
  stack.quantises_head = true;
  CHECK(base() == Approx(0.51953125 - (2 - 0.51953125) * head / layers));
  CHECK(memory_of(job).gathered == 16 * MB);
  CHECK(memory_of(job, {.tensor = 2}).gathered.in(MB) == Approx(8));
  CHECK(memory_of(round_job(JobKind::lora)).gathered == Bytes{});
}

TEST_CASE("shards divide by the cards that share them, and gather two layers and the ends") {
  const double all = layers + embedding + head;
  const auto full = training_states(round_model(), round_job(), {.replicas = 4, .sharding = 3}, {}, 0);
  CHECK(full.states.weights.in(byte) == Approx(2 * all / 4));
  CHECK(full.gathered.in(byte) == Approx(2 * 2 * layers / 4 + 2 * (embedding + head)));
  CHECK(states_of(round_job(), {.replicas = 4, .sharding = 3, .shard_cards = 2}).weights.in(byte) == Approx(all));
  CHECK(states_of(round_job(), {.replicas = 4, .sharding = 2}).last_gradients.in(byte) ==
        Approx(2 * (embedding + layers / 4) / 4));
  CHECK(states_of(round_job(), {.replicas = 4, .sharding = 1}).last_gradients.in(byte) == Approx(2 * (embedding + layers / 4)));
  CHECK(training_states(round_model(), round_job(), {.replicas = 1, .sharding = 3}, {}, 0).gathered == Bytes{});
  CHECK(training_states(round_model(), round_job(), {.replicas = 4, .sharding = 2}, {}, 0).gathered == Bytes{});
  // Two cards shard as well; shards of one card do not.
  CHECK(training_states(round_model(), round_job(), {.replicas = 2, .sharding = 3}, {}, 0).gathered == full.gathered);
  CHECK(states_of(round_job(), {.replicas = 2, .sharding = 3}).weights.in(byte) == Approx(all));
  CHECK(states_of(round_job(), {.replicas = 4, .sharding = 3, .shard_cards = 1}).weights.in(byte) == Approx(2 * all));
  auto mixed = round_job();
  mixed.fp32_master = true;
  TrainingStack copy;
  copy.mixed = MixedStyle::master_copy;
  CHECK(states_of(mixed, {.replicas = 4, .sharding = 1}, copy).master.in(byte) == Approx(all));
  CHECK(states_of(mixed, {.replicas = 4}, copy).master.in(byte) == Approx(4 * all));
  const auto lora = training_states(round_model(), round_job(JobKind::lora), {.replicas = 4, .sharding = 3}, {}, 0);
  CHECK(lora.states.adapters.in(byte) == Approx(1.3312e6));
  // A quantised base is gathered as it is stored, and one matrix of it dequantised twice.
  const auto quantised = training_states(round_model(), round_job(JobKind::qlora), {.replicas = 4, .sharding = 3}, {}, 0);
  CHECK(quantised.gathered.in(byte) == Approx(2 * 0.5625 * layers / 4 + 2 * (embedding + head) + 16e6));
  // Plain data parallelism keeps its buckets, sharded gradients are not kept.
  CHECK(states_of(round_job(), {.replicas = 2}).gradients_held);
  CHECK_FALSE(states_of(round_job(), {.replicas = 2, .sharding = 1}).gradients_held);
}

TEST_CASE("weights in host memory leave two layers and the ends on the card") {
  auto job = round_job();
  const auto here = training_states(round_model(), job, {}, {}, 0);
  job.offload = Offload::parameters;
  const auto there = training_states(round_model(), job, {}, {}, 0);
  CHECK(there.host == here.states.weights + here.states.moments + here.states.gradients);
  CHECK(there.gathered.in(byte) == Approx(2 * 2 * layers / 4 + 2 * (embedding + head)));
  CHECK((there.states.weights == Bytes{} && there.states.gradients == Bytes{} && there.states.last_gradients == Bytes{}));
  job.offload = Offload::optimizer;
  CHECK(training_states(round_model(), job, {}, {}, 0).host == here.states.moments);
  CHECK(training_states(round_model(), job, {}, {}, 0).gathered == Bytes{});
}
