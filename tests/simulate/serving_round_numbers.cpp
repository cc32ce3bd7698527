// SPDX-License-Identifier: Apache-2.0
// Continuous batching of a made-up model with round numbers, worked out on paper.
#include <catch2/catch.hpp>
#include <cmath>

#include "estimate/round_calibration.h"
#include "rigplan/simulate/serving.h"
#include "simulate/serving_time.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

/// Ten layers of 100 million weights in 2 bytes, a head of 50 million; a token's keys and values take 1,000 bytes a layer. The
/// card has 1,000 GB/s, 200, 400 and 800 TFLOP/s in 16, 8 and 4 bit, and 80 GB.
ServingSetup round_setup() {
  ServingSetup s;
  ServedLayers layer;
  layer.count = 10;
  layer.dense_weights = 1e8;
  layer.cache_bytes = 1000;
  layer.attention_width = 2000;
  s.model.layers = {layer};
  s.model.hidden = 5000;
  s.model.head_weights = 5e7;
  s.model.dense_bytes = s.model.head_bytes = 2;
  s.model.expert_bytes = 1;
  s.model.dense_class = "bf16";
  s.card.memory = 1000 * GB_per_s;
  s.card.vram = 80 * GB;
  s.card.matrix16 = 200 * TFLOP_per_s;
  s.card.fp8 = 400 * TFLOP_per_s;
  s.card.fp4 = 800 * TFLOP_per_s;
  auto& c = s.constants;
  c.dense_share = c.flop_share = 0.5;
  c.expert_share = 0.25;
  c.cache_share = 0.2;
  c.all_reduce_latency = 10;
  c.all_reduce_share = 0.5;
  c.layer_time = 3;
  c.latent_factor = 2;
  c.indexer_factor = 1.5;
  c.mixture_time = 7;
  c.iteration_time = 100;
  c.stream_time = 4;
  c.prefill_share = 0.5;
  c.prefill_expert_share = 0.4;
  c.prefill_attention_share = 0.25;
  c.prefill_all_reduce_share = 0.8;
  c.interference = 0.5;
  c.first_token_time = 20;
  c.queue_slope = 0.6;
  c.layer_prompt_time = 5;
  c.first_steps = 1.5;
  c.slot_wait = 0.5;
  return s;
}

/// The same on two groups of four cards with 16 experts of 10 million weights in a byte, two for each token.
ServingSetup round_mixture(LinkClass links = LinkClass::nvlink) {
  auto s = round_setup();
  s.tensor = 4;
  s.groups = 2;
  s.model.layers[0].experts = 16;
  s.model.layers[0].active = 2;
  s.model.layers[0].expert_weights = 1e7;
  s.model.expert_class = "fp8";
  s.fabric.kind = links;
  s.fabric.cards = 4;
  s.fabric.all_reduce_latency = 30 * us;
  s.fabric.all_reduce_bus = 100 * GB_per_s;
  return s;
}

/// Nothing but 100 us of the host for an iteration and 4 us for a stream.
ServingSetup host_alone() {
  auto s = round_setup();
  s.model.layers.clear();
  s.model.head_weights = 0;
  s.constants.first_token_time = s.constants.first_steps = 0;
  return s;
}

}  // namespace

// A layer of 0.2 GB at half of 1,000 GB/s takes 0.4 ms to read; 40 streams multiply 2 x 1e8 x 40 at half of 200 TFLOP/s in 0.08
// ms; both together sqrt(0.4^2 + 0.08^2) = 0.40792. The head's 0.1 GB take 0.2 ms. Caches: 10 x 40 x 1,000 x 1,000 bytes at a
// fifth of the bandwidth, 2 ms.
TEST_CASE("an iteration reads and multiplies layer by layer, then head, caches, launches and host") {
  const auto parts = iteration_parts(round_setup(), 40, 1000);
  CHECK(parts.host.in(us) == Approx(100 + 160));
  CHECK(parts.read.in(ms) == Approx(4.2));
  CHECK(parts.weights.in(ms) == Approx(10 * 0.407922 + 0.2).epsilon(1e-5));
  CHECK(parts.cache.in(ms) == Approx(2));
  CHECK(parts.launches.in(us) == Approx(30));
  CHECK(parts.links == Seconds{});
  CHECK(parts.total().in(ms) == Approx(0.26 + 4.27922 + 2 + 0.03).epsilon(1e-5));
}

