// SPDX-License-Identifier: Apache-2.0
// What a model asks of the hardware, counted from shapes of every kind.
#include "rigplan/estimate/compute/inference_work.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace rigplan;

namespace {

const GroupedQuery heads{.heads = 8, .kv_heads = 2, .head_size = 64, .value_size = 32};
const DenseFeedForward inner{3000};

InferenceWork work_of(std::vector<LayerGroup> groups, const char* mix = "F16", const char* keys = "F16",
                      std::optional<Bytes> weights = {}) {
  TransformerModel model;
  model.hidden = 1000;
  model.vocabulary = 10'000;
  model.groups = std::move(groups);
  return inference_work(model, *find_weight_mix(mix), *find_number_format(keys), *find_number_format("F16"), weights);
}

}  // namespace

// Keys of 2 heads of 64 and values of 2 of 32 in 2 bytes: 384 bytes a layer; a pair takes 2 x 8 x (64 + 32) = 1,536 operations.
TEST_CASE("layers with attention cache keys and values, and compare each token with each") {
  const auto work = work_of({{4, heads, inner}});
  CHECK(work.hidden == 1000);
  CHECK(work.attention_layers == 4);
  CHECK(work.recurrent_layers == 0);
  CHECK((work.low_rank_layers == 0 && work.compressed_layers == 0 && work.expert_layers == 0 && work.routed_experts == 0));
  REQUIRE(work.caches.size() == 1);
  CHECK(std::isinf(work.caches[0].window));
  CHECK(work.caches[0].heads == 2);
  CHECK(work.caches[0].per_token.in(byte) == 4 * 384);
  CHECK(work.caches[0].per_pair.in(FLOP) == 4 * 1536);
  CHECK(work.state == Bytes{});
  // Keys in 8.5 bits.
  CHECK(work_of({{4, heads, inner}}, "F16", "Q8_0").caches[0].per_token.in(byte) == Approx(4 * (128 * 34 / 32.0 + 128)));
}

TEST_CASE("a layer that only mixes tokens or only has a feed-forward part is half a layer") {
  CHECK(work_of({{3, heads, NoFeedForward{}}}).attention_layers == 1.5);
  const auto inner_alone = work_of({{4, Recurrent{}, inner}});  // mixes nothing
  CHECK(inner_alone.attention_layers == 2);
  CHECK(inner_alone.recurrent_layers == 0);
  CHECK(inner_alone.state == Bytes{});
  CHECK(work_of({{4, Recurrent{}, NoFeedForward{}}}).attention_layers == 0);
  CHECK(work_of({{4, Recurrent{0, 1e6}, NoFeedForward{}}}).recurrent_layers == 2);
}

// 1,000 values in 4 bytes, read and written, in each of two layers.
TEST_CASE("a recurrent layer reads and writes its state in 4 bytes a value and caches nothing") {
  const auto work = work_of({{2, Recurrent{1000, 2e6}, inner}});
  CHECK(work.recurrent_layers == 2);
  CHECK(work.attention_layers == 0);
  CHECK(work.state.in(byte) == 2 * 2 * 4000);
  CHECK(work.caches.empty());
  CHECK(work_of({{2, Recurrent{1000, 0}, inner}}).recurrent_layers == 2);
}

TEST_CASE("windows, low ranks and compression along the context are told apart") {
  auto narrow = heads;
  narrow.query_rank = 1;
  const auto work = work_of(
      {{3, SlidingWindow{heads, 100, 0}, inner},
       {5, SlidingWindow{narrow, 100, 4}, inner},
       {7, narrow, inner},
       {1, Latent{.heads = 4, .query_rank = 0, .kv_rank = 128, .rope_size = 16, .nope_size = 32, .value_size = 48}, inner}});
  CHECK(work.attention_layers == 16);
  CHECK(work.low_rank_layers == 5 + 7 + 1);
  CHECK(work.compressed_layers == 5);
  REQUIRE(work.caches.size() == 4);
  CHECK(work.caches[0].window == 100);
  CHECK(work.caches[0].heads == 2);
  // A latent vector of 128 + 16 values for all heads; a pair in the absorbed form 2 x 4 x (2 x 128 + 16) operations.
  CHECK(work.caches[3].per_token.in(byte) == 288);
  CHECK(work.caches[3].heads == 1);
  CHECK(work.caches[3].per_pair.in(FLOP) == 2176);
  CHECK(std::isinf(work.caches[3].window));
}

// Two layers: attention 1,000 x (512 + 128 + 64 + 256), router 1,000 x 8, experts 8 x 3 x 1,000 x 500, norms 2 x 1,000; last norm
// and head beside. One token uses a quarter of the experts, two 7/16.
TEST_CASE("weights are read with the experts that are touched") {
  const auto work = work_of({{2, heads, MixtureOfExperts{8, 2, 500}}});
  const double dense = 2 * (960e3 + 8e3 + 2e3) + 1e3, routed = 2 * 8 * 1.5e6, head = 1e7;
  CHECK(work.expert_layers == 2);
  CHECK(work.routed_experts == 8);
  CHECK(work.active_share == 0.25);
  CHECK(work.routed_values == Approx(routed));
  CHECK(work.head_values == Approx(head));
  CHECK(work.dense_values == Approx(dense + head));
  CHECK(work.active_values == Approx(dense + routed / 4));
  CHECK(work.values_read(1) == Approx(dense + head + routed / 4));
  CHECK(work.values_read(2) == Approx(dense + head + routed * 7 / 16));
  CHECK(work.routed_weights.in(byte) == Approx(2 * routed));
  // Norms and routers stay in 4 bytes in a GGUF file of 16 bits, or in 2: the difference is 2 bytes of 19,000 values.
  CHECK(work.dense_weights.in(byte) == Approx(2 * (dense + head)).epsilon(0.003));
  CHECK(work.weights_read(2).in(byte) == Approx(work.dense_weights.in(byte) + 2 * routed * 7 / 16));
}

// The body of the layers is scaled so that the whole file has the stated size; embedding and head, 2 x 20 MB, stay.
TEST_CASE("a stated size of the file scales the layers alone") {
  const std::vector<LayerGroup> groups{{2, heads, MixtureOfExperts{8, 2, 500}}};
  const auto plain = work_of(groups);
  const double layers = (plain.dense_weights + plain.routed_weights).in(byte)-20e6;
  const auto scaled = work_of(groups, "F16", "F16", Bytes{40e6 + layers / 2});
  CHECK(scaled.routed_weights.in(byte) == Approx(plain.routed_weights.in(byte) / 2));
  CHECK((scaled.dense_weights.in(byte)-20e6) == Approx((plain.dense_weights.in(byte)-20e6) / 2));
  // A size that embedding and head alone reach says nothing.
  CHECK(work_of(groups, "F16", "F16", Bytes{40e6}).dense_weights == plain.dense_weights);
  CHECK(work_of(groups, "F16", "F16", Bytes{30e6}).dense_weights == plain.dense_weights);
}

TEST_CASE("reading a cache and attention of one token end at the window") {
  InferenceWork work;
  work.caches = {{100, 1, 10 * byte, 7 * FLOP}, {1e9, 1, 1000 * byte, 100 * FLOP}};
  work.state = 5 * byte;
  CHECK(work.cache_read(50).in(byte) == 5 + 500 + 50'000);
  CHECK(work.cache_read(200).in(byte) == 5 + 1000 + 200'000);
  CHECK(work.attention_at(50).in(FLOP) == 350 + 5000);
  CHECK(work.attention_at(200).in(FLOP) == 700 + 20'000);
}
