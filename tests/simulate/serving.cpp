// SPDX-License-Identifier: Apache-2.0
#include "rigplan/simulate/serving.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <deque>
#include <random>
#include <vector>

#include "simulate/serving_time.h"

using namespace rigplan;

namespace {

TransformerModel llama8() {
  TransformerModel model;
  model.hidden = 4096;
  model.vocabulary = 128256;
  model.groups = {
      {32, GroupedQuery{.heads = 32, .kv_heads = 8, .head_size = 128, .value_size = 128}, DenseFeedForward{.width = 14336}}};
  return model;
}

CardSpeed h100() {
  CardSpeed card;
  card.family = "hopper";
  card.architecture = "sm_90";
  card.vram = 80 * GiB;
  card.memory = 3350 * GB_per_s;
  card.fp32 = 67 * TFLOP_per_s;
  card.matrix16 = card.matrix16_fast = 989 * TFLOP_per_s;
  card.fp8 = card.int8 = card.fp4 = 1979 * TFLOP_per_s;
  card.matrix_units = true;
  return card;
}

ServingSetup setup(int tensor = 1, int replicas = 1) {
  Job job;
  job.weight_format = "BF16";
  GroupFabric fabric;
  fabric.kind = tensor > 1 ? LinkClass::nvswitch : LinkClass::none;
  fabric.cards = tensor;
  fabric.all_reduce_bus = 346 * GB_per_s;
  return prepare_serving(llama8(), job, {.cards = tensor, .tensor = tensor, .replicas = replicas}, h100(), fabric,
                         built_in_calibration("serving"), "vllm");
}

/// What an event simulation of one replica measures: seconds per token within answers, and from sending a request to its prompt
/// being taken in.
struct Simulated {
  double per_token = 0, wait = 0, tokens_per_s = 0;
};

/// Continuous batching, iteration by iteration. Every user sends the next request when the last one is answered; at most `slots`
/// run; a prompt is computed whole in the iteration in which its stream joins, and delays all of that iteration.
Simulated simulate(const ServingSetup& s, double prompt, int answer, int users, int slots) {
  struct Stream {
    int left;
    double began;
  };
  std::vector<Stream> running;
  std::deque<double> waiting;  // when each request was sent
  for (int i = 0; i < users; ++i) waiting.push_back(0);
  const double one_prompt = s.constants.interference * prompt_time(s, prompt).in(second);
  double now = 0, token_time = 0, wait = 0;
  long tokens = 0, answers = 0, joined = 0;
  const double warm_up = 3, end = 13;  // in turns of an answer
  const double turn = answer * iteration_time(s, users, prompt).in(second) * (users > slots ? 1.0 * users / slots : 1);
  double measured_from = -1;
  int first_left = answer;
  while (now < end * turn) {
    const bool measure = now > warm_up * turn;
    if (measure && measured_from < 0) measured_from = now;
    double spent = 0;
    while (static_cast<int>(running.size()) < slots && !waiting.empty()) {
      // The first streams join with part of their answer behind them, so that they do not end together.
      const int left = now == 0 && spent == 0 && first_left > answer / users ? (first_left -= answer / users) : answer;
      if (measure) wait += now - waiting.front(), ++joined;
      running.push_back({left, now});
      waiting.pop_front();
      if (now > 0) spent += one_prompt;
    }
    double depth = 0;
    for (const auto& r : running) depth += prompt + (answer - r.left);
    spent += iteration_time(s, static_cast<double>(running.size()), depth / static_cast<double>(running.size())).in(second);
    now += spent;
    if (measure) tokens += static_cast<long>(running.size());
    for (std::size_t i = 0; i < running.size();) {
      if (--running[i].left > 0) {
        ++i;
        continue;
      }
      if (measure) token_time += (now - running[i].began) / answer, ++answers;
      waiting.push_back(now);
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return {token_time / static_cast<double>(answers), wait / static_cast<double>(std::max(1L, joined)),
          static_cast<double>(tokens) / (now - measured_from)};
}

}  // namespace

TEST_CASE("an event simulation of continuous batching agrees with the steady state") {
  const int users = GENERATE(1, 8, 64);
  const double prompt = GENERATE(256.0, 2048.0);
  CAPTURE(users, prompt);
  const auto s = setup();
  const auto point = serve_at(s, Tokens{prompt}, Tokens{200}, users);
  const auto simulated = simulate(s, prompt, 200, users, 1 << 20);
  CHECK(point.per_token.likely.in(second) == Approx(simulated.per_token).epsilon(0.06));
}

// Requests come at random (Poisson), so many that as many streams run on average as `users` keep running. What the slowest of
// twenty streams pays beyond the mean is what the simulation shows, and never less than the mean.
TEST_CASE("streams that meet more prompts than others take longer, as the 95th percentile says", "[slow]") {
  const int users = GENERATE(8, 32);
  const double prompt = GENERATE(512.0, 2048.0);
  CAPTURE(users, prompt);
  const auto s = setup();
  const int answer = 200;
  const auto point = serve_at(s, Tokens{prompt}, Tokens{answer}, users);
  std::mt19937_64 random{1};
  const double rate = point.generated.in(token_per_s) / answer,
               one_prompt = s.constants.interference * prompt_time(s, prompt).in(second);
  struct Stream {
    int left;
    double began;
  };
  std::vector<Stream> running;
  std::vector<double> times;
  double now = 0, next = 0;
  while (times.size() < 6000) {
    double spent = 0;
    for (; next <= now; next -= std::log1p(-std::generate_canonical<double, 53>(random)) / rate) {
      running.push_back({answer, now});
      spent += one_prompt;
    }
    if (running.empty()) {
      now = next;
      continue;
    }
    double depth = 0;
    for (const auto& stream : running) depth += prompt + (answer - stream.left);
    const auto streams = static_cast<double>(running.size());
    now += spent + iteration_time(s, streams, depth / streams).in(second);
    for (std::size_t i = 0; i < running.size();) {
      if (--running[i].left > 0) {
        ++i;
        continue;
      }
      times.push_back((now - running[i].began) / answer);
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  times.erase(times.begin(), times.begin() + 1000);  // until as many run as later
  std::sort(times.begin(), times.end());
  const double p95 = times[times.size() * 95 / 100];
  CHECK(point.per_token_p95 >= point.per_token.likely);
  CHECK(point.per_token_p95.in(second) == Approx(p95).epsilon(0.15));
  CHECK(point.first_token_p95 >= point.first_token.likely);
}

// 40 users who are answered in turn make users / (time of an answer) requests a second; asked back, that rate needs them again.
TEST_CASE("a rate of requests takes the users who make it, and more than the cards can do takes none") {
  const auto s = setup();
  for (const int users : {1, 7, 40}) {
    const double rate = serve_at(s, Tokens{512}, Tokens{256}, users).generated.in(token_per_s) / 256;
    CHECK(users_at_rate(s, Tokens{512}, Tokens{256}, 0.9999 * rate) == users);
  }
  CHECK_FALSE(users_at_rate(s, Tokens{512}, Tokens{256}, 1e6));
}

TEST_CASE("with a full cache requests wait for a slot, in the simulation and in the steady state") {
  auto s = setup();
  const Tokens prompt{2048}, answer{200};
  // A share of memory that holds the weights and about 16 streams.
  const double per_stream = 32 * 4096.0 * (2048 + 100);  // 32 layers x 2 x 8 x 128 values x 2 bytes a token
  s.memory_share = (16.0e9 + 3e9 + 0.06e9 + 16.5 * per_stream) / s.card.vram.in(byte);
  const double held = streams_held(s, prompt, answer);
  CHECK(held == Approx(16.5).epsilon(0.1));
  const auto point = serve_at(s, prompt, answer, 64);
  CHECK(point.limited_by == "cache size");
  CHECK(point.running == Approx(held));
  const auto simulated = simulate(s, 2048, 200, 64, static_cast<int>(held));
  CHECK(point.first_token.likely.in(second) == Approx(simulated.wait).epsilon(0.35));
  CHECK(serve_at(s, prompt, answer, 16).first_token.likely < 0.3 * point.first_token.likely);
}

TEST_CASE("a decode iteration of one stream reads the weights once") {
  // 8.03e9 weights less the embedding: 7.5e9 x 2 bytes over 3,350 GB/s is 4.5 ms at the full rate.
  const auto s = setup();
  const auto parts = iteration_parts(s, 1, 1024);
  CHECK(parts.read.in(ms) == Approx(2 * 7.505e9 / 3.35e12 / s.constants.dense_share * 1e3).epsilon(0.01));
  CHECK(parts.total() > parts.read);
  // Cache: 1,024 tokens of 131,072 bytes.
  CHECK(parts.cache.in(ms) == Approx(1024 * 131072 / 3.35e12 / s.constants.cache_share * 1e3));
}

TEST_CASE("thousands of streams are multiplied with every weight, no faster than the card's peak") {
  const auto s = setup();
  double weights = 0;
  for (const auto& layers : s.model.layers) weights += layers.count * layers.dense_weights;
  CHECK(iteration_time(s, 4096, 1) > 2 * weights * 4096 * FLOP / s.card.matrix16);
}

TEST_CASE("of E experts one token touches k, many touch all") {
  CHECK(experts_touched(128, 8, 1) == Approx(8));
  CHECK(experts_touched(128, 8, 2) == Approx(128 * (1 - 0.9375 * 0.9375)));
  CHECK(experts_touched(128, 8, 1000) == Approx(128).epsilon(1e-6));
}

TEST_CASE("more users never bring fewer tokens nor shorter times") {
  const auto s = setup();
  auto before = serve_at(s, Tokens{1024}, Tokens{256}, 1);
  for (int users = 2; users <= 2048; users *= 2) {
    const auto now = serve_at(s, Tokens{1024}, Tokens{256}, users);
    CAPTURE(users);
    CHECK(now.per_token.likely >= before.per_token.likely);
    CHECK(now.first_token.likely >= before.first_token.likely);
    CHECK(now.generated >= 0.999 * before.generated);
    CHECK(now.running <= streams_held(s, Tokens{1024}, Tokens{256}));
    before = now;
  }
}

TEST_CASE("the largest load is the last that meets both targets") {
  const auto s = setup();
  const ServingTargets targets{20 * ms, 400 * ms};
  const int most = largest_load(s, Tokens{1024}, Tokens{256}, targets);
  REQUIRE(most > 1);
  const auto meets = [&](int users) {
    const auto point = serve_at(s, Tokens{1024}, Tokens{256}, users);
    return point.per_token.likely <= *targets.per_token && point.first_token.likely <= *targets.first_token;
  };
  CHECK(meets(most));
  CHECK_FALSE(meets(most + 1));
  CHECK(largest_load(s, Tokens{1024}, Tokens{256}, {1 * ms, {}}) == 0);
}

TEST_CASE("past the knee twice the users bring less than a quarter more tokens") {
  const auto s = setup();
  const int at = knee(s, Tokens{1024}, Tokens{256});
  const auto rate = [&](int users) { return serve_at(s, Tokens{1024}, Tokens{256}, users).generated; };
  CHECK(rate(2 * at) < 1.25 * rate(at));
  CHECK(rate(at) >= 1.25 * rate(at / 2));
}

TEST_CASE("two cards: tensor parallel answers one user faster, replicas serve many users with more tokens") {
  const auto tensor = setup(2, 1), replicas = setup(1, 2);
  CHECK(serve_at(tensor, Tokens{1024}, Tokens{256}, 1).per_token.likely <
        serve_at(replicas, Tokens{1024}, Tokens{256}, 1).per_token.likely);
  CHECK(serve_at(replicas, Tokens{1024}, Tokens{256}, 256).generated >
        serve_at(tensor, Tokens{1024}, Tokens{256}, 256).generated);
}

// One user finds no queue. Of five, two prompts on average come before one's own, as far as the queue's slope counts them.
TEST_CASE("a first token waits for the prompts before it, its own and the first steps") {
  const auto s = setup();
  const auto& c = s.constants;
  const auto prompt = prompt_time(s, 1024) + c.layer_prompt_time * us * s.model.total_layers();
  const auto expected = [&](int users, double before) {
    return c.first_token_time * ms + (1 + c.queue_slope * before) * prompt + c.first_steps * iteration_time(s, users, 1152);
  };
  CHECK(serve_at(s, Tokens{1024}, Tokens{256}, 1).first_token.likely.in(ms) == Approx(expected(1, 0).in(ms)));
  CHECK(serve_at(s, Tokens{1024}, Tokens{256}, 5).first_token.likely.in(ms) == Approx(expected(5, 2).in(ms)));
}

// In a wave of 17 the average stream waits for the 8 prompts before it, and for the 8 after it while it answers.
TEST_CASE(
    "where prompts come first, streams that start together wait for half of each other before and after their first token") {
  auto s = setup();
  s.starts_together = s.prompts_first = true;
  const Tokens prompt{1024}, answer{128};
  const auto wave = serve_at(s, prompt, answer, 17);
  const Seconds one = prompt_time(s, 1024), step = iteration_time(s, 17, 1024 + 64);
  const auto& c = s.constants;
  CHECK(wave.per_token.likely.in(ms) == Approx((step + 8.0 / 128 * one).in(ms)));
  const Seconds queued = one + 32 * c.layer_prompt_time * us;
  CHECK(wave.first_token.likely.in(ms) ==
        Approx((c.first_token_time * ms + 9 * queued + c.first_steps * step + c.warm_up_time / 17 * ms).in(ms)));
}

TEST_CASE("a model that does not fit serves nobody") {
  auto s = setup();
  s.card.vram = 16 * GiB;
  const auto point = serve_at(s, Tokens{1024}, Tokens{256}, 4);
  CHECK(point.running == 0);
  CHECK(largest_load(s, Tokens{1024}, Tokens{256}, {}) == 0);
}