// Eight streams over two groups: four on each. A card has a quarter of the dense layer: 0.1 ms to read, 2 us to multiply. Of 16
// experts 16 (1 - (7/8)^8) = 10.502 are touched, an eighth of their 10 MB each at a quarter of the bandwidth: 52.51 us; their
// products 2 x 1e7 x 2 x 8 / 8 at half of 400 TFLOP/s: 0.2 us.
TEST_CASE("experts are spread over all cards of a replica, dense layers over the cards of a group") {
  const auto parts = iteration_parts(round_mixture(), 8, 1000);
  const double touched = 16 * (1 - std::pow(7 / 8.0, 8));
  const double experts = touched * 1e7 / 8 / 250e9 * 1e6;
  CHECK(experts == Approx(52.511).epsilon(1e-4));
  CHECK(parts.read.in(us) == Approx(10 * (100 + experts) + 50).epsilon(1e-6));
  CHECK(parts.weights.in(us) == Approx(10 * (std::hypot(100, 2) + std::hypot(experts, 0.2)) + 50).epsilon(1e-6));
  CHECK(parts.launches.in(us) == Approx(10 * (3 + 7)));
  // Four streams of a group read their caches: 10 x 4 x 1,000 x 1,000 bytes, 0.2 ms.
  CHECK(parts.cache.in(ms) == Approx(0.2));
  // One stream alone occupies one of the groups: it is not half a stream.
  CHECK(iteration_parts(round_mixture(), 1, 1000).cache.in(ms) == Approx(0.05));
}

// Two all-reduces a layer of 4 tokens x 5,000 values x 2 bytes = 40 kB: 2 x 3/4 of it. Over peer links 10 us as fitted and half
// of 100 GB/s, 1.2 us; over others the fabric's own 30 us and its whole bus, 0.6 us. Peer links are NVLink, NVSwitch and xGMI.
TEST_CASE("cards of a group sum twice a layer, by the engine's own kernels over peer links alone") {
  for (const auto links : {LinkClass::nvlink, LinkClass::nvswitch, LinkClass::xgmi})
    CHECK(iteration_parts(round_mixture(links), 8, 1000).links.in(us) == Approx(10 * 2 * 11.2));
  for (const auto links : {LinkClass::pcie_peer, LinkClass::pcie_staged, LinkClass::network_rdma})
    CHECK(iteration_parts(round_mixture(links), 8, 1000).links.in(us) == Approx(10 * 2 * 30.6));
  auto pair = round_mixture();
  pair.tensor = 2;  // 2 x 1/2 of 40 kB at 50 GB/s
  CHECK(iteration_parts(pair, 8, 1000).links.in(us) == Approx(10 * 2 * 10.8));
}

// Of 1,000 tokens a window of 250 sees a quarter: 0.5 ms for 40 streams. A state of 500 bytes is read and written: 40 x 10 x
// 1,000 bytes, 2 us.
TEST_CASE("a window bounds what is read, a state is read and written whatever the depth") {
  auto s = round_setup();
  s.model.layers[0].window = 250;
  CHECK(iteration_parts(s, 40, 1000).cache.in(ms) == Approx(0.5));
  CHECK(iteration_parts(s, 40, 100).cache.in(ms) == Approx(0.2));
  s.model.layers[0].cache_bytes = 0;
  s.model.layers[0].state_bytes = 500;
  CHECK(iteration_parts(s, 40, 1000).cache.in(us) == Approx(2));
  CHECK(iteration_parts(s, 40, 1).launches.in(us) == Approx(30 * 1.5));  // the scan's kernels
  s.model.layers[0].state_bytes = 0;
  s.model.layers[0].latent = true;
  CHECK(iteration_parts(s, 40, 1).launches.in(us) == Approx(30 * 2));
  s.model.layers[0].indexer = true;
  CHECK(iteration_parts(s, 40, 1).launches.in(us) == Approx(30 * 3));
}

// 1,000 tokens: 2 x 1,000 x 1e8 at half of 200 TFLOP/s, 2 ms a layer; each sees 500 others on average: 2 x 1,000 x 500 x 2,000 at
// a quarter of 200, 0.04 ms.
TEST_CASE("a prompt is multiplied with every layer and compared with half of itself") {
  auto s = round_setup();
  CHECK(prompt_time(s, 1000).in(ms) == Approx(20.4));
  s.model.layers[0].window = 100;
  CHECK(prompt_time(s, 1000).in(ms) == Approx(20.08));
  s.model.layers[0].window = 800;
  CHECK(prompt_time(s, 1000).in(ms) == Approx(20.4));
}

