// SPDX-License-Identifier: Apache-2.0
// Passes, splits over unlike cards, host memory and ranges of the model of round_numbers.cpp, worked out on paper.
#include <catch2/catch.hpp>
#include <cmath>

#include "estimate/compute/round_work.h"
#include "rigplan/estimate/compute/weight_pass.h"
#include "rigplan/simulate/inference.h"
#include "rigplan/simulate/prefill.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

/// Ten layers; 4.6242 GB in 2 bytes with the head, see round_numbers.cpp.
TransformerModel round_model(const FeedForward& feed_forward = DenseFeedForward{14'336}) {
  TransformerModel model;
  model.hidden = 4096;
  model.vocabulary = 32'000;
  model.groups = {{10, GroupedQuery{.heads = 32, .kv_heads = 8, .head_size = 128, .value_size = 128}, feed_forward}};
  return model;
}
/// Two of eight experts of width 4,096.
TransformerModel round_mixture() { return round_model(MixtureOfExperts{8, 2, 4096}); }

Job round_job(const char* engine = "vllm", const char* format = "F16") {
  Job job;
  job.weight_format = format;
  job.engine = engine;
  return job;
}

/// Wide enough that what passes a boundary takes no time.
GroupFabric wide_fabric(int cards) {
  GroupFabric fabric;
  fabric.cards = cards;
  fabric.hop_bandwidth = fabric.all_reduce_bus = 1e9 * GB_per_s;
  return fabric;
}

/// The round card with 24 GB, and one with 8 GB and half of its bandwidth.
std::vector<CardSpeed> unlike_cards() {
  auto fast = round_card(), slow = round_card();
  fast.card = "fast";
  fast.vram = 24 * GB;
  slow.card = "slow";
  slow.vram = 8 * GB;
  slow.memory = 500 * GB_per_s;
  return {fast, slow};
}

struct Question {
  TransformerModel model = round_model();
  Job job = round_job();
  ParallelPlan plan{};
  std::vector<CardSpeed> cards{round_card()};
  GroupFabric fabric = wide_fabric(2);
  Calibration calibration = built_in_calibration("speed");
  InferenceSetting setting{};
  SpeedConstants constants = round_constants();

  PreparedInference prepared() const {
    PreparedInference made{model, job, plan, cards, fabric, calibration, setting};
    made.use_constants(constants);
    return made;
  }
};

}  // namespace

// Ten layers of 10 us and 200 us for the token: 300 us for each pass.
TEST_CASE("a prompt passes in chunks, each with its launches; a rest takes a pass of its own") {
  Question question;
  question.job = round_job("llama.cpp", "Q8_0");
  question.job.micro_batch = 512;
  const auto free = question.prepared();
  question.constants.layer_time = 10e-6;
  question.constants.token_time = 200e-6;
  const auto launched = question.prepared();
  const auto passes = [&](double tokens) { return (launched.prompt_time(tokens) - free.prompt_time(tokens)).in(us) / 300; };
  CHECK(passes(1) == Approx(1));
  CHECK(passes(511) == Approx(1));
  CHECK(passes(512) == Approx(1));
  CHECK(passes(513) == Approx(2));
  CHECK(passes(1024) == Approx(2));
  CHECK(passes(1025) == Approx(3));
  // Two passes of 512 rows read and multiply twice; attention is one, over all pairs.
  const auto pass = prefill_weight_pass(free.work(), round_card(), round_constants(), 512, 1, 1).total;
  const auto pairs = free.work().attention_over(0, 1024) / (100 * TFLOP_per_s);
  CHECK(free.prompt_time(1024).in(ms) == Approx((2 * pass + pairs).in(ms)));
  CHECK(free.prompt_time(1024, 2000).in(ms) ==
        Approx((2 * pass + free.work().attention_over(2000, 1024) / (100 * TFLOP_per_s)).in(ms)));
  // Engines that read checkpoints take 8,192 tokens at a time.
  question.job = round_job();
  const auto whole = question.prepared();
  question.constants = round_constants();
  CHECK((whole.prompt_time(8192) - question.prepared().prompt_time(8192)).in(us) == Approx(300));
  CHECK((whole.prompt_time(8193) - question.prepared().prompt_time(8193)).in(us) == Approx(600));
}

