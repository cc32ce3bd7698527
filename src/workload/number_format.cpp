// SPDX-License-Identifier: Apache-2.0
#include "rigplan/workload/number_format.h"

#include <algorithm>
#include <utility>

#include "rigplan/units/parse.h"

namespace rigplan {
namespace {

using enum FormatClass;

// Block sizes of the GGUF formats: the structs of ggml-common.h (llama.cpp) and of ik_llama.cpp's iqk formats.
constexpr NumberFormat formats[] = {
    {"F64", f32, 1, 8, "float"},
    {"F32", f32, 1, 4, "float"},
    {"TF32", f32, 1, 4, "float"},
    {"F16", f16, 1, 2, "float"},
    {"BF16", bf16, 1, 2, "float"},
    {"FP8", f8, 1, 1, "fp8"},                            // one scale per tensor or channel
    {"FP8_BLOCK", f8, 128 * 128, 128 * 128 + 4, "fp8"},  // an fp32 scale for a tile of 128 x 128
    {"MXFP8", f8, 32, 33, "fp8"},
    {"INT8", int8_block, 1, 1, "int8"},  // one scale per channel
    {"MXFP6", f8, 32, 25, "mx"},
    {"MXFP4", f4, 32, 17, "mx"},    // OCP MX: 32 values share an 8-bit exponent
    {"NVFP4", f4, 16, 9, "nvfp4"},  // 16 values share an fp8 scale
    {"FP4", nf4, 64, 36, "bnb"},
    {"NF4", nf4, 64, 36, "bnb"},                               // an fp32 maximum for 64 values
    {"NF4_DQ", nf4, 64 * 256, 64 * 256 / 2 + 256 + 4, "bnb"},  // those maxima in 8 bits, an fp32 for 256 of them
    {"GPTQ4_G128", gptq, 128, 64 + 2 + 0.5, "gptq"},           // fp16 scale and 4-bit zero point of a group
    {"GPTQ4_G64", gptq, 64, 32 + 2 + 0.5, "gptq"},
    {"GPTQ4_G32", gptq, 32, 16 + 2 + 0.5, "gptq"},
    {"GPTQ4_CHANNEL", gptq, 4096, 2048 + 2 + 0.5, "gptq"},  // one group for a whole row
    {"GPTQ3_G128", gptq, 128, 48 + 2 + 0.375, "gptq"},
    {"GPTQ8_G128", gptq, 128, 128 + 2 + 1, "gptq"},
    {"GPTQ8_CHANNEL", gptq, 4096, 4096 + 2 + 1, "gptq"},
    {"AWQ4_G128", gptq, 128, 64 + 2 + 0.5, "awq"},
    {"MLX4_G64", int4_block, 64, 32 + 4, "mlx"},  // 16-bit scale and bias of a group
    {"MLX6_G64", int4_block, 64, 48 + 4, "mlx"},
    {"MLX8_G64", int8_block, 64, 64 + 4, "mlx"},
    {"MLC4_G32", int4_block, 32, 16 + 2, "mlc"},
    {"EXL2_2.5", gptq, 16, 5, "exl2"},
    {"EXL2_3", gptq, 8, 3, "exl2"},
    {"EXL2_4", gptq, 8, 4, "exl2"},
    {"EXL2_5", gptq, 8, 5, "exl2"},
    {"EXL2_6", gptq, 8, 6, "exl2"},
    {"EXL2_8", gptq, 8, 8, "exl2"},
    {"Q4_0", int4_block, 32, 18, "gguf"},
    {"Q4_1", int4_block, 32, 20, "gguf"},
    {"Q5_0", int4_block, 32, 22, "gguf"},
    {"Q5_1", int4_block, 32, 24, "gguf"},
    {"Q6_0", int4_block, 32, 26, "gguf"},
    {"Q8_0", int8_block, 32, 34, "gguf"},
    {"Q8_1", int8_block, 32, 36, "gguf"},
    {"Q2_K", k_quant_low, 256, 84, "gguf"},
    {"Q3_K", k_quant_low, 256, 110, "gguf"},
    {"Q4_K", k_quant_4, 256, 144, "gguf"},
    {"Q5_K", k_quant_5_6, 256, 176, "gguf"},
    {"Q6_K", k_quant_5_6, 256, 210, "gguf"},
    {"Q8_K", int8_block, 256, 292, "gguf"},
    {"IQ1_S", i_quant, 256, 50, "gguf"},
    {"IQ1_M", i_quant, 256, 56, "gguf"},
    {"IQ2_XXS", i_quant, 256, 66, "gguf"},
    {"IQ2_XS", i_quant, 256, 74, "gguf"},
    {"IQ2_S", i_quant, 256, 82, "gguf"},
    {"IQ3_XXS", i_quant, 256, 98, "gguf"},
    {"IQ3_S", i_quant, 256, 110, "gguf"},
    {"IQ4_NL", i_quant, 32, 18, "gguf"},
    {"IQ4_XS", i_quant, 256, 136, "gguf"},
    {"TQ1_0", i_quant, 256, 54, "gguf"},
    {"TQ2_0", i_quant, 256, 66, "gguf"},
    {"IQ1_BN", i_quant, 64, 13, "gguf"},
    {"IQ2_BN", i_quant, 64, 16, "gguf"},
    {"IQ2_KS", i_quant, 256, 70, "gguf"},
    {"IQ2_K", i_quant, 256, 76, "gguf"},
    {"IQ2_KL", i_quant, 256, 86, "gguf"},
    {"IQ2_KT", i_quant, 256, 68, "gguf"},
    {"IQ3_KS", i_quant, 256, 102, "gguf"},
    {"IQ3_K", i_quant, 256, 110, "gguf"},
    {"IQ3_KT", i_quant, 256, 100, "gguf"},
    {"IQ4_KSS", i_quant, 256, 128, "gguf"},
    {"IQ4_KS", i_quant, 256, 136, "gguf"},
    {"IQ4_K", i_quant, 256, 144, "gguf"},
    {"IQ4_KT", i_quant, 256, 128, "gguf"},
    {"IQ5_KS", i_quant, 256, 168, "gguf"},
    {"IQ5_K", i_quant, 256, 176, "gguf"},
    {"IQ6_K", i_quant, 256, 212, "gguf"},
};

constexpr std::pair<std::string_view, std::string_view> format_spellings[] = {
    {"FP64", "F64"},       {"FP32", "F32"},        {"FLOAT32", "F32"},      {"FP16", "F16"},         {"FLOAT16", "F16"},
    {"HALF", "F16"},       {"BFLOAT16", "BF16"},   {"F8", "FP8"},           {"FP8_E4M3", "FP8"},     {"FP8_E5M2", "FP8"},
    {"F8_E4M3", "FP8"},    {"INT4", "GPTQ4_G128"}, {"I8", "INT8"},          {"AWQ", "AWQ4_G128"},    {"GPTQ", "GPTQ4_G128"},
    {"Q8_0_R8", "Q8_0"},   {"Q8_K_R8", "Q8_0"},    {"Q4_0_R8", "Q4_0"},     {"IQ2_K_R4", "IQ2_K"},   {"IQ3_K_R4", "IQ3_K"},
    {"IQ4_K_R4", "IQ4_K"}, {"IQ5_K_R4", "IQ5_K"},  {"IQ4_KS_R4", "IQ4_KS"}, {"IQ5_KS_R4", "IQ5_KS"}, {"Q4_K_R4", "Q4_K"},
    {"Q5_K_R4", "Q5_K"},   {"Q6_K_R4", "Q6_K"},    {"Q3_K_R4", "Q3_K"},     {"IQ4_XS_R8", "IQ4_XS"},
};

const NumberFormat* by_name(std::string_view name) {
  const auto at = std::ranges::find_if(formats, [&](const NumberFormat& f) { return same_name(f.name, name); });
  return at == std::end(formats) ? nullptr : at;
}

}  // namespace

std::span<const NumberFormat> number_formats() { return formats; }

const NumberFormat* find_number_format(std::string_view name) {
  if (const auto* format = by_name(name)) return format;
  for (const auto& [spelling, meaning] : format_spellings) {
    if (same_name(spelling, name)) return by_name(meaning);
  }
  return nullptr;
}

}  // namespace rigplan