// On four cards a quarter of dense and attention, 0.5 and 0.01 ms; two experts of 1e7 over eight cards at 0.4 x 400 TFLOP/s:
// 31.25 us; two all-reduces of 10 MB: 10 us and 1.5 x 10 MB at 0.8 x 100 GB/s, 187.5 us.
TEST_CASE("a prompt's experts, sums and quarters") {
  CHECK(prompt_time(round_mixture(), 1000).in(us) == Approx(10 * (500 + 31.25 + 10 + 2 * 197.5)));
  CHECK(prompt_time(round_mixture(LinkClass::pcie_peer), 1000).in(us) == Approx(10 * (500 + 31.25 + 10 + 2 * 180)));
}

TEST_CASE("weights are multiplied on the path of their format; 4 bit without one in 16 bit") {
  const auto milliseconds = [](const char* kind, FlopRate fp4 = 800 * TFLOP_per_s) {
    auto s = round_setup();
    s.model.dense_class = kind;
    s.model.layers[0].attention_width = 0;
    s.card.fp4 = fp4;
    return prompt_time(s, 1000).in(ms);
  };
  CHECK(milliseconds("bf16") == Approx(20));
  CHECK(milliseconds("int4") == Approx(20));
  CHECK(milliseconds("fp8") == Approx(10));
  CHECK(milliseconds("fp4") == Approx(5));
  CHECK(milliseconds("nvfp4") == Approx(5));
  // MXFP4 goes by way of 8 bit on chips that have a path for 4, else of 16.
  CHECK(milliseconds("mxfp4") == Approx(10));
  CHECK(milliseconds("mxfp4", 200 * TFLOP_per_s) == Approx(20));
  CHECK(milliseconds("mxfp4", 400 * TFLOP_per_s) == Approx(20));  // a card whose 4-bit rate is that of 8 bit has no such path
}

// 0.9 x 80 GB less 2.2 GB of weights (embedding and head 0.2, layers 2) and 3 GB of buffers leave 66.8 GB; a stream of 1,000 + 50
// tokens takes 10.5 MB.
TEST_CASE("the cache holds what weights and buffers leave, for each group and replica") {
  auto s = round_setup();
  CHECK(streams_held(s, Tokens{1000}, Tokens{100}) == Approx(66.8e9 / 10.5e6));
  s.replicas = 3;
  CHECK(streams_held(s, Tokens{1000}, Tokens{100}) == Approx(3 * 66.8e9 / 10.5e6));
  s.replicas = 1;
  s.model.layers[0].window = 500;
  CHECK(streams_held(s, Tokens{1000}, Tokens{100}) == Approx(66.8e9 / 5e6));
  s.model.layers[0].state_bytes = 1000;  // ten of them beside
  CHECK(streams_held(s, Tokens{1000}, Tokens{100}) == Approx(66.8e9 / 5.01e6));
  // On eight cards: head a quarter, 0.05 GB; layers a quarter, 0.5; experts 10 x 16 x 10 MB an eighth, 0.2 GB.
  CHECK(streams_held(round_mixture(), Tokens{1000}, Tokens{100}) == Approx(2 * (72 - 0.75 - 3) * 1e9 / 10.5e6));
  // Not even the buffers fit.
  s.card.vram = 5.7 * GB;
  CHECK(streams_held(s, Tokens{1000}, Tokens{100}) == 0);
  s.card.vram = 5.8 * GB;
  CHECK(streams_held(s, Tokens{1000}, Tokens{100}) > 0);
}