// Four of eight cards share a matrix, all eight the experts: a quarter of the dense weights and an eighth of the routed.
TEST_CASE("a card of a split has its part of the dense and of the routed weights") {
  auto work = round_work();
  work.routed_experts = 8;
  work.active_share = 0.25;
  work.routed_weights = 4 * GB;
  work.routed_values = 4e9;
  const ResolvedCard card{round_card(), round_constants(), 1};
  // 1 GB / 4 and a quarter of 4 GB / 8, at 500 GB/s.
  CHECK(decode_on_card(work, card, {SplitMode::tensor, 8, 4, 1, 8}, 1, 1).weights.in(ms) == Approx(0.5 + 0.25));
  CHECK(decode_on_card(work, card, {SplitMode::tensor, 4, 4, 1, 1}, 1, 1).weights.in(ms) == Approx(0.5 + 0.5));
  const auto time = [&](const SplitShape& split) { return prefill_on_card(work, card, split, 0, 512, 512); };
  CHECK(time({SplitMode::tensor, 8, 4, 1, 8}) ==
        prefill_weight_pass(work, round_card(), round_constants(), 512, 0.25, 0.125).total);
  CHECK(time({SplitMode::tensor, 4, 4, 1, 1}) ==
        prefill_weight_pass(work, round_card(), round_constants(), 512, 0.25, 0.25).total);
  // What arithmetic adds above reading: 64 streams multiply 2 x (1 + 1) x 64 operations each.
  const auto many = decode_on_card(work, card, {}, 1, 64);
  const auto pass = decode_weight_pass(work, round_card(), round_constants(), 64, 1, 1);
  CHECK(many.arithmetic == pass.total - pass.read);
  CHECK(many.arithmetic > Seconds{});
}

// Three quarters of the layers on the card with three quarters of the memory: 0.75 x 9.2484 + 0.25 x 18.4968 ms. Matrices divided
// by halves wait for the slower one.
TEST_CASE("unlike cards have layers by their memory, and a matrix in halves") {
  Question question;
  question.cards = unlike_cards();
  question.plan = {.split = SplitMode::layer, .cards = 2};
  const auto layers = question.prepared();
  REQUIRE(layers.cards().size() == 2);
  CHECK(layers.cards()[0].layers == Approx(0.75));
  CHECK(layers.decode_step(768, 1).weights.in(ms) == Approx(11.5605).epsilon(2e-4));
  CHECK(layers.decode_step(768, 1).kv.in(ms) == Approx(1.25 * 0.06291).epsilon(1e-3));
  const double fast = std::cbrt(std::pow(8.7242, 3) + std::pow(25.126, 3)),
               slow = std::cbrt(std::pow(17.4484, 3) + std::pow(25.126, 3));
  CHECK(layers.prompt_time(512).in(ms) == Approx(0.75 * fast + 0.25 * slow + 0.21475).epsilon(5e-4));
  question.plan = {.split = SplitMode::tensor, .cards = 2, .tensor = 2};
  const auto halves = question.prepared();
  CHECK(halves.decode_step(768, 1).weights.in(ms) == Approx(9.2484).epsilon(2e-4));
  CHECK(halves.decode_step(768, 1).kv.in(ms) == Approx(0.06291).epsilon(1e-3));
  CHECK(halves.prompt_time(512).in(ms) ==
        Approx(std::cbrt(std::pow(17.4484 / 2, 3) + std::pow(25.126 / 2, 3)) + 0.21475 / 2).epsilon(5e-4));
  std::swap(question.cards[0], question.cards[1]);
  CHECK(question.prepared().decode_step(768, 1).weights.in(ms) == Approx(9.2484).epsilon(2e-4));
  // Launches of the two add up by their layers too.
  question.constants.token_time = 1e-3;
  question.plan = {.split = SplitMode::layer, .cards = 2};
  CHECK(question.prepared().decode_step(768, 1).launches.in(ms) == Approx(1));
}

TEST_CASE("like cards are one kind with all their layers; a cap makes another kind; without memory all have as many") {
  Question question;
  question.plan = {.split = SplitMode::layer, .cards = 3};
  question.cards.assign(3, unlike_cards()[0]);
  CHECK(question.prepared().cards().size() == 1);
  CHECK(question.prepared().cards()[0].layers == Approx(1));
  question.cards[2].power_cap = 100 * watt;
  REQUIRE(question.prepared().cards().size() == 2);
  CHECK(question.prepared().cards()[0].layers == Approx(2 / 3.0));
  for (auto& card : question.cards) card.vram = Bytes{};
  CHECK(question.prepared().cards()[1].layers == Approx(1 / 3.0));
  question.cards.clear();
  CHECK_THROWS_AS(question.prepared(), std::invalid_argument);
}

