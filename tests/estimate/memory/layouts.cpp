// SPDX-License-Identifier: Apache-2.0
// Where each engine puts weights and caches of a made-up model with round numbers.
#include <array>
#include <catch2/catch.hpp>

#include "estimate/memory/engine_peaks.h"
#include "estimate/memory/llama_buffers.h"
#include "rigplan/estimate/memory/memory.h"

using namespace rigplan;

namespace {

// Ten layers of 1,000 with ten heads of 100, four cached: a token takes 2 x 4 x 100 x 2 = 1,600 bytes a layer, 16 kB in all. A
// window of 10,000 tokens: 160 MB.
TransformerModel round_model(bool mixture = false) {
  TransformerModel model;
  model.hidden = 1000;
  model.vocabulary = 5000;
  const GroupedQuery heads{.heads = 10, .kv_heads = 4, .head_size = 100, .value_size = 100};
  model.groups = {{10, heads, DenseFeedForward{4000}}};
  if (mixture) model.groups[0].feed_forward = MixtureOfExperts{8, 2, 500};
  return model;
}

Job round_job(const char* engine, int users = 1) {
  Job job;
  job.engine = engine;
  job.context = Tokens{10'000};
  job.users = users;
  job.micro_batch = 100;
  return job;
}

/// Embedding 300 MB, head 200, layers 4,000 of which experts 3,000 and norms and routers 40.
MemorySetting round_setting() {
  MemorySetting setting;
  WeightBytes weights;
  weights[TensorClass::embedding] = 300 * MB;
  weights[TensorClass::head] = 200 * MB;
  weights[TensorClass::attention] = 960 * MB;
  weights[TensorClass::experts] = 3000 * MB;
  weights[TensorClass::norms] = 30 * MB;
  weights[TensorClass::router] = 10 * MB;
  setting.weights = weights;
  return setting;
}

const CardBudget card{24 * GB, 0.3 * GB, 0.5 * GB};

MemoryEstimate on(int cards, SplitMode split, const MemorySetting& setting = round_setting(), const char* engine = "llama.cpp",
                  bool mixture = true) {
  return estimate_memory(round_model(mixture), round_job(engine), {.split = split, .cards = cards}, std::span{&card, 1}, setting);
}

}  // namespace

TEST_CASE("one card holds layers, head and cache, the host the embedding") {
  const auto one = on(1, SplitMode::single);
  REQUIRE(one.cards.size() == 1);
  CHECK(one.cards[0].weights.in(MB) == Approx(4200));
  CHECK(one.cards[0].kv_cache.in(MB) == Approx(160));
  CHECK(one.cards[0].driver_context == 0.3 * GB);
  CHECK(one.cards[0].capacity == 23.5 * GB);
  CHECK(one.host.in(MB) == Approx(300));
  CHECK(one.cards[0].total() == one.cards[0].weights + one.cards[0].kv_cache + one.cards[0].compute_buffer + 0.3 * GB);
  LlamaBufferCase of;
  of.micro_batch = 100;
  of.context = 10'000;
  const auto buffers = llama_buffers(round_model(true), of);
  CHECK(one.cards[0].compute_buffer == std::max(buffers.layer, buffers.head));
}

// Eleven parts on two equal cards: places 0 to 5 of 11 lie below a half.
TEST_CASE("a layer split deals whole layers and puts the head on the last card") {
  const auto two = on(2, SplitMode::layer);
  CHECK(two.cards[0].weights.in(MB) == Approx(2400));
  CHECK(two.cards[1].weights.in(MB) == Approx(1600 + 200));
  CHECK(two.cards[0].kv_cache.in(MB) == Approx(96));
  CHECK(two.cards[1].kv_cache.in(MB) == Approx(64));
}

// A card with a twentieth of the room takes the first of eleven parts, one with a card's leavings none and no buffer.
TEST_CASE("a card with a single layer needs its buffers, one without any needs none") {
  const auto buffer_of = [](Bytes vram) {
    const std::array cards{CardBudget{vram, Bytes{}, Bytes{}}, CardBudget{19 * GB, Bytes{}, Bytes{}}};
    const auto estimate =
        estimate_memory(round_model(), round_job("llama.cpp"), {.split = SplitMode::layer, .cards = 2}, cards, round_setting());
    return std::pair{estimate.cards[0].kv_cache.in(MB), estimate.cards[0].compute_buffer};
  };
  CHECK(buffer_of(1 * GB).first == Approx(16));
  CHECK(buffer_of(1 * GB).second > Bytes{});
  CHECK(buffer_of(Bytes{}).first == 0);
  CHECK(buffer_of(Bytes{}).second == Bytes{});
}

TEST_CASE("a row split divides matrices and head, and keeps the cache on the first card; a tensor split divides that too") {
  const auto rows = on(2, SplitMode::row), tensor = on(2, SplitMode::tensor);
  for (const auto& split : {rows, tensor}) {
    CHECK(split.cards[0].weights.in(MB) == Approx(0.6 * 4200));
    CHECK(split.cards[1].weights.in(MB) == Approx(0.4 * 4200));
  }
  CHECK(rows.cards[0].kv_cache.in(MB) == Approx(160));
  CHECK(rows.cards[1].kv_cache == Bytes{});
  CHECK(rows.cards[0].compute_buffer > Bytes{});
  CHECK(rows.cards[1].compute_buffer == Bytes{});
  CHECK(tensor.cards[0].kv_cache.in(MB) == Approx(96));
  CHECK(tensor.cards[1].kv_cache.in(MB) == Approx(64));
  CHECK(tensor.cards[1].compute_buffer > Bytes{});
}

// Three of ten layers on the host take 1,200 MB, their cache of 48 MB and the head along.
TEST_CASE("layers on the host take their cache with them, and the head") {
  auto setting = round_setting();
  setting.host_layers = 3;
  const auto seven = on(1, SplitMode::single, setting);
  CHECK(seven.cards[0].weights.in(MB) == Approx(2800));
  CHECK(seven.cards[0].kv_cache.in(MB) == Approx(112));
  CHECK(seven.host.in(MB) == Approx(300 + 1200 + 48 + 200));
  const auto rows = on(2, SplitMode::row, setting);
  CHECK((rows.cards[0].weights + rows.cards[1].weights).in(MB) == Approx(2800));
  CHECK(rows.cards[0].kv_cache.in(MB) == Approx(112));
  setting.host_layers = 99;  // there are ten
  const auto none = on(1, SplitMode::single, setting);
  CHECK(none.cards[0].weights == Bytes{});
  CHECK(none.host.in(MB) == Approx(300 + 4000 + 160 + 200));
}

// Experts of four layers, 1,200 MB. With two layers on the host, four of the other eight: half of 8/10 of the experts.
TEST_CASE("experts on the host leave the rest of their layers on the card") {
  auto setting = round_setting();
  setting.host_expert_layers = 4;
  const auto experts = on(1, SplitMode::single, setting);
  CHECK(experts.cards[0].weights.in(MB) == Approx(4200 - 1200));
  CHECK(experts.cards[0].kv_cache.in(MB) == Approx(160));
  CHECK(experts.host.in(MB) == Approx(300 + 1200));
  setting.host_layers = 2;
  const auto both = on(1, SplitMode::single, setting);
  CHECK(both.cards[0].weights.in(MB) == Approx(0.8 * (1000 + 1500)));
  CHECK(both.host.in(MB) == Approx(300 + 800 + 32 + 1200 + 200));
  setting.host_layers = 0;
  setting.host_expert_layers = 99;
  CHECK(on(1, SplitMode::single, setting).cards[0].weights.in(MB) == Approx(1200));
  // One of three matrices of a layer's experts is staged on the card: 3,000 / 30 MB.
  LlamaBufferCase of;
  of.micro_batch = 100;
  of.context = 10'000;
  of.experts_on_host = true;
  of.expert_tensor = 100 * MB;
  CHECK(on(1, SplitMode::single, setting).cards[0].compute_buffer == llama_buffers(round_model(true), of).staged);
}

TEST_CASE("users are spread over replicas, the fullest of which decides") {
  const PreparedMemory memory{round_model(), round_job("llama.cpp"), round_setting()};
  const auto cache = [&](int users, int replicas) {
    return memory.at({.replicas = replicas}, std::span{&card, 1}, Tokens{10'000}, users).cards[0].kv_cache.in(MB);
  };
  CHECK(cache(1, 1) == Approx(160));
  CHECK(cache(5, 1) == Approx(800));
  CHECK(cache(5, 2) == Approx(480));
  CHECK(cache(6, 2) == Approx(480));
  CHECK(cache(5, 0) == Approx(800));
}

TEST_CASE("a budget is given for all cards or for each") {
  const std::array three{card, card, card};
  CHECK_THROWS_AS(estimate_memory(round_model(), round_job("llama.cpp"), {.cards = 2}, three), std::invalid_argument);
  CHECK_NOTHROW(estimate_memory(round_model(), round_job("llama.cpp"), {.cards = 3}, three));
  CHECK(estimate_memory(round_model(), round_job("llama.cpp"), {.cards = 0}, std::span{&card, 1}).cards.size() == 1);
}

// Printed by engines: values in a block format need the fused kernel, so that its buffer is the one of a fused attention.
TEST_CASE("a value cache in a block format turns the fused attention on, a key cache does not") {
  const auto buffer = [](const char* keys, const char* values, bool fused) {
    auto job = round_job("llama.cpp");
    job.key_format = keys;
    job.value_format = values;
    job.flash_attention = fused;
    return estimate_memory(round_model(), job, {}, std::span{&card, 1}).cards[0].compute_buffer;
  };
  CHECK(buffer("F16", "Q8_0", false) == buffer("F16", "Q8_0", true));
  CHECK(buffer("F16", "F16", true) < buffer("F16", "F16", false));
  CHECK(buffer("Q8_0", "F16", true) < buffer("Q8_0", "F16", false));
  // Keys in a block format are expanded for it: 10,000 x 4 x 200 values in 2 bytes.
  CHECK((buffer("Q8_0", "F16", true) - buffer("F16", "F16", true)).in(MB) == Approx(16));
  CHECK(buffer("F16", "Q8_0", true) == buffer("F16", "F16", true));
}

TEST_CASE("a card that is exactly full fits; what is not known exactly makes it tight") {
  MemoryEstimate estimate;
  estimate.cards.resize(2);
  auto &first = estimate.cards[0], &second = estimate.cards[1];
  first.weights = second.weights = 10 * GB;
  first.capacity = second.capacity = 10 * GB;
  first.demand = second.demand = Range<Bytes>::exactly(10 * GB);
  CHECK(estimate.fit() == Fit::yes);
  CHECK(estimate.missing() == Bytes{});
  second.demand.high = 10.1 * GB;
  CHECK(estimate.fit() == Fit::tight);
  second.weights = 10.1 * GB;
  CHECK(estimate.fit() == Fit::no);
  CHECK(estimate.tightest() == 1);
  CHECK(estimate.missing().in(GB) == Approx(0.1));
  first.weights = 10.2 * GB;
  CHECK(estimate.tightest() == 0);
  first.capacity = 11 * GB;
  CHECK(estimate.tightest() == 1);
}

// Weights 4,200 MB to 2 % unless a file states them, buffers -15 to +35 %, the driver's context to a half.
TEST_CASE("the range of a need: files are nearly exact, buffers and contexts are not") {
  const auto stated = on(1, SplitMode::single);
  const double buffer = stated.cards[0].compute_buffer.in(MB);
  CHECK((stated.cards[0].demand.high - stated.cards[0].total()).in(MB) == Approx(0.35 * buffer + 150));
  CHECK((stated.cards[0].total() - stated.cards[0].demand.low).in(MB) == Approx(0.15 * buffer + 150));
  const auto guessed = on(1, SplitMode::single, {});
  const double weights = guessed.cards[0].weights.in(MB), rest = guessed.cards[0].compute_buffer.in(MB);
  CHECK((guessed.cards[0].demand.high - guessed.cards[0].total()).in(MB) == Approx(0.02 * weights + 0.35 * rest + 150));
  CHECK((guessed.cards[0].total() - guessed.cards[0].demand.low).in(MB) == Approx(0.02 * weights + 0.15 * rest + 150));
}

// Four cards by two and two: of 4,460 MB that are divided a quarter, 1,115; of norms and routers a stage's half, 20. A cache of
// four heads over two cards and two stages: 40 MB.
TEST_CASE("a paged engine divides matrices by cards and norms by stages alone") {
  const auto at = [](const ParallelPlan& plan, const MemorySetting& setting = round_setting(), Bytes vram = 24 * GB) {
    const CardBudget budget{vram, 0.3 * GB, 0.5 * GB};
    return estimate_memory(round_model(true), round_job("vllm"), plan, std::span{&budget, 1}, setting);
  };
  const auto one = at({});
  CHECK(one.cards[0].weights.in(MB) == Approx(4500));
  CHECK(one.cards[0].kv_cache.in(MB) == Approx(160));
  CHECK(one.cards[0].communication == paged_non_torch(1));
  CHECK(one.cards[0].driver_context == 0.3 * GB);
  const auto four = at({.split = SplitMode::tensor, .cards = 4, .tensor = 2, .pipeline = 2});
  CHECK(four.cards[3].weights.in(MB) == Approx(1115 + 20));
  CHECK(four.cards[3].kv_cache.in(MB) == Approx(40));
  CHECK(four.cards[3].communication == paged_non_torch(4));
  // The degree follows from the stages where it is not given; a layer split has stages alone.
  CHECK(at({.split = SplitMode::tensor, .cards = 4, .pipeline = 2}).cards[0].weights.in(MB) == Approx(1135));
  CHECK(at({.split = SplitMode::layer, .cards = 4}).cards[0].weights.in(MB) == Approx(1125));
  // Small cards take 2,048 tokens and 256 streams at a time, those of 70 GiB and more 8,192 and 1,024.
  CHECK(one.cards[0].activations == paged_activation_peak(round_model(true), 2048, 256));
  CHECK(at({}, round_setting(), 69.9 * GiB).cards[0].activations == paged_activation_peak(round_model(true), 2048, 256));
  CHECK(at({}, round_setting(), 70 * GiB).cards[0].activations == paged_activation_peak(round_model(true), 8192, 1024));
  auto setting = round_setting();
  setting.batched_tokens = 1000;
  setting.sequences = 10;
  CHECK(at({}, setting).cards[0].activations == paged_activation_peak(round_model(true), 1000, 10));
  // The pool is 0.9 of 24 GB less weights, activations and libraries, 16 kB a token.
  const double pool = 0.9 * 24e9 - 4500e6 - (one.cards[0].activations + one.cards[0].communication).in(byte);
  CHECK(one.pool.in(byte) == Approx(pool));
  CHECK(*one.pool_tokens == Approx(pool / 16e3));
  CHECK(*four.pool_tokens == Approx(four.pool.in(byte) / 4e3));
  setting.utilisation = 0.1;
  CHECK(at({}, setting).pool == Bytes{});
  CHECK(*at({}, setting).pool_tokens == 0);
}

TEST_CASE("the pool of unequal cards is that of the least one") {
  const std::array two{card, CardBudget{16 * GB, 0.3 * GB, 0.5 * GB}};
  const auto estimate = estimate_memory(round_model(true), round_job("vllm"),
                                        {.split = SplitMode::tensor, .cards = 2, .tensor = 2}, two, round_setting());
  CHECK(estimate.pool.in(byte) ==
        Approx(0.9 * 16e9 -
               (estimate.cards[1].weights + estimate.cards[1].activations + estimate.cards[1].communication).in(byte)));
}

TEST_CASE("plain PyTorch divides everything by its cards") {
  const auto at = [](int cards, SplitMode split, bool keeps = true) {
    auto setting = round_setting();
    setting.keeps_cache = keeps;
    return estimate_memory(round_model(), round_job("transformers"), {.split = split, .cards = cards}, std::span{&card, 1},
                           setting)
        .cards.back();
  };
  CHECK(at(1, SplitMode::single).weights.in(MB) == Approx(4500));
  CHECK(at(1, SplitMode::single).communication == Bytes{});
  CHECK(at(2, SplitMode::layer).weights.in(MB) == Approx(2250));
  CHECK(at(2, SplitMode::layer).kv_cache.in(MB) == Approx(80));
  CHECK(at(8, SplitMode::layer).kv_cache.in(MB) == Approx(20));
  CHECK(at(8, SplitMode::tensor).kv_cache.in(MB) == Approx(40));  // four heads: one on each card, on two cards each
  CHECK(at(2, SplitMode::layer).communication == paged_non_torch(2));
  CHECK(at(2, SplitMode::layer, false).kv_cache == Bytes{});
  CHECK(at(1, SplitMode::single).activations == pytorch_forward_peak(round_model(), 10'000));
}

TEST_CASE("engines are told by their names") {
  const std::pair<const char*, MemoryEngine> names[] = {{"ik_llama.cpp", MemoryEngine::ik_llama_cpp},
                                                        {"ik-llama.cpp", MemoryEngine::ik_llama_cpp},
                                                        {"llama.cpp-rocm", MemoryEngine::llama_cpp},
                                                        {"Ollama", MemoryEngine::llama_cpp},
                                                        {"LM Studio", MemoryEngine::llama_cpp},
                                                        {"koboldcpp", MemoryEngine::llama_cpp},
                                                        {"vLLM", MemoryEngine::paged},
                                                        {"SGLang", MemoryEngine::paged},
                                                        {"TensorRT-LLM", MemoryEngine::paged},
                                                        {"exllamav2", MemoryEngine::exllama},
                                                        {"transformers", MemoryEngine::pytorch}};
  for (const auto& [name, engine] : names) {
    CAPTURE(name);
    CHECK(memory_engine(name) == engine);
  }
}

// A latent cache is whole on every card of a group and divided by stages alone; a window keeps its tokens and a pass.
TEST_CASE("windows keep room for a pass; old builds keep the whole context") {
  auto model = round_model();
  model.groups[0].attention = SlidingWindow{std::get<GroupedQuery>(model.groups[0].attention), 500};
  const auto cache = [&](const MemorySetting& setting) {
    return estimate_memory(model, round_job("llama.cpp"), {}, std::span{&card, 1}, setting).cards[0].kv_cache.in(MB);
  };
  CHECK(cache({}) == Approx(600 * 0.016));
  CHECK(cache({.full_windows = true}) == Approx(160));
}

// 4 GB of equal layers on a card for six and a half of them with everything else.
TEST_CASE("the fewest layers are offloaded with which the rest fits, and no more users or tokens than fit are found") {
  auto job = round_job("llama.cpp");
  const PreparedMemory memory{round_model(), job, round_setting()};
  const auto whole = memory.at({}, std::span{&card, 1}).cards[0];
  const auto offload = [&](double missing) {
    const CardBudget small{whole.total() - missing * MB, 0.3 * GB, Bytes{}};
    return memory.layers_to_offload({}, std::span{&small, 1}, false);
  };
  CHECK(offload(0) == 0.0);
  // The first layer takes 400 MB, 16 of cache and the head's 200 along, the second 416.
  CHECK(offload(1) == 1.0);
  CHECK(offload(600) == 1.0);
  CHECK(offload(700) == 2.0);
  CHECK(offload(1000) == 2.0);
  CHECK(offload(4300) == 10.0);
  CHECK_FALSE(offload(5000));
  // 160 MB a user.
  const auto users = [&](double more) {
    const CardBudget roomy{whole.total() + more * MB, 0.3 * GB, Bytes{}};
    return memory.largest_users({}, std::span{&roomy, 1});
  };
  CHECK(users(-1) == 0);
  CHECK(users(1) == 1);
  CHECK(users(159) == 1);
  CHECK(users(161) == 2);
  CHECK(users(159 + 160 * 5) == 6);
  CHECK(users(161 + 160 * 5) == 7);
}