// Eight streams at a depth of 1,050: weights 10 x sqrt(0.4^2 + 0.016^2) + 0.2, caches 0.42, launches 0.03, host 0.132: 4.7852 ms.
// Each iteration carries 8/100 of a prompt of 20.4 ms, half of which delays the others: 0.816. A request waits for 20 ms, for its
// own prompt (20.4 and 10 x 5 us) and 0.6 of half of the seven others', and for one and a half iterations.
TEST_CASE("eight users: time per token, first token and rates add up") {
  auto s = round_setup();
  s.step_spread = {"", "", std::log(0.5), std::log(3), 0};
  s.first_spread = {"", "", std::log(0.8), std::log(1.5), 0};
  const auto point = serve_at(s, Tokens{1000}, Tokens{100}, 8);
  const double iteration = 10 * std::hypot(0.4, 0.016) + 0.2 + 0.42 + 0.03 + 0.132, step = iteration + 0.816;
  const double queued = 20.45, first = 20 + (1 + 0.6 * 3.5) * queued + 1.5 * iteration;
  CHECK(iteration == Approx(4.7852).epsilon(1e-4));
  CHECK(point.running == 8);
  CHECK(point.per_token.likely.in(ms) == Approx(step));
  CHECK(point.per_token.low.in(ms) == Approx(0.5 * step));
  CHECK(point.per_token.high.in(ms) == Approx(3 * step));
  CHECK(point.first_token.likely.in(ms) == Approx(first));
  CHECK(point.first_token.high.in(ms) == Approx(1.5 * first));
  // A slot makes 100 tokens in first + 100 steps.
  CHECK(point.generated.in(token_per_s) == Approx(8 * 100e3 / (first + 100 * step)));
  CHECK(point.generated_per_user.in(token_per_s) == Approx(100e3 / (first + 100 * step)));
  // Seven others join at random: sqrt(7) of them more than on average meet one stream of twenty, each half of a prompt.
  CHECK(point.per_token_p95.in(ms) == Approx(step + 1.645 * std::sqrt(7) / 100 * 0.5 * 20.4));
  CHECK(point.first_token_p95.in(ms) == Approx(first + 0.9 * (first - 20 - queued)));
  // One alone meets no prompt but its own.
  const auto alone = serve_at(s, Tokens{1000}, Tokens{100}, 1);
  CHECK(alone.per_token_p95.in(ms) == Approx(alone.per_token.likely.in(ms)));
  // Two replicas have four each.
  s.replicas = 2;
  CHECK(serve_at(s, Tokens{1000}, Tokens{100}, 8).per_token.likely ==
        serve_at(round_setup(), Tokens{1000}, Tokens{100}, 4).per_token.likely);
  CHECK(serve_at(s, Tokens{1000}, Tokens{100}, 8).generated / serve_at(round_setup(), Tokens{1000}, Tokens{100}, 4).generated ==
        Approx(2));
}

// Eight requests at once: each shares an eighth of 80 ms before the first of them. An engine that computes waiting prompts first
// passes seven others' halves before a stream's first token and halves after it.
TEST_CASE("requests that start together share the warm-up, and stay in a wave where prompts come first") {
  auto s = round_setup();
  s.constants.warm_up_time = 80;
  const auto at = [&] { return serve_at(s, Tokens{1000}, Tokens{100}, 8); };
  const auto steady = at();
  s.starts_together = true;
  CHECK((at().first_token.likely - steady.first_token.likely).in(ms) == Approx(10));
  CHECK(at().per_token.likely == steady.per_token.likely);
  s.prompts_first = true;
  const auto iteration = iteration_time(s, 8, 1050).in(ms);
  CHECK(at().per_token.likely.in(ms) == Approx(iteration + 3.5 / 100 * 20.4));
  CHECK(at().first_token.likely.in(ms) == Approx(20 + 4.5 * 20.45 + 1.5 * iteration + 10));
  s.starts_together = false;  // one after another they mix with the answers of others
  CHECK(at().first_token.likely == steady.first_token.likely);
}

// 5.2 GB and room for 42 MB, four streams: ten users are two and a half turns of the slots; the one that finds them full waits
// for half of one and a half turns of 100 steps and four prompts.
TEST_CASE("users beyond the slots wait for their turn, and take nothing from the rate") {
  auto s = round_setup();
  s.memory_share = (5.2e9 + 4 * 10.5e6) / 80e9;
  REQUIRE(streams_held(s, Tokens{1000}, Tokens{100}) == Approx(4));
  const auto four = serve_at(s, Tokens{1000}, Tokens{100}, 4), ten = serve_at(s, Tokens{1000}, Tokens{100}, 10);
  CHECK(ten.running == Approx(4));
  CHECK(ten.per_token.likely.in(ms) == Approx(four.per_token.likely.in(ms)));
  CHECK(ten.generated.in(token_per_s) == Approx(four.generated.in(token_per_s)));
  CHECK((ten.first_token.likely - four.first_token.likely).in(ms) ==
        Approx(0.5 * 1.5 * (100 * four.per_token.likely.in(ms) + 4 * 20.45)));
  CHECK(ten.limited_by == "cache size");
  CHECK(four.limited_by == "memory bandwidth");
  // Room for less than one stream serves nobody; for one, one.
  s.memory_share = (5.2e9 + 0.99 * 10.5e6) / 80e9;
  CHECK(serve_at(s, Tokens{1000}, Tokens{100}, 4).generated == TokenRate{});
  s.memory_share = (5.2e9 + 1.01 * 10.5e6) / 80e9;
  CHECK(serve_at(s, Tokens{1000}, Tokens{100}, 4).generated > TokenRate{});
}

