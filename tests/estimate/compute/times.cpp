// SPDX-License-Identifier: Apache-2.0
// Attention, caches, launches and what cards say to each other, in round numbers.
#include <catch2/catch.hpp>

#include "estimate/compute/round_work.h"
#include "rigplan/estimate/compute/attention_time.h"
#include "rigplan/estimate/compute/cache_time.h"
#include "rigplan/estimate/compute/layer_times.h"
#include "rigplan/estimate/compute/split_time.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

constexpr double everything = std::numeric_limits<double>::infinity();

InferenceWork with_cache(double window = everything) {
  auto work = round_work();
  work.caches = {{window, 4, 100 * kB, 1e6 * FLOP}};
  return work;
}

GroupFabric round_fabric(int cards) {
  GroupFabric fabric;
  fabric.cards = cards;
  fabric.all_reduce_latency = 20 * us;
  fabric.all_reduce_bus = 10 * GB_per_s;
  fabric.hop_latency = 5 * us;
  fabric.hop_bandwidth = 20 * GB_per_s;
  return fabric;
}

}  // namespace

// 100 new tokens behind 900: each sees 900 to 1,000, 950 on average, 95,000 pairs of 1e6 operations over 100 TFLOP/s: 0.95 ms.
TEST_CASE("each new token is compared with all before it, and half of the peak is reached") {
  CHECK(attention_time(with_cache(), round_card(), round_constants(), 1, 900, 100).in(ms) == Approx(0.95));
  CHECK(attention_time(with_cache(), round_card(), round_constants(), 4, 900, 100).in(ms) == Approx(0.2375));
  // A window of 940: 40 tokens see 900 to 940, the other 60 see 940: 36,800 + 56,400 pairs.
  CHECK(attention_time(with_cache(940), round_card(), round_constants(), 1, 900, 100).in(ms) == Approx(0.932));
  // A window that is full before the first of them.
  CHECK(attention_time(with_cache(500), round_card(), round_constants(), 1, 900, 100).in(ms) == Approx(0.5));
}

// 1,000 tokens of 100 kB are 0.1 GB: at half of 1,000 GB/s 0.2 ms for one stream. The kernels of a large batch reach three
// quarters: two streams 2 x (4/3 + (2 - 4/3) / 2) x 0.1 = 0.3333 ms.
TEST_CASE("a cache is read up to its window, with a better share of the bandwidth for more streams") {
  CHECK(cache_time(with_cache(), round_card(), round_constants(), 1, 1000, 1).in(ms) == Approx(0.2));
  CHECK(cache_time(with_cache(), round_card(), round_constants(), 1, 1000, 2).in(ms) == Approx(1.0 / 3));
  CHECK(cache_time(with_cache(250), round_card(), round_constants(), 1, 1000, 1).in(ms) == Approx(0.05));
  // Two cards take half each; with four cached heads, eight cards no less than a quarter.
  CHECK(cache_time(with_cache(), round_card(), round_constants(), 2, 1000, 1).in(ms) == Approx(0.1));
  CHECK(cache_time(with_cache(), round_card(), round_constants(), 8, 1000, 1).in(ms) == Approx(0.05));
  auto work = with_cache();
  work.state = 0.1 * GB;  // of recurrent layers: any number of cards divides it
  CHECK(cache_time(work, round_card(), round_constants(), 8, 1000, 1).in(ms) == Approx(0.05 + 0.025));
}

TEST_CASE("layers cost launches by their kind") {
  auto work = round_work();
  work.recurrent_layers = 4;
  work.expert_layers = 3;
  work.low_rank_layers = 2;
  work.compressed_layers = 1;
  SpeedConstants constants;
  constants.layer_time = 10e-6;
  constants.recurrent_layer_times = 1.5;
  constants.expert_layer_times = 0.5;
  constants.low_rank_layer_times = 0.25;
  constants.compressed_layer_times = 2;
  // 10 + 1.5 x 4 + 0.5 x 3 + 0.25 x 2 + 2 x 1 = 20 layer times.
  CHECK(layer_times(work, constants).in(us) == Approx(200));
}

