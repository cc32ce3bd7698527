// SPDX-License-Identifier: Apache-2.0
// Decode and prefill of a model of round numbers on a round card, worked out on paper.
#include <catch2/catch.hpp>
#include <cmath>

#include "estimate/compute/round_work.h"
#include "rigplan/simulate/inference.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

// Ten layers. Matrices: 4096 x 4096 twice, 4096 x 1024 twice, 4096 x 14336 thrice, 218.1 million weights a layer, 2,181.04
// million in all; the head 32,000 x 4096 = 131.07 million. In 2 bytes 4.6242 GB with the head. A token's keys and values: 10 x 8
// heads x 128 x 2 x 2 bytes = 40,960 bytes; attention of a pair: 10 x 2 x 32 x 256 = 163,840 operations.
constexpr double body = 2181.04e6, head = 131.07e6;

TransformerModel round_model() {
  TransformerModel model;
  model.hidden = 4096;
  model.vocabulary = 32'000;
  model.groups = {{10, GroupedQuery{.heads = 32, .kv_heads = 8, .head_size = 128, .value_size = 128}, DenseFeedForward{14'336}}};
  return model;
}

Job round_job() {
  Job job;
  job.weight_format = "F16";
  job.engine = "vllm";
  job.prompt = Tokens{512};
  job.generate = Tokens{512};
  return job;
}

PreparedInference prepare(const Job& job, const ParallelPlan& plan = {}, const InferenceSetting& setting = {},
                          const GroupFabric& fabric = {}, SpeedConstants constants = round_constants()) {
  const auto card = round_card();
  PreparedInference prepared{round_model(), job, plan, std::span{&card, 1}, fabric, built_in_calibration("speed"), setting};
  prepared.use_constants(constants);
  return prepared;
}

}  // namespace

// 4.6242 GB at 500 GB/s take 9.2484 ms, 768 tokens of cache 31.46 MB at 500 GB/s 0.0629 ms.
TEST_CASE("a step reads weights and cache; the rate is its inverse") {
  const auto speed = prepare(round_job()).at(Tokens{768}, 1);
  CHECK(speed.parts.weights.in(ms) == Approx(9.2484).epsilon(2e-4));
  CHECK(speed.parts.kv.in(ms) == Approx(0.06291).epsilon(1e-3));
  CHECK(speed.parts.launches == Seconds{});
  CHECK(speed.decode.likely.in(token_per_s) == Approx(1e3 / 9.3113).epsilon(5e-4));
  CHECK(speed.limited_by == "memory bandwidth");
}

// 512 tokens: reading the body takes 8.724 ms; 2 x 2,181.04e6 x 512 / 100 TFLOP/s = 22.334 ms on full tiles, 25.126 with tiles
// full to 512 / 576; together 25.474. Attention: 512 x 256 pairs x 163,840 / 100 T = 0.2147 ms.
TEST_CASE("a prompt multiplies all its tokens at once, and the first token waits for it and one step") {
  const auto speed = prepare(round_job()).at(Tokens{768}, 1);
  const double prompt = std::cbrt(std::pow(8.7242, 3) + std::pow(25.126, 3)) + 0.21475;
  CHECK(speed.prefill.likely.in(token_per_s) == Approx(512e3 / prompt).epsilon(5e-4));
  CHECK(speed.first_token.likely.in(ms) == Approx(prompt + 9.3113).epsilon(5e-4));
}

// A request: 2 x (2,181.04e6 x 512 + 131.07e6) + 131,072 pairs for the prompt; 2 x 2,312.11e6 x 512 and pairs of 512 tokens that
// see 768 on average for the answer; over the prompt's time and 512 steps.
TEST_CASE("usable arithmetic is that of the request over its time") {
  const auto speed = prepare(round_job()).at_job();
  const double work = 2 * (body * 512 + head) + 2 * (body + head) * 512 + (131'072 + 512 * 768.0) * 163'840;
  const double prompt = std::cbrt(std::pow(8.7242, 3) + std::pow(25.126, 3)) + 0.21475;
  CHECK(speed.usable.in(TFLOP_per_s) == Approx(work / (prompt + 512 * 9.3113) * 1e3 / 1e12).epsilon(5e-4));
}

// Eight users on two copies are four streams each: reading stays, products take 4 x 0.0462 ms within the reading's shadow, caches
// 4 x (4/3 + (2 - 4/3) / 4) x 31.46 MB / 1,000 GB/s = 0.18875 ms, three further streams 0.1 ms each.
TEST_CASE("users spread over the copies, and each copy's streams share its step") {
  auto constants = round_constants();
  constants.stream_time = 100e-6;
  constants.token_time = 200e-6;
  ParallelPlan plan;
  plan.replicas = 2;
  auto job = round_job();
  job.users = 8;
  const auto prepared = prepare(job, plan, {}, {}, constants);
  const auto speed = prepared.at(Tokens{768}, 8);
  CHECK(speed.parts.kv.in(ms) == Approx(0.18875).epsilon(1e-3));
  CHECK(speed.parts.launches.in(ms) == Approx(0.2 + 0.3));
  CHECK(speed.decode_per_user.likely.in(token_per_s) == Approx(1e3 / (9.2484 + 0.18875 + 0.5)).epsilon(1e-3));
  CHECK(speed.decode.likely / speed.decode_per_user.likely == Approx(8));
  // One user keeps one copy busy.
  CHECK(prepared.at(Tokens{768}, 1).decode.likely == prepared.at(Tokens{768}, 1).decode_per_user.likely);
}

// Seven further streams of 32,000 entries at 10 ns each: 2.24 ms; F16 weights are a checkpoint's, Q8_0 those of a GGUF file.
TEST_CASE("a program that reads GGUF draws each further stream's token on the host, entry by entry") {
  auto constants = round_constants();
  constants.sample_time = 10e-9;
  auto job = round_job();
  CHECK(prepare(job, {}, {}, {}, constants).decode_step(768, 8).launches == Seconds{});
  job.weight_format = "Q8_0";
  job.engine = "llama.cpp";
  const auto prepared = prepare(job, {}, {}, {}, constants);
  CHECK(prepared.decode_step(768, 1).launches == Seconds{});
  CHECK(prepared.decode_step(768, 8).launches.in(ms) == Approx(2.24).epsilon(1e-3));
}

// Half of the layers on the host: 2.312 GB and half of the cache, 2.328 GB at 0.7 x 50 GB/s: 66.5 ms; the card's half 4.6556 ms.
TEST_CASE("layers in host memory are read there, the others on the card") {
  InferenceSetting setting;
  setting.host = HostPart{0.5, 0, 50 * GB_per_s, 10 * GB_per_s};
  const auto prepared = prepare(round_job(), {}, setting);
  const auto parts = prepared.decode_step(768, 1);
  CHECK(parts.host.in(ms) == Approx(0.5 * (4624.2 + 31.46) / 35).epsilon(1e-3));
  CHECK(parts.weights.in(ms) == Approx(9.2484 / 2).epsilon(1e-3));
  CHECK(parts.kv.in(ms) == Approx(0.06291 / 2).epsilon(1e-3));
  // A prompt brings the host's half to the card once, at 10 GB/s.
  const auto plain = prepare(round_job()).prompt_time(512);
  CHECK((prepared.prompt_time(512) - plain).in(ms) == Approx(0.5 * 4624.2 / 10).epsilon(1e-3));
}

// Drafts of four tokens, always kept and free of cost: five tokens a pass.
TEST_CASE("proposals multiply the rate and leave the step") {
  InferenceSetting setting;
  setting.speculation = Speculation{4, 1.0, 0};
  const auto plain = prepare(round_job()).at(Tokens{768}, 1), drafted = prepare(round_job(), {}, setting).at(Tokens{768}, 1);
  CHECK(drafted.decode.likely / plain.decode.likely == Approx(5));
  CHECK(drafted.parts.total() == plain.parts.total());
}

// A split over two stages: the same work, and 5 us + 8,192 bytes over 20 GB/s for the boundary. Prompts of four chunks keep both
// stages busy: half of the time, and the boundary four times with 512 rows.
TEST_CASE("stages of a layer split take turns for one token and work together on the chunks of a prompt") {
  GroupFabric fabric;
  fabric.cards = 2;
  fabric.hop_latency = 5 * us;
  fabric.hop_bandwidth = 20 * GB_per_s;
  auto constants = round_constants();
  constants.chunk_overlap = 1;
  auto job = round_job();
  job.weight_format = "Q8_0";  // chunks of the micro-batch are an engine's that reads GGUF
  job.engine = "llama.cpp";
  job.micro_batch = 512;
  job.prompt = Tokens{2048};
  ParallelPlan plan;
  const auto one = prepare(job, plan, {}, {}, constants);
  plan.split = SplitMode::layer;
  plan.cards = 2;
  const auto two = prepare(job, plan, {}, fabric, constants);
  CHECK(two.decode_step(768, 1).communication.in(us) == Approx(5.4096));
  CHECK((two.decode_step(768, 1).total() - one.decode_step(768, 1).total()).in(us) == Approx(5.4096).epsilon(1e-3));
  const double boundary = 5 + 512 * 8192 / 20e3;
  CHECK(two.prompt_time(2048).in(us) == Approx(one.prompt_time(2048).in(us) / 2 + 4 * boundary).epsilon(1e-6));
  // A prompt of one chunk has nothing to overlap.
  CHECK(two.prompt_time(512).in(us) == Approx(one.prompt_time(512).in(us) + boundary).epsilon(1e-6));
}