// Without head and caches: reading takes 0.4 ms a layer, products 2 us a stream. Reading is three quarters of both together where
// products take sqrt(16/9 - 1) = 0.8819 of it: 352.8 us, 176.4 streams.
TEST_CASE("the greatest part limits; weights are limited by arithmetic where reading is less than three quarters of them") {
  auto s = round_setup();
  s.model.head_weights = 0;
  s.model.layers[0].cache_bytes = 0;
  const auto limit = [&](int users, double prompt = 1) { return serve_at(s, Tokens{prompt}, Tokens{100}, users).limited_by; };
  CHECK(limit(172) == "memory bandwidth");
  CHECK(limit(180) == "arithmetic");
  CHECK(limit(100, 4000) == "prompts");  // 82 ms of each prompt, half of a whole one in each iteration
  s.model.layers[0].cache_bytes = 1000;
  s.constants.prefill_share = s.constants.prefill_attention_share = 1e6;
  CHECK(limit(100, 4000) == "KV cache");  // 100 x 4,000 x 1,000 bytes are 2 ms a layer
  s.model.layers[0].cache_bytes = 0;
  s.constants.iteration_time = 5000;
  CHECK(limit(1) == "launches");
  auto mixture = round_mixture(LinkClass::pcie_staged);
  mixture.fabric.all_reduce_latency = 1000 * us;
  CHECK(serve_at(mixture, Tokens{1}, Tokens{100}, 1).limited_by == "links");
}

// n users and 100 + 4 n us an iteration: twice the users bring 2 (100 + 4 n) / (100 + 8 n) times the tokens, less than 5/4 times
// from n = 37.5 on; asked are 1, 2, 4, ... 64.
TEST_CASE("the knee is the first power of two from which twice the users bring less than a quarter more") {
  auto s = host_alone();
  CHECK(knee(s, Tokens{1}, Tokens{100}) == 64);
  s.constants.stream_time = 0;  // as many tokens more as users
  CHECK(knee(s, Tokens{1}, Tokens{100}, 100) == 100);
  s.constants.iteration_time = 0;
  s.constants.stream_time = 4;  // no more tokens however many users
  CHECK(knee(s, Tokens{1}, Tokens{100}) == 1);
}

// A stream of 100 tokens takes 100 x (100 + 4 n) us: n users make n / (0.01 + 0.0004 n) requests a second, 96.15 of one user, at
// most 2,000 with 100 users.
TEST_CASE("loads and rates end at the last user that is asked about") {
  const auto s = host_alone();
  const auto users = [&](double rate, int limit) { return users_at_rate(s, Tokens{1}, Tokens{100}, rate, limit); };
  CHECK(users(1e-6, 100) == 1);
  CHECK(users(96.1, 100) == 1);
  CHECK(users(96.2, 100) == 2);
  CHECK(users(1999, 100) == 100);
  CHECK_FALSE(users(2001, 100));
  CHECK(largest_load(s, Tokens{1}, Tokens{100}, {}, 7) == 7);
  CHECK(largest_load(s, Tokens{1}, Tokens{100}, {}, 1) == 1);
  // 100 + 4 x 25 us is the target itself.
  CHECK(largest_load(s, Tokens{1}, Tokens{100}, {200.001 * us, {}}, 100) == 25);
  CHECK(largest_load(s, Tokens{1}, Tokens{100}, {199.999 * us, {}}, 100) == 24);
  auto nothing = s;
  nothing.card.vram = 1 * GB;
  CHECK(largest_load(nothing, Tokens{1}, Tokens{100}, {}, 7) == 0);
  CHECK_FALSE(users_at_rate(nothing, Tokens{1}, Tokens{100}, 1e-6, 7));
}