// A token of 4,096 values in 2 bytes: 8.192 kB. Each of 2 x 10 all-reduces on four cards takes 20 us and moves 6/4 of that over
// 10 GB/s, 1.2288 us.
TEST_CASE("a tensor split makes two all-reduces a layer, a layer split one hand-over a boundary") {
  const auto constants = round_constants();
  const SplitShape tensor{SplitMode::tensor, 4, 4, 1, 1};
  CHECK(split_time(tensor, round_fabric(4), round_work(), constants, 1).in(us) == Approx(20 * 21.2288));
  CHECK(split_time(tensor, round_fabric(4), round_work(), constants, 100).in(us) == Approx(20 * (20 + 122.88)));
  auto work = round_work();
  work.recurrent_layers = 5;  // they divide as well
  CHECK(split_time(tensor, round_fabric(4), work, constants, 1).in(us) == Approx(30 * 21.2288));
  // Three boundaries of 5 us, 8.192 kB over 20 GB/s and 100 us of the engine.
  auto with_boundary = constants;
  with_boundary.boundary_time = 100e-6;
  const SplitShape layers{SplitMode::layer, 4, 1, 4, 1};
  CHECK(split_time(layers, round_fabric(4), round_work(), with_boundary, 1).in(us) == Approx(3 * 105.4096));
  // Rows of matrices are gathered on one card in log2(4) turns a layer.
  auto with_gather = constants;
  with_gather.gather_time = 30e-6;
  const SplitShape rows{SplitMode::row, 4, 4, 1, 1};
  CHECK(split_time(rows, round_fabric(4), round_work(), with_gather, 1).in(us) == Approx(10 * 2 * 30));
  // Two of each: 2 x 10 all-reduces that move one time 8.192 kB, one boundary of 5 us and 8.192 kB over 20 GB/s.
  CHECK(split_time({SplitMode::tensor, 4, 2, 2, 1}, round_fabric(2), round_work(), constants, 1).in(us) ==
        Approx(20 * 20.8192 + 5.4096));
  CHECK(split_time({}, round_fabric(1), round_work(), constants, 1) == Seconds{});
}

TEST_CASE("a plan says how many cards share a matrix and how many stages follow one another") {
  const auto shape = [](SplitMode split, int cards, int tensor, int pipeline) {
    ParallelPlan plan;
    plan.split = split;
    plan.cards = cards;
    plan.tensor = tensor;
    plan.pipeline = pipeline;
    const auto made = split_shape(plan);
    return std::tuple{made.cards, made.tensor, made.pipeline};
  };
  CHECK(shape(SplitMode::layer, 4, 1, 1) == std::tuple{4, 1, 4});
  CHECK(shape(SplitMode::row, 4, 1, 1) == std::tuple{4, 4, 1});
  CHECK(shape(SplitMode::tensor, 8, 4, 2) == std::tuple{8, 4, 2});
  CHECK(shape(SplitMode::tensor, 8, 1, 2) == std::tuple{8, 4, 2});  // the degree follows from the stages
  CHECK(shape(SplitMode::tensor, 1, 4, 2) == std::tuple{1, 1, 1});
}

// Two equal terms of 10 us, joined with the exponent 0.75: 10 x 2^(1 / 0.75) = 25.198 us. 2 x 3/4 x 66,667 B over 10 GB/s = 10
// us.
TEST_CASE("latency and bytes of an all-reduce of which only the two figures are known join as a pipeline does") {
  auto fabric = round_fabric(4);
  fabric.all_reduce_latency = 10 * us;
  CHECK(fabric.all_reduce(66'666.67 * byte).in(us) == Approx(25.198).epsilon(1e-4));
  CHECK(fabric.all_reduce(Bytes{}).in(us) == Approx(10));
  fabric.all_reduce_latency = {};
  CHECK(fabric.all_reduce(66'666.67 * byte).in(us) == Approx(10).epsilon(1e-4));
  CHECK(fabric.hop(20 * kB).in(us) == Approx(6));
  CHECK(round_fabric(1).hop(20 * kB) == Seconds{});
}
