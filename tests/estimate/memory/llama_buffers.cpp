// SPDX-License-Identifier: Apache-2.0
// Compute buffers of a made-up model with round numbers, worked out on paper.
#include "estimate/memory/llama_buffers.h"

#include <catch2/catch.hpp>

#include "estimate/memory/card_shares.h"
#include "estimate/memory/engine_peaks.h"

using namespace rigplan;

namespace {

// Width 1,000, ten heads of 100, two cached; feed-forward of 4,000; 5,000 words. A pass of 100 rows at a context of 2,000: hidden
// states 100 x 1,000 x 4 = 0.4 MB, gate and up 2 x 100 x 4,000 x 4 = 3.2 MB, one mask in fp16 100 x 2,000 x 2 = 0.4 MB.
const GroupedQuery heads{.heads = 10, .kv_heads = 2, .head_size = 100, .value_size = 50};

TransformerModel model_of(const Attention& attention, const FeedForward& feed_forward) {
  TransformerModel model;
  model.hidden = 1000;
  model.vocabulary = 5000;
  model.groups = {{4, attention, feed_forward}};
  return model;
}
TransformerModel round_model() { return model_of(heads, DenseFeedForward{4000}); }
/// Two of eight experts of width 500.
TransformerModel round_mixture() { return model_of(heads, MixtureOfExperts{8, 2, 500}); }

LlamaBufferCase round_case() {
  LlamaBufferCase of;
  of.micro_batch = 100;
  of.context = 2000;
  return of;
}

double layer_mb(const TransformerModel& model, const LlamaBufferCase& of) { return llama_buffers(model, of).layer.in(MB); }

}  // namespace

TEST_CASE("with fused attention a layer holds one mask and its feed-forward part; over several cards four masks") {
  auto of = round_case();
  CHECK(layer_mb(round_model(), of) == Approx(0.4 + 3.2 + 0.4));
  of.cards = 2;
  CHECK(layer_mb(round_model(), of) == Approx(4 * 0.4 + 3.2 + 0.4));
  of.pipeline_copies = false;
  CHECK(layer_mb(round_model(), of) == Approx(4));
  of.pipeline_copies = true;
  of.experts_on_host = true;
  CHECK(layer_mb(round_model(), of) == Approx(4));
  // A cache in a block format is expanded for the kernel: 2,000 x 2 x (100 + 50) values in 2 bytes.
  of = round_case();
  of.dequantised_cache = true;
  CHECK(layer_mb(round_model(), of) == Approx(4 + 1.2));
  // Without a feed-forward part the hidden states alone.
  CHECK(layer_mb(model_of(heads, NoFeedForward{}), round_case()) == Approx(0.4 + 0.4));
}

// Scores 100 x 2,000 x 10 x 4 = 8 MB, mask in fp32 0.8, four times the hidden states 1.6; over cards eight times, and four masks.
TEST_CASE("without fused attention a layer holds the scores of all heads") {
  auto of = round_case();
  of.flash_attention = false;
  CHECK(layer_mb(round_model(), of) == Approx(8 + 0.8 + 1.6));
  of.cards = 2;
  CHECK(layer_mb(round_model(), of) == Approx(8 + 4 * 0.8 + 3.2));
  // The fork computes scores beyond a limit in pieces of it, with one and a half masks more.
  of.cards = 1;
  of.attention_limit = 5 * MB;
  CHECK(layer_mb(round_model(), of) == Approx(5 + 2.5 * 0.8 + 1.6));
  of.attention_limit = 8 * MB;
  CHECK(layer_mb(round_model(), of) == Approx(10.4));
}

TEST_CASE("a window bounds what a pass sees: its tokens and the pass itself") {
  auto of = round_case();
  const SlidingWindow sliding{heads, 300};
  CHECK(layer_mb(model_of(sliding, DenseFeedForward{4000}), of) == Approx(0.08 + 3.6));
  of.context = 200;
  CHECK(layer_mb(model_of(sliding, DenseFeedForward{4000}), of) == Approx(0.04 + 3.6));
}

// Inputs gathered and outputs of two experts, three times 0.4 MB each, products 2 x 500 x 100 x 4 = 0.4, and the hidden states.
TEST_CASE("a mixture holds gathered inputs and outputs of the experts in use") {
  auto of = round_case();
  CHECK(layer_mb(round_mixture(), of) == Approx(0.4 + 2.4 + 0.4 + 0.4));
  // Computed in host memory they leave queries and their like: 6 x 100 x 1,000 x 4.
  of.experts_on_host = true;
  CHECK(layer_mb(round_mixture(), of) == Approx(0.4 + 2.4));
  // The fork brings them to the card where a pass gives each expert 32 rows: more than 32 x 8 / 2 = 128.
  of.engine = MemoryEngine::ik_llama_cpp;
  of.micro_batch = 128;
  CHECK(layer_mb(round_mixture(), of) == Approx(1.28 * 2.8));
  of.micro_batch = 129;
  CHECK(layer_mb(round_mixture(), of) == Approx(1.29 * 3.6));
}