TEST_CASE("both targets must hold, and one that is not set does") {
  ServingPoint point;
  point.per_token = Range<Seconds>::exactly(20 * ms);
  point.first_token = Range<Seconds>::exactly(300 * ms);
  CHECK(meets(point, {}));
  CHECK(meets(point, {20 * ms, 300 * ms}));
  CHECK_FALSE(meets(point, {19 * ms, 300 * ms}));
  CHECK_FALSE(meets(point, {20 * ms, 299 * ms}));
  CHECK_FALSE(meets(point, {{}, 299 * ms}));
}

namespace {

TransformerModel every_kind() {
  TransformerModel model;
  model.hidden = 4096;
  model.vocabulary = 1000;
  const GroupedQuery heads{.heads = 32, .kv_heads = 8, .head_size = 128, .value_size = 64};
  const Latent latent{.heads = 16, .query_rank = 0, .kv_rank = 512, .rope_size = 64, .nope_size = 128, .value_size = 96};
  model.groups = {{10, heads, DenseFeedForward{14'336}},
                  {2, SlidingWindow{heads, 512}, NoFeedForward{}},
                  {3, latent, MixtureOfExperts{8, 2, 1000, 1, 500}},
                  {5, Recurrent{1e6, 4096e3}, DenseFeedForward{.width = 2000, .gated = false}}};
  return model;
}

Job stored(const char* weights, const char* keys = "F16", const char* values = "F16") {
  Job job;
  job.weight_format = weights;
  job.key_format = keys;
  job.value_format = values;
  return job;
}

}  // namespace

// Grouped: queries 4,096^2, keys 4,096 x 1,024, values 4,096 x 512, output 2,048 x 4,096, feed-forward 3 x 4,096 x 14,336; keys
// of 8 heads of 128 and values of 8 of 64 in 2 bytes are 3,072 bytes.
TEST_CASE("what serving needs of a model is counted from its shape") {
  const auto model = served_model(every_kind(), stored("BF16"), 1);
  REQUIRE(model.layers.size() == 4);
  CHECK(model.total_layers() == 20);
  CHECK(model.hidden == 4096);
  CHECK(model.head_weights == 4096e3);
  const auto& dense = model.layers[0];
  CHECK(dense.count == 10);
  CHECK(dense.dense_weights == Approx(4096.0 * (4096 + 1024 + 512 + 2048 + 3 * 14'336)));
  CHECK(dense.cache_bytes == 3072);
  CHECK(dense.attention_width == 32 * 192);
  CHECK((dense.window == 0 && dense.state_bytes == 0 && dense.experts == 0 && !dense.latent && !dense.indexer));
  const auto& sliding = model.layers[1];
  CHECK(sliding.window == 512);
  CHECK(sliding.cache_bytes == 3072);
  CHECK(sliding.dense_weights == Approx(4096.0 * (4096 + 1024 + 512 + 2048)));
  // Latent: 512 + 64 values for all heads; 16 x (128 + 64 + 96) in the prompt. Experts of three matrices 4,096 x 1,000.
  const auto& latent = model.layers[2];
  CHECK(latent.cache_bytes == 576 * 2);
  CHECK(latent.attention_width == 16 * 288);
  CHECK((latent.latent && !latent.indexer));
  CHECK(latent.experts == 8);
  CHECK(latent.active == 2);
  CHECK(latent.expert_weights == Approx(3 * 4096e3));
  // Queries, compression, expansion, output, one shared expert, router.
  CHECK(latent.dense_weights ==
        Approx(4096.0 * 16 * 192 + 4096 * 576 + 512 * 16 * 224 + 16 * 96 * 4096 + 3 * 4096 * 500 + 4096 * 8));
  const auto& recurrent = model.layers[3];
  CHECK(recurrent.state_bytes == 4e6);
  CHECK(recurrent.cache_bytes == 0);
  CHECK(recurrent.attention_width == 0);
  CHECK(recurrent.dense_weights == Approx(4096e3 + 2 * 4096.0 * 2000));
  auto indexed = every_kind();
  std::get<Latent>(indexed.groups[2].attention).index_heads = 1;
  CHECK(served_model(indexed, stored("BF16"), 1).layers[2].indexer);
}

TEST_CASE("cards divide a cache down to one head each, a latent one not at all, a state always") {
  const auto cache = [](int tensor, std::size_t group) {
    return served_model(every_kind(), stored("BF16"), tensor).layers[group];
  };
  CHECK(cache(4, 0).cache_bytes == 768);
  CHECK(cache(16, 0).cache_bytes == 384);
  CHECK(cache(16, 2).cache_bytes == 1152);
  CHECK(cache(16, 3).state_bytes == 250'000);
  // Keys in 8.5 bits, values in 16.
  CHECK(served_model(every_kind(), stored("BF16", "Q8_0"), 1).layers[0].cache_bytes == Approx(1024 * 34 / 32.0 + 1024));
  CHECK(served_model(every_kind(), stored("BF16", "F16", "Q8_0"), 1).layers[0].cache_bytes == Approx(2048 + 512 * 34 / 32.0));
  CHECK_THROWS_AS(served_model(every_kind(), stored("BF16", "Q17"), 1), std::invalid_argument);
  CHECK_THROWS_AS(served_model(every_kind(), stored("Q17"), 1), std::invalid_argument);
}

TEST_CASE("weights fall into classes by their bytes and their format's name") {
  const auto classes = [](const char* format) {
    const auto model = served_model(every_kind(), stored(format), 1);
    return std::pair{model.dense_class, model.expert_class};
  };
  using Pair = std::pair<std::string, std::string>;
  CHECK(classes("BF16") == Pair{"bf16", "bf16"});
  CHECK(classes("FP8") == Pair{"fp8", "fp8"});
  CHECK(classes("NVFP4") == Pair{"nvfp4", "nvfp4"});
  CHECK(classes("AWQ") == Pair{"int4", "int4"});
  CHECK(classes("MXFP4").second == "mxfp4");
  CHECK(served_model(every_kind(), stored("BF16"), 1).dense_bytes == 2);
  CHECK(served_model(every_kind(), stored("BF16"), 1).expert_bytes == 2);
  // A tied head is read from the embedding; a model without experts has no class for them.
  auto tied = every_kind();
  tied.tied_embeddings = true;
  tied.groups.erase(tied.groups.begin() + 2);
  CHECK(served_model(tied, stored("BF16"), 1).head_bytes == Approx(2));
  CHECK(served_model(every_kind(), stored("BF16"), 1).head_bytes == Approx(2));
  // llama.cpp keeps the head of a Q4_K_M file in Q6_K: 210 bytes for 256 values.
  CHECK(served_model(every_kind(), stored("Q4_K_M"), 1).head_bytes == Approx(210 / 256.0));
  CHECK(served_model(tied, stored("BF16"), 1).expert_class.empty());
  CHECK(served_model(tied, stored("BF16"), 1).expert_bytes == 0);
}

TEST_CASE("a plan and a calibration become a setup; both chip family and engine must be known for the narrow spread") {
  auto calibration = round_calibration("serving", {{"stream_time", 7}, {"cache_share", 3}});
  calibration.known = {"family:hopper", "engine:vllm"};
  calibration.spreads = {{"tpot", "known", -0.1, 0.1, 1},
                         {"tpot", "unknown", -0.5, 0.5, 1},
                         {"ttft", "known", -0.2, 0.2, 1},
                         {"ttft", "unknown", -0.6, 0.6, 1}};
  const auto prepared = [&](const char* family, const char* engine, ParallelPlan plan = {}) {
    CardSpeed card;
    card.family = family;
    return prepare_serving(every_kind(), stored("BF16"), plan, card, {}, calibration, engine);
  };
  CHECK(prepared("hopper", "vllm").step_spread.high == 0.1);
  CHECK(prepared("hopper", "vllm").first_spread.high == 0.2);
  CHECK(prepared("hopper", "sglang").step_spread.high == 0.5);
  CHECK(prepared("volta", "vllm").first_spread.high == 0.6);
  CHECK(prepared("hopper", "vllm").constants.stream_time == Approx(7));
  CHECK(prepared("hopper", "vllm").constants.cache_share == 1);  // no share is more than the whole
  const auto plan = prepared("hopper", "vllm", {.cards = 4, .tensor = 4, .replicas = 3});
  CHECK(plan.tensor == 4);
  CHECK(plan.replicas == 3);
  CHECK(plan.model.layers[0].cache_bytes == 768);
  CHECK(prepared("hopper", "vllm", {.tensor = 0, .replicas = 0}).tensor == 1);
  CHECK(prepared("hopper", "vllm", {.tensor = 0, .replicas = 0}).replicas == 1);
}
