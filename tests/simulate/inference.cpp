// SPDX-License-Identifier: Apache-2.0
#include "rigplan/simulate/inference.h"

#include <catch2/catch.hpp>

#include "rigplan/catalog/catalog.h"
#include "rigplan/estimate/compute/weight_pass.h"
#include "rigplan/workload/model_library.h"

using namespace rigplan;

namespace {

struct Ground {
  Catalog catalog = read_catalog(built_in_catalog_files());
  ModelLibrary models;
  Calibration calibration = built_in_calibration("speed");
};
Ground& ground() {
  static Ground all;
  return all;
}
CardSpeed card(const char* id) {
  const auto* gpu = ground().catalog.gpus.find(id);
  REQUIRE(gpu);
  return card_speed(*gpu, ground().catalog.architectures.find(gpu->architecture));
}
GroupFabric fabric(int cards) {
  GroupFabric f;
  f.kind = cards > 1 ? LinkClass::pcie_peer : LinkClass::none;
  f.cards = cards;
  f.all_reduce_latency = f.hop_latency = 14 * us;
  f.all_reduce_bus = f.hop_bandwidth = 10 * GB_per_s;
  return f;
}
PreparedInference prepare(const char* model, const CardSpeed& one, int cards = 1, SplitMode split = SplitMode::single,
                          const InferenceSetting& setting = {}) {
  Job job;
  job.weight_format = "Q4_K_M";
  ParallelPlan plan;
  plan.split = split;
  plan.cards = cards;
  plan.tensor = split == SplitMode::tensor ? cards : 1;
  return {*ground().models.find(model), job, plan, std::span{&one, 1}, fabric(cards), ground().calibration, setting};
}

}  // namespace

TEST_CASE("a soft maximum is above the greater time and at most their sum") {
  CHECK(soft_max(3 * ms, Seconds{}, 4).in(ms) == Approx(3));
  CHECK(soft_max(3 * ms, 3 * ms, 4).in(ms) == Approx(3 * 1.189207));  // 2^(1/4)
  CHECK(soft_max(Seconds{}, Seconds{}, 4) == Seconds{});
}
TEST_CASE("proposals that are always kept cost only their own time; proposals that never are only slow down") {
  CHECK(speculation_factor({4, 1.0, 0.1}) == Approx(5 / 1.4));
  CHECK(speculation_factor({4, 0.0, 0.1}) == Approx(1 / 1.4));
  CHECK(speculation_factor({3, 0.5, 0.0}) == Approx(1 + 0.5 + 0.25 + 0.125));
}
TEST_CASE("no decode rate is above what reading the weights allows") {
  const auto one = card("rtx-4090");
  const auto speed = prepare("llama-3-8b", one).at(Tokens{512}, 1);
  // 4.6 GiB of weights at 1,008 GB/s take 4.9 ms: 205 token/s at most. Published: 120 to 150.
  CHECK(speed.decode.likely.in(token_per_s) < 205);
  CHECK(speed.decode.likely.in(token_per_s) > 100);
  CHECK(speed.decode.low < speed.decode.likely);
  CHECK(speed.decode.likely < speed.decode.high);
}
TEST_CASE("depth slows a stream down, and more streams bring more tokens together but fewer to each") {
  const auto prepared = prepare("llama-3-8b", card("rtx-3090"));
  CHECK(prepared.at(Tokens{32768}, 1).decode.likely < prepared.at(Tokens{512}, 1).decode.likely);
  const auto one = prepared.at(Tokens{512}, 1), eight = prepared.at(Tokens{512}, 8);
  CHECK(eight.decode.likely > one.decode.likely);
  CHECK(eight.decode_per_user.likely < one.decode_per_user.likely);
}
TEST_CASE("layers on two cards bring one stream nothing; a tensor split does") {
  const auto one = card("rtx-3090");
  const auto single = prepare("llama-3-8b", one).decode_step(512, 1).total();
  CHECK(prepare("llama-3-8b", one, 2, SplitMode::layer).decode_step(512, 1).total() > single);
  CHECK(prepare("llama-3-70b", one, 4, SplitMode::tensor).decode_step(512, 1).total() <
        prepare("llama-3-70b", one, 4, SplitMode::layer).decode_step(512, 1).total());
}
TEST_CASE("a mixture reads few experts for one stream and nearly all for many") {
  const auto work = prepare("qwen3-30b-a3b", card("rtx-3090")).work();
  // 8 of 128 experts: 1/16 for one token; 1 - (15/16)^64 = 0.984 for 64.
  CHECK((work.weights_read(1) - work.dense_weights) / work.routed_weights == Approx(1 / 16.0));
  CHECK((work.weights_read(64) - work.dense_weights) / work.routed_weights == Approx(0.984).epsilon(0.001));
}
TEST_CASE("layers in host memory and a power cap slow decoding down") {
  auto one = card("rtx-3090");
  const auto free = prepare("llama-3-8b", one).decode_step(512, 1).total();
  InferenceSetting setting;
  setting.host = HostPart{0.5, 0, 50 * GB_per_s, 12 * GB_per_s};
  const auto split = prepare("llama-3-8b", one, 1, SplitMode::single, setting).decode_step(512, 1);
  CHECK(split.total() > 2 * free);
  CHECK(split.host > split.weights);
  one.power_cap = 200 * watt;
  CHECK(prepare("llama-3-8b", one).decode_step(512, 1).total() > free);
}
TEST_CASE("usable arithmetic is below the peak and grows with the number of users") {
  const auto prepared = prepare("llama-3-8b", card("rtx-3090"));
  const auto one = prepared.at(Tokens{768}, 1).usable, eight = prepared.at(Tokens{768}, 8).usable;
  CHECK(one < eight);
  CHECK(eight < card("rtx-3090").int8);
}