TEST_CASE("the head holds logits of all rows, and the hidden states twice where cards or experts differ") {
  auto of = round_case();
  CHECK(llama_buffers(round_model(), of).head.in(MB) == Approx(2 + 0.4));
  CHECK(llama_buffers(round_mixture(), of).head.in(MB) == Approx(2 + 0.8));
  of.cards = 2;
  CHECK(llama_buffers(round_model(), of).head.in(MB) == Approx(2 + 0.8));
}

// One expert matrix of 7 MB beside masks in fp32 and fp16, 1.5 x 0.8 MB, and 6 x 100 x 1,000 x 4 bytes; from passes of 32 rows
// on.
TEST_CASE("experts in host memory are staged one matrix at a time, by the mainline, for passes of 32 rows") {
  auto of = round_case();
  of.experts_on_host = true;
  of.expert_tensor = 7 * MB;
  CHECK(llama_buffers(round_mixture(), of).staged.in(MB) == Approx(7 + 1.2 + 2.4));
  of.micro_batch = 32;
  CHECK(llama_buffers(round_mixture(), of).staged.in(MB) == Approx(7 + 0.32 * 3.6));
  of.micro_batch = 31;
  CHECK(llama_buffers(round_mixture(), of).staged == Bytes{});
  of = round_case();
  CHECK(llama_buffers(round_mixture(), of).staged == Bytes{});
  of.experts_on_host = true;
  of.engine = MemoryEngine::ik_llama_cpp;
  CHECK(llama_buffers(round_mixture(), of).staged == Bytes{});
}

TEST_CASE("a card reserves the largest of what it computes") {
  LlamaBuffers buffers;
  buffers.layer = 3 * MB;
  buffers.head = 5 * MB;
  buffers.staged = 4 * MB;
  CHECK(buffers.on_card(true, false, false) == 3 * MB);
  CHECK(buffers.on_card(true, false, true) == 4 * MB);
  CHECK(buffers.on_card(true, true, true) == 5 * MB);
  CHECK(buffers.on_card(false, true, true) == 5 * MB);
  CHECK(buffers.on_card(false, false, true) == Bytes{});
  buffers.staged = 1 * MB;
  CHECK(buffers.on_card(true, false, true) == 3 * MB);
}

// 4 x 10^6 weights of a scan of width 1,000 are 4,000 values a row: 1.6 MB and the hidden states; the feed-forward part has 3.6.
TEST_CASE("a recurrent layer holds what its scan or its feed-forward part makes") {
  CHECK(layer_mb(model_of(Recurrent{1e5, 4e6}, NoFeedForward{}), round_case()) == Approx(2));
  CHECK(layer_mb(model_of(Recurrent{1e5, 4e6}, DenseFeedForward{4000}), round_case()) == Approx(3.6));
  auto two = round_model();  // the larger of two kinds decides
  two.groups.push_back({1, heads, DenseFeedForward{8000}});
  two.groups.push_back({1, heads, DenseFeedForward{100}});
  CHECK(layer_mb(two, round_case()) == Approx(0.4 + 6.4 + 0.4));
}

