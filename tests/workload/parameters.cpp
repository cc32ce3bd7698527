// SPDX-License-Identifier: Apache-2.0
#include "rigplan/workload/parameters.h"

#include <catch2/catch.hpp>

#include "workload/shapes.h"

using namespace rigplan;
using namespace rigplan::units;

static double file_gb(const TransformerModel& model, std::string_view mix) {
  return weight_bytes(model, *find_weight_mix(mix)).total().in(GB);
}

TEST_CASE("a dense model's parameters add up matrix by matrix") {
  // Llama 3.1 8B. Attention: 4096*4096*2 + 4096*1024*2 = 41.9M a layer; feed-forward 3*4096*14336 = 176.2M; 32 layers 6.98B;
  // embedding and head 525.3M each. Published: 8.03B.
  const auto count = count_parameters(llama_31_8b());
  CHECK(count.total() == Approx(8.030e9).epsilon(1e-3));
  CHECK(count[TensorClass::attention] == Approx(32 * 41.943e6).epsilon(1e-4));
  CHECK(count[TensorClass::embedding] == Approx(525.3e6).epsilon(1e-3));
}

TEST_CASE("a tied head is counted once in bytes and always in operations", "[bad-input-14]") {
  const auto untied = dense_model(16, 2048, 32, 8, 64, 8192, 128256), tied = dense_model(16, 2048, 32, 8, 64, 8192, 128256, true);
  const double table = 2048.0 * 128256;
  CHECK(count_parameters(untied).total() - count_parameters(tied).total() == Approx(table));
  CHECK(count_parameters(tied).total() == Approx(1.236e9).epsilon(1e-3));  // Llama 3.2 1B
  CHECK(matrix_flops_per_token(tied).in(FLOP) == Approx(matrix_flops_per_token(untied).in(FLOP)));
}

TEST_CASE("a mixture holds all its experts and uses the active ones", "[bad-input-13]") {
  // Published: Mixtral 8x7B 46.7B with 12.9B active; DeepSeek V3 671B with 37B active.
  CHECK(count_parameters(mixtral_8x7b()).total() == Approx(46.70e9).epsilon(2e-3));
  CHECK(active_parameters(mixtral_8x7b()).total() == Approx(12.9e9).epsilon(0.02));
  CHECK(count_parameters(deepseek_v3()).total() == Approx(671.0e9).epsilon(1e-3));
  CHECK(active_parameters(deepseek_v3()).total() == Approx(37e9).epsilon(0.03));
}

TEST_CASE("files of llama.cpp's quantiser have their published sizes within one per cent") {
  struct Row {
    TransformerModel model;
    const char* mix;
    double gb;
  };
  // Sizes in 10^9 bytes as the download pages of the usual GGUF conversions give them.
  const Row rows[] = {
      {llama_31_8b(), "Q8_0", 8.54},      {llama_31_8b(), "Q6_K", 6.60},        {llama_31_8b(), "Q5_K_M", 5.73},
      {llama_31_8b(), "Q5_K_S", 5.60},    {llama_31_8b(), "Q4_K_M", 4.92},      {llama_31_8b(), "Q4_K_S", 4.69},
      {llama_31_8b(), "IQ4_XS", 4.45},    {llama_31_8b(), "Q3_K_L", 4.32},      {llama_31_8b(), "Q3_K_M", 4.02},
      {llama_31_8b(), "IQ3_M", 3.78},     {llama_31_8b(), "Q3_K_S", 3.66},      {llama_31_8b(), "IQ3_XS", 3.52},
      {llama_31_8b(), "Q2_K", 3.18},      {llama_31_8b(), "IQ2_M", 2.95},       {llama_2_7b(), "Q4_K_M", 4.08},
      {llama_2_7b(), "Q4_0", 3.83},       {llama_31_70b(), "Q4_K_M", 42.52},    {llama_31_70b(), "Q3_K_M", 34.27},
      {llama_31_70b(), "IQ2_XS", 21.14},  {qwen25_32b(), "Q4_K_M", 19.85},      {mixtral_8x7b(), "Q8_0", 49.62},
      {qwen3_30b_a3b(), "Q4_K_M", 18.56}, {gpt_oss_20b(), "MXFP4_GGUF", 12.11},
  };
  for (const auto& row : rows) {
    INFO(row.mix << " of " << count_parameters(row.model).total() / 1e9 << "B: " << file_gb(row.model, row.mix) << " GB for "
                 << row.gb);
    CHECK(file_gb(row.model, row.mix) == Approx(row.gb).epsilon(0.01));
  }
}

TEST_CASE("quantised checkpoints keep embedding, head and norms in 16 bits") {
  // Llama 3.1 70B AWQ: 68.45B values of linear layers at 4.15625 bits = 35.6 GB, 2.1B values at 16 bits = 4.2 GB.
  CHECK(file_gb(llama_31_70b(), "AWQ") == Approx(39.77).epsilon(0.01));
  // GPT-OSS 20B as published: experts in MXFP4, the rest in BF16: 13.76 GB of safetensors.
  CHECK(file_gb(gpt_oss_20b(), "MXFP4") == Approx(13.76).epsilon(0.01));
}

TEST_CASE("rows that do not divide into blocks fall back to a format with smaller ones") {
  // 2880 = 11.25 blocks of 256, so Q4_K becomes Q5_0 (22 bytes for 32), and 4864 columns do divide.
  const auto narrow = dense_model(24, 2880, 64, 8, 64, 2880, 1000);
  const auto& mix = *find_weight_mix("Q4_K_S");
  const Matrix gate{TensorClass::dense, MatrixRole::gate, 2880, 2880, 24, 0};
  CHECK(matrix_format(narrow, mix, gate, 12, 24)->name == "Q5_0");
}

TEST_CASE("a step of many tokens touches more experts, never more than all") {
  const auto model = qwen3_30b_a3b();
  const auto weights = weight_bytes(model, *find_weight_mix("F16"));
  const auto experts = [&](double tokens) {
    return weight_bytes_read(model, weights, tokens)[TensorClass::experts] / weights[TensorClass::experts];
  };
  CHECK(experts(1) == Approx(8.0 / 128));
  // Two tokens: 1 - (15/16)^2 = 0.1211.
  CHECK(experts(2) == Approx(0.12109).epsilon(1e-4));
  CHECK(experts(1000) == Approx(1).epsilon(1e-6));
}

TEST_CASE("layer groups and the rest add up to the whole") {
  const auto model = deepseek_v3();
  const auto& mix = *find_weight_mix("Q8_0");
  const auto groups = group_weight_bytes(model, mix);
  const auto all = weight_bytes(model, mix);
  REQUIRE(groups.size() == 2);
  // The norm before the head is outside the groups: 7168 values in fp32.
  CHECK((groups[0] + groups[1]).in(byte) + 7168 * 4 == Approx(all.layers().in(byte)));
}
