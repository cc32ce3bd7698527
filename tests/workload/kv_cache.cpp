// SPDX-License-Identifier: Apache-2.0
#include "rigplan/workload/kv_cache.h"

#include <catch2/catch.hpp>

#include "workload/shapes.h"

using namespace rigplan;
using namespace rigplan::units;

TEST_CASE("grouped-query caches hold keys and values of the KV heads") {
  // Llama 3.1 8B, 8192 tokens in 16 bits: 32 layers * 8192 * 8 heads * 128 * 2 (K and V) * 2 bytes = 1 GiB.
  CHECK(kv_cache_bytes(llama_31_8b(), {.context = Tokens{8192}}).in(GiB) == Approx(1));
  // Q8_0 for both: 34/64 of it.
  const auto* q8 = find_number_format("Q8_0");
  CHECK(kv_cache_bytes(llama_31_8b(), {Tokens{8192}, 1, q8, q8}).in(MiB) == Approx(544));
  CHECK(kv_cache_bytes(llama_31_8b(), {.context = Tokens{8192}, .streams = 4}).in(GiB) == Approx(4));
}

TEST_CASE("latent attention has three storages") {
  // DeepSeek V3, 2048 tokens in 16 bits, as printed by engines: 61 * 2048 * 576 * 2 = 137.25 MiB; with a second copy of the 512
  // as values 259.25 MiB; expanded 61 * 2048 * 128 * (192 + 128) * 2 = 9760 MiB.
  const auto model = deepseek_v3();
  CHECK(kv_cache_bytes(model, {.context = Tokens{2048}}).in(MiB) == Approx(137.25));
  CHECK(kv_cache_bytes(model, {.context = Tokens{2048}, .latent = LatentStorage::compressed_with_values}).in(MiB) ==
        Approx(259.25));
  CHECK(kv_cache_bytes(model, {.context = Tokens{2048}, .latent = LatentStorage::expanded}).in(MiB) == Approx(9760));
}

TEST_CASE("sliding layers stop growing at their window, on both sides of it") {
  const auto model = gpt_oss_20b();
  // A token is 2 * 8 * 64 * 2 = 2048 bytes a layer.
  CHECK(kv_cache_bytes(model, {.context = Tokens{128}}).in(byte) == 24 * 128 * 2048.0);
  CHECK(kv_cache_bytes(model, {.context = Tokens{129}}).in(byte) == 12 * 129 * 2048.0 + 12 * 128 * 2048.0);
  CHECK(kv_cache_bytes(model, {.context = Tokens{129}, .full_windows = true}).in(byte) == 24 * 129 * 2048.0);
  CHECK(kv_bytes_per_token(model, {.context = Tokens{4096}}).in(byte) == 12 * 2048.0);
}

TEST_CASE("a recurrent state does not grow, and a shared cache is read but not held") {
  TransformerModel model;
  model.hidden = 1024;
  model.vocabulary = 100;
  GroupedQuery own{8, 2, 64, 64}, reuses{8, 2, 64, 64};
  reuses.shares_kv = true;
  model.groups = {
      {3, Recurrent{1000, 1e6}, NoFeedForward{}}, {2, own, DenseFeedForward{100}}, {2, reuses, DenseFeedForward{100}}};
  const double token = 2 * 64 * 2 * 2;
  const auto held = [&](double tokens) { return kv_cache_bytes(model, {.context = Tokens{tokens}}).in(byte); };
  CHECK(held(10) == 3 * 4000 + 2 * 10 * token);
  CHECK(held(20) - held(10) == 2 * 10 * token);
  CHECK(recurrent_state_bytes(model, 5).in(byte) == 5 * 3 * 4000);
  CHECK(kv_bytes_read(model, {.context = Tokens{10}}).in(byte) == 2 * 3 * 4000 + 4 * 10 * token);
}

TEST_CASE("attention operations grow with depth and stop at the window") {
  // Llama 3.1 8B at depth 1000: 32 layers * 2 * 32 heads * 256 * 1000 = 524 MFLOP.
  CHECK(attention_flops_per_token(llama_31_8b(), Tokens{1000}).in(FLOP) == 32 * 2 * 32 * 256 * 1000.0);
  const auto step =
      attention_flops_per_token(gpt_oss_20b(), Tokens{2001}) - attention_flops_per_token(gpt_oss_20b(), Tokens{2000});
  CHECK(step.in(FLOP) == 12 * 2 * 64 * 128.0);
}