// Ten heads in a space of 200 + 20: in the compressed space 10 x (2 x 200 + 20) x 100 x 4 = 1.68 MB beside mask and feed-forward
// part. The fork expands keys and values of all heads, 2,000 x 10 x 2 x 120 x 2 = 9.6 MB, with the mask 0.4 and queries and
// results 2 x 10 x 120 x 100 x 4 = 0.96.
TEST_CASE("latent attention: absorbed by the mainline, expanded by the fork, with scores where it is not fused") {
  const Latent latent{.heads = 10, .query_rank = 0, .kv_rank = 200, .rope_size = 20, .nope_size = 100, .value_size = 100};
  const auto model = model_of(latent, DenseFeedForward{4000});
  auto of = round_case();
  CHECK(layer_mb(model, of) == Approx(0.4 + 3.6 + 1.68));
  of.latent = LatentStorage::expanded;
  CHECK(layer_mb(model, of) == Approx(8 + 0.8 + 1.6));
  of = round_case();
  of.flash_attention = false;
  CHECK(layer_mb(model, of) == Approx(8 + 0.8 + 1.6));
  of = round_case();
  of.engine = MemoryEngine::ik_llama_cpp;
  CHECK(layer_mb(model, of) == Approx(9.6 + 0.4 + 0.96));
  for (const int mode : {1, 2, 3}) {
    of.latent_mode = mode;
    CHECK(layer_mb(model, of) == Approx(mode == 3 ? 10.96 : 10.4));
  }
  of.flash_attention = false;
  CHECK(layer_mb(model, of) == Approx(10.4));
  // A feed-forward part wider than what is expanded: 2 x 100 x 40,000 x 4 = 32 MB.
  of = round_case();
  of.engine = MemoryEngine::ik_llama_cpp;
  CHECK(layer_mb(model_of(latent, DenseFeedForward{40'000}), of) == Approx(0.4 + 32.4));
  // Its experts computed on the host leave what is expanded.
  of.experts_on_host = true;
  CHECK(layer_mb(model_of(latent, MixtureOfExperts{8, 2, 50'000}), of) == Approx(10.96));
}

// 100 x (5,000 + 1,000) x 4 of logits and hidden states, or (2 x 100 x 4,000 + 2 x 100 x 1,000 + 100 x 2,000) x 4 of a layer.
TEST_CASE("builds of 2023 had one scratch buffer, for a layer or for the logits") {
  CHECK(llama_scratch_2023(round_model(), 100, 2000).in(MB) == Approx(4.8));
  CHECK(llama_scratch_2023(model_of(heads, DenseFeedForward{100}), 100, 200).in(MB) == Approx(2.4));
}

// 33 parts: of a card of 12 GB with 2 for the driver and 1 kept free, 9; of another of 5 GB with 2 and 0, 3: layers with a place
// below 0.75 of 33 are on the first, 25 of them.
TEST_CASE("layers are dealt by what is free, not by what is built in") {
  const CardBudget cards[] = {{12 * GB, 2 * GB, 1 * GB}, {5 * GB, 2 * GB, Bytes{}}};
  CHECK(layers_by_capacity(32, cards) == std::vector{25, 7});
  const CardBudget none[] = {{12 * GB, 2 * GB, 1 * GB}, {2 * GB, 2 * GB, 1 * GB}, {12 * GB, 2 * GB, 1 * GB}};
  CHECK(layers_by_capacity(10, none) == std::vector{6, 0, 4});
  // Nothing free anywhere: all on the last, which then says that it does not fit.
  const CardBudget full[] = {{1 * GB, 2 * GB, Bytes{}}, {1 * GB, 2 * GB, Bytes{}}};
  CHECK(layers_by_capacity(10, full) == std::vector{0, 10});
  CHECK(layers_by_capacity(10, std::span{cards, 1}) == std::vector{10});
}

// 36 bytes for each of ten rows of 5,000 logits, 2 for each of 100 x 1,000 hidden values.
TEST_CASE("what paged engines find in their profiling run") {
  CHECK((paged_activation_peak(round_model(), 100, 10) - 350 * MiB).in(MB) == Approx(1.8 + 0.2));
  CHECK(paged_non_torch(1).in(GiB) == Approx(0.13));
  CHECK(paged_non_torch(2).in(GiB) == Approx(0.55));
  auto model = round_model();
  CHECK(paged_graphs(model).in(MiB) == Approx(16));
  model.groups.push_back({3, heads, MixtureOfExperts{8, 2, 500}});
  CHECK(paged_graphs(model).in(MiB) == Approx(16 + 87));
}

// A row: 8 bytes of each of 4,000 inner values, 4 of 1,000 hidden ones, 6 of (10 + 2) x 100 of queries and keys: 43.2 kB.
TEST_CASE("an eager forward pass holds the widest layer's intermediate results") {
  const auto kilobytes = [](const TransformerModel& model) { return (pytorch_forward_peak(model, 100) - 32 * MiB).in(kB) / 100; };
  CHECK(kilobytes(round_model()) == Approx(32 + 4 + 7.2));
  CHECK(kilobytes(model_of(SlidingWindow{heads, 10}, DenseFeedForward{4000})) == Approx(43.2));
  CHECK(kilobytes(model_of(heads, MixtureOfExperts{8, 2, 500, 3, 200})) == Approx(8 * 1.6 + 4 + 7.2));
  CHECK(kilobytes(model_of(Recurrent{1, 1}, NoFeedForward{})) == Approx(4));
  const Latent latent{.heads = 10, .query_rank = 0, .kv_rank = 200, .rope_size = 20, .nope_size = 100, .value_size = 100};
  CHECK(kilobytes(model_of(latent, DenseFeedForward{4000})) == Approx(32 + 4 + 6 * 2.4));
}
