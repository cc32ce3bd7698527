// SPDX-License-Identifier: Apache-2.0
#include "validate/names.h"

#include <catch2/catch.hpp>
#include <string>

using namespace rigplan;

static std::string model_id(std::string_view text) {
  const auto* model = find_model(text);
  return model ? model->id : "";
}
static std::string_view mix_name(std::string_view text, std::string_view engine = "") {
  const auto* mix = find_mix(text, engine);
  return mix ? mix->name : "";
}

TEST_CASE("models are understood as hubs, files and tables spell them") {
  CHECK(model_id("bartowski/nvidia_Nemotron-Cascade-2-30B-A3B-GGUF") == "nemotron-cascade-2-30b-a3b");
  CHECK(model_id("AIDXteam/Qwen3-Coder-30B-A3B-Instruct-AWQ") == "qwen3-coder-30b-a3b");
  CHECK(model_id("Qwen3-30B-A3B-Instruct-2507-Q4_K_M.gguf") == "qwen3-30b-a3b");
  CHECK(model_id("qwen2.5-14b class, 37 of 49 layers on GPU") == "qwen2.5-14b");
  CHECK(model_id("llama 2 13b") == "llama-2-13b");
  CHECK(model_id("Llama2-7B-Chat") == "llama-2-7b");
  CHECK(model_id("unsloth/gemma-4-26B-A4B-it-qat-GGUF") == "gemma-4-26b-a4b");
  CHECK(model_id("Llama-3.3-70B-Instruct-FP8-dynamic") == "llama-3.3-70b");
}

TEST_CASE("another size or generation is another model") {
  CHECK(model_id("Qwen2.5-33B") == "");
  CHECK(model_id("Llama-9-8B") == "");
  CHECK(model_id("8B") == "");
  CHECK(model_id("") == "");
}

TEST_CASE("weight formats are found in rows and file names") {
  CHECK(mix_name("Q4_K - Medium") == "Q4_K_M");
  CHECK(mix_name("IQ2_K_R4 - 2.375 bpw") == "IQ2_K");
  CHECK(mix_name("bf16 (inferred)") == "BF16");
  CHECK(mix_name("dense fp8") == "FP8");
  CHECK(mix_name("Qwen2.5-32B-Instruct-Q4_K_M.gguf") == "Q4_K_M");
  CHECK(mix_name("GPTQ-4bit-g128") == "GPTQ-Int4");
  CHECK(mix_name("MXFP4", "llama.cpp-cuda") == "MXFP4_GGUF");
  CHECK(mix_name("MXFP4", "vLLM") == "MXFP4");
}

TEST_CASE("the active size in a name is not a two-bit format", "[bad-input-13]") {
  CHECK(mix_name("Qwen3-235B-A22B") == "");
  CHECK(mix_name("unknown, may not work") == "");
}

TEST_CASE("cache formats") {
  CHECK(find_cache_format("")->name == "F16");
  CHECK(find_cache_format("q8_0")->name == "Q8_0");
  CHECK(find_cache_format("weird") == nullptr);
}