// Eight streams on four stages of a tensor split are groups of two; fewer streams than stages are one.
TEST_CASE("stages work on different groups of streams") {
  Question question;
  question.plan = {.split = SplitMode::tensor, .cards = 4, .pipeline = 4};
  question.constants.stream_time = 100e-6;
  const auto staged = question.prepared();
  CHECK(staged.decode_step(768, 8).launches.in(us) == Approx(100));
  CHECK(staged.decode_step(768, 2).launches.in(us) == Approx(0).margin(1e-9));
  question.plan = {.split = SplitMode::tensor, .cards = 2, .pipeline = 2};
  CHECK(question.prepared().decode_step(768, 8).launches.in(us) == Approx(300));
  question.plan = {.split = SplitMode::layer, .cards = 4};
  CHECK(question.prepared().decode_step(768, 8).launches.in(us) == Approx(700));
}

// A quarter of the layers and half of the experts of the others on a host of 50 GB/s, of which 0.7 are reached; 40 us for each of
// the 7.5 layers whose experts are there.
TEST_CASE("experts in host memory are read there, and each of their layers goes there and back") {
  Question question;
  question.model = round_mixture();
  const auto plain = question.prepared();
  question.setting.host = HostPart{0.25, 0.5, 50 * GB_per_s, 10 * GB_per_s};
  const auto prepared = question.prepared();
  const auto& work = prepared.work();
  const auto routed = 0.25 * work.routed_weights;
  const auto parts = prepared.decode_step(1000, 1), whole = plain.decode_step(1000, 1);
  CHECK(parts.host.in(ms) ==
        Approx(((0.25 * (work.dense_weights + routed + work.cache_read(1000)) + 0.375 * routed) / (35 * GB_per_s)).in(ms) + 0.3));
  const double share = routed / (work.dense_weights + routed);
  CHECK(parts.weights / whole.weights == Approx(0.75 * (1 - 0.5 * share)));
  CHECK(parts.kv / whole.kv == Approx(0.75));
  CHECK(prepared.decode_step(1000, 4).arithmetic / plain.decode_step(1000, 4).arithmetic ==
        Approx(0.75 * (1 - 0.5 * (1 - work.dense_weights / work.weights_read(4)))));
  // Four streams touch 1 - 0.75^4 of the experts and read four caches.
  const auto of_four = (1 - std::pow(0.75, 4)) * work.routed_weights;
  CHECK(prepared.decode_step(1000, 4).host.in(ms) ==
        Approx(((0.25 * (work.dense_weights + of_four + 4 * work.cache_read(1000)) + 0.375 * of_four) / (35 * GB_per_s)).in(ms) +
               0.3));
  // A prompt brings the host's layers and, of the experts, the greater share, over the link or at the host's memory.
  const auto moved = 0.25 * work.dense_weights + 0.5 * work.routed_weights;
  CHECK((prepared.prompt_time(512) - plain.prompt_time(512)).in(ms) == Approx((moved / (10 * GB_per_s)).in(ms)));
  CHECK((prepared.prompt_time(8193) - plain.prompt_time(8193)).in(ms) == Approx(2 * (moved / (10 * GB_per_s)).in(ms)));
  question.setting.host->link = Bandwidth{};
  CHECK((question.prepared().prompt_time(512) - plain.prompt_time(512)).in(ms) == Approx((moved / (50 * GB_per_s)).in(ms)));
  // Layers alone: nobody goes there for experts.
  question.setting.host = HostPart{0.5, 0, 50 * GB_per_s, 10 * GB_per_s};
  CHECK(question.prepared().decode_step(1000, 1).host.in(ms) ==
        Approx((0.5 * (work.dense_weights + routed + work.cache_read(1000)) / (35 * GB_per_s)).in(ms)));
  question.constants.token_time = 1e-3;
  CHECK(question.prepared().decode_step(1000, 1).launches.in(ms) == Approx(0.5));
}

