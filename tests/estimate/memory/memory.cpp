// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/memory/memory.h"

#include <array>
#include <catch2/catch.hpp>

#include "workload/shapes.h"

using namespace rigplan;
using namespace rigplan::units;

static Job chat(double context, int users = 1) {
  Job job;
  job.context = Tokens{context};
  job.users = users;
  job.flash_attention = false;
  return job;
}
static CardBudget card(double gib) { return {gib * GiB, Bytes{}, Bytes{}}; }
static ParallelPlan layer_split(int cards) { return {.split = cards > 1 ? SplitMode::layer : SplitMode::single, .cards = cards}; }
static Bytes sum(const MemoryEstimate& estimate, Bytes CardMemory::*part) {
  Bytes all;
  for (const auto& one : estimate.cards) all += one.*part;
  return all;
}

TEST_CASE("llama.cpp's buffers of an 8B model are those that it prints, on one to eight cards", "[bad-input-26]") {
  // Printed for Llama 3 8B, Q4_K_M, 8192 tokens, micro-batch 512, no flash attention: weights 4403.5 MiB whatever the number of
  // cards (the embedding stays in host memory), cache 1024 MiB, compute buffers 560, 1280, 2560, 3840, 5120 MiB.
  const std::pair<int, double> printed[] = {{1, 560}, {2, 1280.03}, {4, 2560.05}, {6, 3840.07}, {8, 5120.09}};
  for (const auto& [cards, buffers] : printed) {
    INFO(cards);
    const std::vector<CardBudget> budget(static_cast<std::size_t>(cards), card(24));
    const auto estimate = estimate_memory(llama_31_8b(), chat(8192), layer_split(cards), budget);
    CHECK(sum(estimate, &CardMemory::weights).in(MiB) == Approx(4403.49).epsilon(0.003));
    CHECK(sum(estimate, &CardMemory::kv_cache).in(MiB) == Approx(1024));
    CHECK(sum(estimate, &CardMemory::compute_buffer).in(MiB) == Approx(buffers).epsilon(0.001));
    CHECK(estimate.host.in(MiB) == Approx(128256 * 4096 * 0.5625 / 1048576).epsilon(0.001));
  }
}

TEST_CASE("layers are dealt by what cards have free", "[bad-input-27]") {
  const CardBudget unequal[] = {card(24), card(8)};
  const auto estimate = estimate_memory(llama_31_8b(), chat(8192), layer_split(2), unequal);
  // 33 parts (32 layers and the head) 3 : 1 over the cards: layers with a place below 0.75 of 33, 25 of them, are on the first.
  CHECK(estimate.cards[0].kv_cache.in(MiB) == Approx(1024 * 25 / 32.0));
  CHECK(estimate.cards[1].kv_cache.in(MiB) == Approx(1024 * 7 / 32.0));
}

TEST_CASE("row split keeps cache and buffers on the main card") {
  auto plan = layer_split(2);
  plan.split = SplitMode::row;
  const CardBudget two[] = {card(24), card(24)};
  const auto estimate = estimate_memory(llama_2_7b(), chat(512), plan, two, {.scratch_once = true});
  // Printed by a 2023 build for Llama 2 7B on two cards: cache 256 MiB, scratch 70.5 MiB, both once.
  CHECK(estimate.cards[0].kv_cache.in(MiB) == Approx(256));
  CHECK(estimate.cards[1].kv_cache.in(MiB) == 0);
  CHECK(sum(estimate, &CardMemory::compute_buffer).in(MiB) == Approx(70.5));
}

TEST_CASE("a model that does not fit says which card misses how much", "[bad-input-28]") {
  const CardBudget small[] = {card(24), card(12)};
  auto job = chat(8192);
  const auto estimate = estimate_memory(llama_31_70b(), job, layer_split(2), small);
  CHECK(estimate.fit() == Fit::no);
  CHECK(estimate.missing() > Bytes{});
  CHECK(estimate.missing() == estimate.cards[estimate.tightest()].total() - estimate.cards[estimate.tightest()].capacity);
  const CardBudget large[] = {card(48), card(48)};
  CHECK(estimate_memory(llama_31_70b(), job, layer_split(2), large).fit() == Fit::yes);
}

TEST_CASE("largest context and users are edges") {
  const PreparedMemory memory{llama_31_8b(), chat(4096)};
  const CardBudget one[] = {card(8)};
  const auto plan = layer_split(1);
  const auto longest = memory.largest_context(plan, one, 1);
  REQUIRE(longest >= Tokens{4096});
  CHECK(memory.at(plan, one, longest, 1).fit() != Fit::no);
  CHECK(memory.at(plan, one, longest + Tokens{256}, 1).fit() == Fit::no);
  const int users = memory.largest_users(plan, one);
  REQUIRE(users >= 2);
  CHECK(memory.at(plan, one, Tokens{4096}, users).fit() != Fit::no);
  CHECK(memory.at(plan, one, Tokens{4096}, users + 1).fit() == Fit::no);
  const CardBudget tiny[] = {card(2)};
  CHECK(memory.largest_context(plan, tiny, 1) == Tokens{0});
  CHECK(memory.largest_users(plan, tiny) == 0);
}

