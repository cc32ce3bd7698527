// SPDX-License-Identifier: Apache-2.0
// What the seeds claim of two RX 7900 XTX, recomputed.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "rigplan/validate/fit_speed.h"
#include "rigplan/workload/parameters.h"
#include "validate/names.h"
#include "validate/shipped_rows.h"

using namespace rigplan;

namespace {

double stored_gb(const char* model, const char* mix) {
  return weight_bytes(*find_model(model), *find_weight_mix(mix)).total().in(GB);
}

Prediction rate_of(const std::string& values, const std::string& date = "") {
  const auto rows = read_measurements(
      "seed.csv", "kind,gpu,gpu_count,nodes,link,node_link,parallel,engine,model,quant,batch,context,metric,value,engine_date\n" +
                      values + "," + date + "\n");
  const auto result = speed_predictor(shipped_catalog(), built_in_calibration("speed")).predict(rows.front());
  REQUIRE(std::holds_alternative<Prediction>(result));
  return std::get<Prediction>(result);
}

}  // namespace

// Two bytes a weight: 7.6 thousand million make 15.2 GB, 8.03 make 16.1, 70.6 make 141. Q4_K_M stores 4.85 bits on average, more
// in small models, whose heads weigh more.
TEST_CASE("stored weights by model size and format are those of the seed's table") {
  CHECK(stored_gb("qwen2.5-7b", "F16") == Approx(15.2).margin(0.1));
  CHECK(stored_gb("llama-3.1-8b", "F16") == Approx(16.06).margin(0.1));
  CHECK(stored_gb("llama-3.1-70b", "F16") == Approx(141.1).margin(0.2));
  CHECK(stored_gb("qwen2.5-7b", "Q4_K_M") == Approx(4.68).margin(0.1));
  CHECK(stored_gb("qwen2.5-14b", "Q4_K_M") == Approx(9.0).margin(0.1));
  CHECK(stored_gb("qwen2.5-32b", "Q4_K_M") == Approx(19.85).margin(0.2));
  CHECK(stored_gb("llama-3.1-70b", "Q4_K_M") == Approx(42.5).margin(0.4));
}

// "About 40 tokens/s" at four streams does not say of what. One stream is bound by 960 GB/s over 15.2 GB = 63; four share one
// pass over the weights, so 40 of all four together would use a sixth of the bandwidth.
TEST_CASE("40 token/s of a 7B model in FP16 at four streams are plausible of one stream, not of all together") {
  const auto together = rate_of("serve,rx-7900-xtx,1,1,,,single,vllm,qwen2.5-7b,F16,4,0,tokens_per_s,40");
  INFO("all four: " << together.likely << " [" << together.low << "-" << together.high << "]");
  CHECK(together.low > 40);
  CHECK(together.low / 4 <= 40);
  CHECK(together.high / 4 >= 40);
}

// Of one RX 7900 XTX under Ollama the seed says 70 to 90, 35 to 45 and 15 to 20 token/s, and neither build nor backend nor flags.
TEST_CASE("the range of a question without the engine's build holds what the seed measured, and a stated build narrows it") {
  struct Measured {
    const char* model;
    double low, high;
  };
  for (const auto& [model, low, high] : {Measured{"qwen2.5-7b", 70, 90}, {"qwen2.5-14b", 35, 45}, {"qwen2.5-32b", 15, 20}}) {
    const auto row = fmt::format("decode,rx-7900-xtx,1,1,,,single,llama.cpp,{},Q4_K_M,1,0,tokens_per_s,{}", model, high);
    const auto unstated = rate_of(row), stated = rate_of(row, "2026-08");
    CAPTURE(model, unstated.low, unstated.likely, unstated.high);
    CHECK(unstated.low <= low);
    CHECK(unstated.high >= high);
    CHECK(unstated.likely == Approx(stated.likely));
    CHECK(unstated.low < stated.low);
    CHECK(stated.high < 1.6 * stated.low);
  }
}

// Layers one after another: 960 GB/s over 42.5 GB bound the rate at 22.6 token/s; the seed reports 8 to 12.
TEST_CASE("the range of a 70B model in Q4 over two machines meets the 8 to 12 token/s that the seed reports") {
  const auto rate = rate_of("decode,rx-7900-xtx,2,2,,1 GbE TCP,layer,llama.cpp,llama-3.1-70b,Q4_K_M,1,0,tokens_per_s,10");
  INFO(rate.likely << " [" << rate.low << "-" << rate.high << "]");
  CHECK(rate.low <= 12);
  CHECK(rate.high >= 8);
  CHECK(rate.high < 22.6);
}

// Both outcomes are reported of two RX 7900 XTX. A tensor split halves the weights that a card reads and pays two all-reduces a
// layer; it wins where cards reach each other and loses over a network.
TEST_CASE("tensor parallel over two RX 7900 XTX gains with peer access and loses over a network") {
  const auto one = rate_of("decode,rx-7900-xtx,1,1,,,single,llama.cpp,qwen2.5-32b,Q4_K_M,1,0,tokens_per_s,30");
  const auto peers = rate_of("decode,rx-7900-xtx,2,1,PCIe 4.0 x8 P2P,,tensor,llama.cpp,qwen2.5-32b,Q4_K_M,1,0,tokens_per_s,30");
  const auto apart = rate_of("decode,rx-7900-xtx,2,2,,1 GbE TCP,tensor,llama.cpp,qwen2.5-7b,Q4_K_M,1,0,tokens_per_s,30");
  const auto small = rate_of("decode,rx-7900-xtx,1,1,,,single,llama.cpp,qwen2.5-7b,Q4_K_M,1,0,tokens_per_s,30");
  CHECK(peers.likely > 1.1 * one.likely);
  CHECK(apart.likely < small.likely);
}