TEST_CASE("a question is as far from what was measured as its farthest card") {
  Calibration calibration;
  calibration.known = {"arch:arch", "engine:vllm-cuda|family:family", "card:measured"};
  CardSpeed card;
  card.architecture = "arch";
  card.family = "family";
  card.card = "measured";
  const auto distance = [&](const char* engine = "engine:vllm-cuda") { return distance_from_rows(calibration, card, engine); };
  CHECK(distance() == "known");
  CHECK(distance("engine:other") == "unknown");
  card.card = "sister";
  CHECK(distance() == "known-architecture");
  card.family = "strangers";
  CHECK(distance() == "unknown");
  card.family = "family";
  card.architecture = "next";
  CHECK(distance() == "unknown");
}

namespace {

/// Spreads that name themselves: the low end of kind i at distance j is log of 1 - 0.1 i - 0.01 j.
Calibration marked_calibration() {
  auto calibration = built_in_calibration("speed");
  calibration.known = {"arch:arch", "engine:vllm-cuda|family:family", "card:measured"};
  calibration.spreads.clear();
  double kind_mark = 0.9;
  for (const auto* kind : {"decode", "decode-several", "decode-batch", "prefill"}) {
    double mark = kind_mark;
    for (const auto* distance : {"known", "known-architecture", "unknown"}) {
      calibration.spreads.push_back({kind, distance, std::log(mark), std::log(1 / mark), 1});
      mark -= 0.01;
    }
    kind_mark -= 0.1;
  }
  return calibration;
}

CardSpeed marked_card(const char* id, const char* architecture = "arch") {
  auto card = round_card();
  card.card = id;
  card.architecture = architecture;
  card.family = "family";
  return card;
}

}  // namespace

// One stream on one card, on several, and several streams have ranges of their own; a prompt too.
TEST_CASE("ranges are those of the kind of question and of its distance") {
  Question question;
  question.calibration = marked_calibration();
  question.job.engine_date = "2026-06";
  question.cards = {marked_card("measured")};
  const auto low = [&](int users = 1) {
    const auto rate = question.prepared().at(Tokens{768}, users).decode_per_user;
    return rate.low / rate.likely;
  };
  CHECK(low() == Approx(0.9));
  CHECK(low(2) == Approx(0.7));
  const auto speed = question.prepared().at(Tokens{768}, 1);
  CHECK(speed.prefill.low / speed.prefill.likely == Approx(0.6));
  CHECK(speed.prefill.high / speed.prefill.likely == Approx(1 / 0.6));
  CHECK(speed.first_token.high / speed.first_token.likely == Approx(1 / 0.6));
  CHECK(speed.first_token.low / speed.first_token.likely == Approx(0.6));
  question.plan = {.split = SplitMode::layer, .cards = 2};
  CHECK(low() == Approx(0.8));
  question.cards = {marked_card("measured"), marked_card("sister")};
  CHECK(low() == Approx(0.79));
  question.cards = {marked_card("sister"), marked_card("measured")};
  CHECK(low() == Approx(0.79));
  question.cards = {marked_card("sister"), marked_card("stranger", "next")};
  CHECK(low() == Approx(0.78));
  question.cards = {marked_card("stranger", "next"), marked_card("measured")};
  CHECK(low() == Approx(0.78));
}

// Reading 4.6242 GB at the whole 1,000 GB/s takes 4.6242 ms: no more than 216.3 token/s, whatever the range says.
TEST_CASE("the high end of a rate is no more than the memory gives") {
  Question question;
  question.calibration.spreads = {{"decode", "known", std::log(0.5), std::log(1.5), 1}};
  question.job.engine_date = "2026-06";
  auto speed = question.prepared().at(Tokens{768}, 1);
  CHECK(speed.decode.high / speed.decode.likely == Approx(1.5));
  CHECK(speed.decode.low / speed.decode.likely == Approx(0.5));
  question.calibration.spreads[0].high = std::log(9);
  speed = question.prepared().at(Tokens{768}, 1);
  CHECK(speed.decode.high.in(token_per_s) == Approx(1e3 / 4.6242).epsilon(2e-4));
  // Drafts that are always kept lift that too, two tokens a pass.
  question.setting.speculation = Speculation{1, 1.0, 0};
  CHECK(question.prepared().at(Tokens{768}, 1).decode.high.in(token_per_s) == Approx(2e3 / 4.6242).epsilon(2e-4));
}