TEST_CASE("experts go to host memory before whole layers do", "[bad-input-27][bad-input-30]") {
  auto job = chat(8192);
  job.flash_attention = true;
  const PreparedMemory memory{qwen3_30b_a3b(), job};
  const CardBudget one[] = {card(12)};
  const auto plan = layer_split(1);
  const auto experts = memory.layers_to_offload(plan, one, true);
  const auto layers = memory.layers_to_offload(plan, one, false);
  REQUIRE((experts && layers));
  CHECK(*experts > 0);
  CHECK(*layers > 0);
  const auto with = [&](double on_host, bool only_experts) {
    MemorySetting setting;
    (only_experts ? setting.host_expert_layers : setting.host_layers) = on_host;
    return estimate_memory(qwen3_30b_a3b(), job, plan, one, setting);
  };
  CHECK(with(*experts, true).fit() != Fit::no);
  CHECK(with(*experts - 1, true).fit() == Fit::no);
  // What leaves the cards arrives in host memory.
  CHECK((with(10, true).host - with(0, true).host).in(byte) ==
        Approx((with(0, true).cards[0].weights - with(10, true).cards[0].weights).in(byte)));
  const CardBudget enough[] = {card(48)};
  CHECK(memory.layers_to_offload(plan, enough, true) == 0.0);
  CHECK_FALSE(memory.layers_to_offload(plan, std::array{card(0.2)}, true));
}

TEST_CASE("a paged engine's pool is what utilisation leaves") {
  // vLLM on one 80 GB card (79.2 GiB visible), utilisation 0.9, Llama 3.1 8B in BF16: weights 15,350 MiB, profile peak 4,874 MiB,
  // libraries 133 MiB, pool 52,613 MiB.
  auto job = chat(16000);
  job.engine = "vLLM";
  job.weight_format = "BF16";
  const auto estimate = estimate_memory(llama_31_8b(), job, layer_split(1), std::array{card(79.2)});
  CHECK(estimate.cards[0].weights.in(MiB) == Approx(15349.76).epsilon(0.005));
  CHECK(estimate.cards[0].activations.in(MiB) == Approx(4874).epsilon(0.03));
  CHECK(estimate.pool.in(MiB) == Approx(52613).epsilon(0.01));
  // 128 KiB a token.
  CHECK(*estimate.pool_tokens == Approx(estimate.pool.in(KiB) / 128));
}

TEST_CASE("tensor parallelism stops dividing the cache at one head a card", "[bad-input-23]") {
  auto job = chat(4096);
  job.engine = "vLLM";
  job.weight_format = "F16";
  const auto cache_on = [&](int cards, const TransformerModel& model) {
    const std::vector<CardBudget> budget(static_cast<std::size_t>(cards), card(80));
    return estimate_memory(model, job, {.split = SplitMode::tensor, .cards = cards, .tensor = cards}, budget)
        .cards[0]
        .kv_cache.in(MiB);
  };
  // Llama 3.1 8B has 8 heads of keys and values; DeepSeek V3's latent cache is on every card.
  CHECK(cache_on(8, llama_31_8b()) == Approx(cache_on(1, llama_31_8b()) / 8));
  CHECK(cache_on(16, llama_31_8b()) == Approx(cache_on(8, llama_31_8b())));
  CHECK(cache_on(8, deepseek_v3()) == Approx(cache_on(1, deepseek_v3())));
}

TEST_CASE("an eager PyTorch forward pass peaks in the feed-forward") {
  // Measured with TinyLlama 1.1B (22 layers, 2048, 32 heads, 4 KV heads of 64, 5632) in BF16 without a cache: 2100.2 MiB weights,
  // peak 2263.4 MiB at 2048 tokens and 2657.2 MiB at 8192.
  auto job = chat(2048);
  job.engine = "pytorch";
  job.weight_format = "BF16";
  const auto model = dense_model(22, 2048, 32, 4, 64, 5632, 32000);
  const auto peak = [&](double rows) {
    job.context = Tokens{rows};
    return estimate_memory(model, job, layer_split(1), std::array{card(140)}, {.keeps_cache = false}).cards[0].total().in(MiB);
  };
  CHECK(peak(2048) == Approx(2263.4).epsilon(0.002));
  CHECK(peak(8192) == Approx(2657.2).epsilon(0.002));
}

TEST_CASE("ExLlama passes a prompt in pieces of 2,048 tokens: a longer window takes more cache and no more work memory") {
  const auto peak = [](const char* engine, double context) {
    auto job = chat(context);
    job.engine = engine;
    return sum(estimate_memory(llama_31_8b(), job, layer_split(1), std::array{card(24)}), &CardMemory::activations);
  };
  CHECK(peak("exllamav2", 16384) == peak("exllamav2", 2048));
  CHECK(peak("exllamav2", 1024) < peak("exllamav2", 2048));
  CHECK(peak("exllamav2", 2048) == peak("pytorch", 2048));
  CHECK(peak("pytorch", 16384) > 6 * peak("pytorch", 2048));
}

// ExLlama without a cache: nothing grows with window or users, so the search ends at 2^24 tokens and 2^16 users.
TEST_CASE("windows and users that nothing limits end at the largest that are asked about") {
  auto job = chat(2048);
  job.engine = "exllamav2";
  const PreparedMemory memory{llama_31_8b(), job, {.keeps_cache = false}};
  CHECK(memory.largest_context(layer_split(1), std::array{card(24)}, 1).in(units::token) == 16'777'216);
  CHECK(memory.largest_users(layer_split(1), std::array{card(24)}) == 65'536);
  CHECK(memory.largest_users(layer_split(1), std::array{card(1)}) == 0);
}

TEST_CASE("formats that do not exist are refused") {
  auto job = chat(512);
  job.weight_format = "Q17";
  CHECK_THROWS_AS(PreparedMemory(llama_2_7b(), job), std::invalid_argument);
  job.weight_format = "Q4_0";
  job.key_format = "Q17";
  CHECK_THROWS_AS(PreparedMemory(llama_2_7b(), job), std::invalid_argument);
}