TEST_CASE("what takes longest limits, by name") {
  const auto limit = [](auto change, double depth = 768, int users = 1) {
    Question question;
    change(question);
    return question.prepared().at(Tokens{depth}, users).limited_by;
  };
  CHECK(limit([](Question&) {}) == "memory bandwidth");
  CHECK(limit([](Question& q) { q.constants.batch_share = 1e-4; }) == "arithmetic");
  CHECK(limit([](Question&) {}, 1e6) == "KV cache");
  CHECK(limit([](Question& q) { q.constants.layer_time = 0.01; }) == "launches");
  CHECK(limit([](Question& q) {
          q.plan = {.split = SplitMode::tensor, .cards = 2, .tensor = 2};
          q.fabric.all_reduce_latency = 1 * ms;
        }) == "link");
  CHECK(limit([](Question& q) { q.setting.host = HostPart{0.5, 0, 50 * GB_per_s, 10 * GB_per_s}; }) == "host memory");
}

TEST_CASE("splits name their level, and one card is single whatever the plan says") {
  const auto has = [](SplitMode split, int cards, const std::string& level) {
    const auto levels = inference_levels(round_model(), round_job(), {.split = split, .cards = cards}, round_card());
    return std::find(levels.begin(), levels.end(), level) != levels.end();
  };
  CHECK(has(SplitMode::layer, 1, "split:single"));
  CHECK(has(SplitMode::layer, 2, "split:layer"));
  CHECK(has(SplitMode::row, 2, "split:row"));
  CHECK(has(SplitMode::tensor, 2, "split:tensor"));
}

TEST_CASE("lengths and users that are not given are one; others may be asked for later") {
  Question question;
  question.job.prompt = question.job.generate = Tokens{0};
  question.job.users = 0;
  const auto least = question.prepared();
  const auto one = least.at_job();
  CHECK(one.decode == least.at(Tokens{1.5}, 1).decode);
  CHECK(one.decode == one.decode_per_user);
  question.job.prompt = question.job.generate = Tokens{1};
  CHECK(question.prepared().at_job().usable == one.usable);
  question.job.prompt = Tokens{2000};
  question.job.generate = Tokens{100};
  question.job.users = 3;
  const auto asked = question.prepared();
  auto later = least;
  later.use_lengths(Tokens{2000}, Tokens{100});
  CHECK(later.at_lengths(3).usable == asked.at_job().usable);
  CHECK(later.at_lengths(3).decode == asked.at(Tokens{2050}, 3).decode);
  later.use_lengths(Tokens{2000}, Tokens{200});
  CHECK(later.at_lengths(3).decode == asked.at(Tokens{2100}, 3).decode);
  // A micro-batch of none is one row a pass.
  question.job = round_job("llama.cpp", "Q8_0");
  question.job.micro_batch = 0;
  question.constants.token_time = 1e-3;
  CHECK(question.prepared().prompt_time(10) > 10 * ms);
  CHECK_THROWS_AS((question.job.key_format = "Q17", question.prepared()), std::invalid_argument);
  CHECK_THROWS_AS((question.job = round_job("vllm", "Q17"), question.prepared()), std::invalid_argument);
}

TEST_CASE("old builds read the whole context of sliding layers") {
  Question question;
  question.model.groups[0].attention = SlidingWindow{std::get<GroupedQuery>(question.model.groups[0].attention), 256};
  const auto windowed = question.prepared().decode_step(1024, 1).kv;
  question.setting.full_windows = true;
  CHECK(question.prepared().decode_step(1024, 1).kv / windowed == Approx(4));
}

// More copies than users: each user has one of its own; five users on two copies are two and a half streams each.
TEST_CASE("users share copies evenly") {
  Question question;
  question.constants.stream_time = 1e-3;
  question.plan.replicas = 2;
  const auto prepared = question.prepared();
  CHECK(prepared.at(Tokens{768}, 5).parts.launches.in(ms) == Approx(1.5));
  CHECK(prepared.at(Tokens{768}, 5).decode.likely / prepared.at(Tokens{768}, 5).decode_per_user.likely == Approx(5));
  CHECK(prepared.at(Tokens{768}, 2).parts.launches == Seconds{});
  CHECK(prepared.at(Tokens{768}, 0).decode.likely == prepared.at(Tokens{768}, 1).decode.likely);
  CHECK(prepared.at(Tokens{768}, 2).usable / prepared.at(Tokens{768}, 1).usable == Approx(2));
}
