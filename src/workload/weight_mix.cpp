// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "rigplan/workload/number_format.h"

namespace rigplan {
namespace {

/// One line of the table below; formats by name.
struct MixRow {
  std::string_view name, bulk, others, embedding, head, small;
  GgufRule rule = GgufRule::none;
};

// GGUF rows: file types of llama.cpp's quantiser (src/llama-quant.cpp); the output head and the embedding have formats of their
// own. Checkpoint rows: the linear layers are quantised and the rest stays in 16 bits, as the quantisers' defaults have it.
constexpr MixRow rows[] = {
    {"F32", "F32", "F32", "F32", "F32", "F32"},
    {"F16", "F16", "F16", "F16", "F16", "F32"},
    {"BF16", "BF16", "BF16", "BF16", "BF16", "BF16"},
    {"FP8", "FP8", "FP8", "BF16", "BF16", "BF16"},
    {"FP8_BLOCK", "FP8_BLOCK", "FP8_BLOCK", "BF16", "BF16", "BF16"},
    {"INT8", "INT8", "INT8", "F16", "F16", "F16"},
    {"MXFP4", "MXFP4", "BF16", "BF16", "BF16", "BF16"},
    {"MXFP4_GGUF", "MXFP4", "Q8_0", "Q8_0", "Q8_0", "F32"},
    {"NVFP4", "NVFP4", "NVFP4", "BF16", "BF16", "BF16"},
    {"NF4", "NF4", "NF4", "BF16", "BF16", "BF16"},
    {"NF4_DQ", "NF4_DQ", "NF4_DQ", "BF16", "BF16", "BF16"},
    {"AWQ", "AWQ4_G128", "AWQ4_G128", "F16", "F16", "F16"},
    {"GPTQ-Int4", "GPTQ4_G128", "GPTQ4_G128", "F16", "F16", "F16"},
    {"GPTQ-Int4-g64", "GPTQ4_G64", "GPTQ4_G64", "F16", "F16", "F16"},
    {"GPTQ-Int4-g32", "GPTQ4_G32", "GPTQ4_G32", "F16", "F16", "F16"},
    {"GPTQ-Int4-channel", "GPTQ4_CHANNEL", "GPTQ4_CHANNEL", "F16", "F16", "F16"},
    {"GPTQ-Int3", "GPTQ3_G128", "GPTQ3_G128", "F16", "F16", "F16"},
    {"GPTQ-Int8", "GPTQ8_G128", "GPTQ8_G128", "F16", "F16", "F16"},
    {"MLX-4bit", "MLX4_G64", "MLX4_G64", "MLX4_G64", "MLX4_G64", "BF16"},
    {"MLX-6bit", "MLX6_G64", "MLX6_G64", "MLX6_G64", "MLX6_G64", "BF16"},
    {"MLX-8bit", "MLX8_G64", "MLX8_G64", "MLX8_G64", "MLX8_G64", "BF16"},
    {"MLC-Q4F16", "MLC4_G32", "MLC4_G32", "MLC4_G32", "MLC4_G32", "F16"},
    {"EXL2-2.5bpw", "EXL2_2.5", "EXL2_2.5", "F16", "EXL2_6", "F16"},
    {"EXL2-3bpw", "EXL2_3", "EXL2_3", "F16", "EXL2_6", "F16"},
    {"EXL2-4bpw", "EXL2_4", "EXL2_4", "F16", "EXL2_6", "F16"},
    {"EXL2-5bpw", "EXL2_5", "EXL2_5", "F16", "EXL2_6", "F16"},
    {"EXL2-6bpw", "EXL2_6", "EXL2_6", "F16", "EXL2_6", "F16"},
    {"EXL2-8bpw", "EXL2_8", "EXL2_8", "F16", "EXL2_8", "F16"},
    {"Q4_0", "Q4_0", "Q4_0", "Q4_0", "Q6_K", "F32"},
    {"Q4_1", "Q4_1", "Q4_1", "Q4_1", "Q6_K", "F32"},
    {"Q5_0", "Q5_0", "Q5_0", "Q5_0", "Q6_K", "F32"},
    {"Q5_1", "Q5_1", "Q5_1", "Q5_1", "Q6_K", "F32"},
    {"Q6_0", "Q6_0", "Q6_0", "Q6_0", "Q6_K", "F32"},
    {"Q8_0", "Q8_0", "Q8_0", "Q8_0", "Q8_0", "F32"},
    {"Q2_K", "Q2_K", "Q2_K", "Q2_K", "Q6_K", "F32", GgufRule::q2_k},
    {"Q2_K_S", "Q2_K", "Q2_K", "Q2_K", "Q6_K", "F32", GgufRule::q2_k_s},
    {"Q3_K_S", "Q3_K", "Q3_K", "Q3_K", "Q6_K", "F32", GgufRule::q3_k_s},
    {"Q3_K_M", "Q3_K", "Q3_K", "Q3_K", "Q6_K", "F32", GgufRule::q3_k_m},
    {"Q3_K_L", "Q3_K", "Q3_K", "Q3_K", "Q6_K", "F32", GgufRule::q3_k_l},
    {"Q4_K_S", "Q4_K", "Q4_K", "Q4_K", "Q6_K", "F32", GgufRule::q4_k_s},
    {"Q4_K_M", "Q4_K", "Q4_K", "Q4_K", "Q6_K", "F32", GgufRule::q4_k_m},
    {"Q5_K_S", "Q5_K", "Q5_K", "Q5_K", "Q6_K", "F32"},
    {"Q5_K_M", "Q5_K", "Q5_K", "Q5_K", "Q6_K", "F32", GgufRule::q5_k_m},
    {"Q6_K", "Q6_K", "Q6_K", "Q6_K", "Q6_K", "F32"},
    {"IQ1_S", "IQ1_S", "IQ1_S", "Q2_K", "Q5_K", "F32", GgufRule::iq1_s},
    {"IQ1_M", "IQ1_M", "IQ1_M", "Q2_K", "Q5_K", "F32", GgufRule::iq1_m},
    {"IQ2_XXS", "IQ2_XXS", "IQ2_XXS", "Q2_K", "Q5_K", "F32", GgufRule::iq2_xxs},
    {"IQ2_XS", "IQ2_XS", "IQ2_XS", "Q2_K", "Q5_K", "F32", GgufRule::iq2_xs},
    {"IQ2_S", "IQ2_XS", "IQ2_XS", "IQ3_S", "Q5_K", "F32", GgufRule::iq2_s},
    {"IQ2_M", "IQ2_S", "IQ2_S", "IQ3_S", "Q5_K", "F32", GgufRule::iq2_m},
    {"IQ3_XXS", "IQ3_XXS", "IQ3_XXS", "IQ3_S", "Q5_K", "F32", GgufRule::iq3_xxs},
    {"IQ3_XS", "IQ3_S", "IQ3_S", "IQ3_S", "Q6_K", "F32", GgufRule::iq3_xs},
    {"IQ3_S", "IQ3_S", "IQ3_S", "IQ3_S", "Q6_K", "F32", GgufRule::iq3_s},
    {"IQ3_M", "IQ3_S", "IQ3_S", "IQ3_S", "Q6_K", "F32", GgufRule::iq3_m},
    {"IQ4_NL", "IQ4_NL", "IQ4_NL", "IQ4_NL", "Q6_K", "F32", GgufRule::iq4_xs},
    {"IQ4_XS", "IQ4_XS", "IQ4_XS", "IQ4_XS", "Q6_K", "F32", GgufRule::iq4_xs},
    {"TQ1_0", "TQ1_0", "TQ1_0", "Q4_K", "Q6_K", "F32"},
    {"TQ2_0", "TQ2_0", "TQ2_0", "Q4_K", "Q6_K", "F32"},
    {"IQ1_BN", "IQ1_BN", "IQ1_BN", "Q6_K", "Q6_K", "F32"},
    {"IQ2_BN", "IQ2_BN", "IQ2_BN", "Q6_K", "Q6_K", "F32"},
    // ik_llama.cpp formats: recipes vary from file to file; uniform layers with a 6-bit head are the common ground.
    {"IQ1_KT", "IQ1_M", "IQ1_M", "Q4_K", "Q6_K", "F32"},
    {"IQ2_KS", "IQ2_KS", "IQ2_KS", "Q4_K", "Q6_K", "F32"},
    {"IQ2_K", "IQ2_K", "IQ2_K", "Q4_K", "Q6_K", "F32"},
    {"IQ2_KL", "IQ2_KL", "IQ2_KL", "Q4_K", "Q6_K", "F32"},
    {"IQ2_KT", "IQ2_KT", "IQ2_KT", "Q4_K", "Q6_K", "F32"},
    {"IQ3_KS", "IQ3_KS", "IQ3_KS", "Q4_K", "Q6_K", "F32"},
    {"IQ3_K", "IQ3_K", "IQ3_K", "Q4_K", "Q6_K", "F32"},
    {"IQ3_KT", "IQ3_KT", "IQ3_KT", "Q4_K", "Q6_K", "F32"},
    {"IQ4_KSS", "IQ4_KSS", "IQ4_KSS", "Q4_K", "Q6_K", "F32"},
    {"IQ4_KS", "IQ4_KS", "IQ4_KS", "Q4_K", "Q6_K", "F32"},
    {"IQ4_K", "IQ4_K", "IQ4_K", "Q4_K", "Q6_K", "F32"},
    {"IQ4_KT", "IQ4_KT", "IQ4_KT", "Q4_K", "Q6_K", "F32"},
    {"IQ5_KS", "IQ5_KS", "IQ5_KS", "Q5_K", "Q6_K", "F32"},
    {"IQ5_K", "IQ5_K", "IQ5_K", "Q5_K", "Q6_K", "F32"},
    {"IQ6_K", "IQ6_K", "IQ6_K", "Q6_K", "Q6_K", "F32"},
};

// Spellings as find_weight_mix() folds them: capitals and digits only.
constexpr std::pair<std::string_view, std::string_view> spellings[] = {
    {"FP32", "F32"},
    {"FP16", "F16"},
    {"FLOAT16", "F16"},
    {"BFLOAT16", "BF16"},
    {"F8", "FP8"},
    {"FP8E4M3", "FP8"},
    {"FP8DYNAMIC", "FP8"},
    {"W8A8FP8", "FP8"},
    {"FP8BLOCKWISE", "FP8_BLOCK"},
    {"INT8W8A16", "INT8"},
    {"W8A8", "INT8"},
    {"W8A16", "INT8"},
    {"BNB8BIT", "INT8"},
    {"LLMINT8", "INT8"},
    {"MXFP4MOE", "MXFP4_GGUF"},
    {"NVFP4A16", "NVFP4"},
    {"W4A4", "NVFP4"},
    {"BNB4BIT", "NF4"},
    {"BNBNF4", "NF4"},
    {"BNBNF4DQ", "NF4_DQ"},
    {"BNBFP4", "NF4"},
    {"QLORA", "NF4_DQ"},
    {"AWQ4BIT", "AWQ"},
    {"AWQINT4", "AWQ"},
    {"AWQGEMM", "AWQ"},
    {"AWQGEMV", "AWQ"},
    {"AWQMARLIN", "AWQ"},
    {"AWQ4", "AWQ"},
    {"GPTQ", "GPTQ-Int4"},
    {"GPTQ4BIT", "GPTQ-Int4"},
    {"GPTQ4", "GPTQ-Int4"},
    {"INT4", "GPTQ-Int4"},
    {"W4A16", "GPTQ-Int4"},
    {"INT4W4A16", "GPTQ-Int4"},
    {"INT4WO", "GPTQ-Int4"},
    {"4BIT", "GPTQ-Int4"},
    {"GPTQ4BITG128", "GPTQ-Int4"},
    {"GPTQMARLIN", "GPTQ-Int4"},
    {"GPTQ4BITG64", "GPTQ-Int4-g64"},
    {"GPTQ4BITG32", "GPTQ-Int4-g32"},
    {"INT4G32", "GPTQ-Int4-g32"},
    {"GPTQ4BITG", "GPTQ-Int4-channel"},
    {"GPTQ3BIT", "GPTQ-Int3"},
    {"GPTQ8BIT", "GPTQ-Int8"},
    {"GPTQ8", "GPTQ-Int8"},
    {"MQ4", "GPTQ-Int4"},
    {"Q4F161", "MLC-Q4F16"},
    {"Q4F16", "MLC-Q4F16"},
    {"MLX4", "MLX-4bit"},
    {"MLX8", "MLX-8bit"},
    {"EXL225BPW", "EXL2-2.5bpw"},
    {"EXL230BPW", "EXL2-3bpw"},
    {"EXL240BPW", "EXL2-4bpw"},
    {"EXL250BPW", "EXL2-5bpw"},
    {"EXL260BPW", "EXL2-6bpw"},
    {"EXL280BPW", "EXL2-8bpw"},
    {"Q2KMEDIUM", "Q2_K"},
    {"Q2KM", "Q2_K"},
    {"Q2KSMALL", "Q2_K_S"},
    {"Q2KL", "Q2_K"},
    {"Q2KXL", "Q2_K"},
    {"Q3K", "Q3_K_M"},
    {"Q3KSMALL", "Q3_K_S"},
    {"Q3KMEDIUM", "Q3_K_M"},
    {"Q3KLARGE", "Q3_K_L"},
    {"Q3KXL", "Q3_K_L"},
    {"Q4K", "Q4_K_M"},
    {"Q4KSMALL", "Q4_K_S"},
    {"Q4KMEDIUM", "Q4_K_M"},
    {"Q4KXL", "Q4_K_M"},
    {"Q4KL", "Q4_K_M"},
    {"Q4KP", "Q4_K_M"},
    {"Q5K", "Q5_K_M"},
    {"Q5KSMALL", "Q5_K_S"},
    {"Q5KMEDIUM", "Q5_K_M"},
    {"Q5KXL", "Q5_K_M"},
    {"Q5KL", "Q5_K_M"},
    {"Q2", "Q2_K"},
    {"Q3", "Q3_K_M"},
    {"Q4", "Q4_K_M"},
    {"Q5", "Q5_K_M"},
    {"Q6", "Q6_K"},
    {"5BIT", "Q5_K_M"},
    {"6BIT", "Q6_K"},
    {"8BIT", "INT8"},
    {"Q6KXL", "Q6_K"},
    {"Q6KL", "Q6_K"},
    {"Q8KXL", "Q8_0"},
    {"Q8", "Q8_0"},
    {"Q80R8", "Q8_0"},
    {"Q8KR8", "Q8_0"},
    {"Q40", "Q4_0"},
    {"Q4KR4", "Q4_K_M"},
    {"IQ2KR4", "IQ2_K"},
    {"IQ3KR4", "IQ3_K"},
    {"IQ4KR4", "IQ4_K"},
    {"IQ5KR4", "IQ5_K"},
    {"IQ4KSR4", "IQ4_KS"},
    {"IQ5KSR4", "IQ5_KS"},
    {"IQ1SR4", "IQ1_S"},
    {"IQ1MR4", "IQ1_M"},
    {"IQ4XSR8", "IQ4_XS"},
};

WeightMix to_mix(const MixRow& row) {
  const auto* bulk = find_number_format(row.bulk);
  return {row.name,
          bulk->kind,
          bulk->family,
          bulk,
          find_number_format(row.others),
          find_number_format(row.embedding),
          find_number_format(row.head),
          find_number_format(row.small),
          row.rule};
}

/// Letters and digits only, in capitals: "Q4_K - Medium" -> "Q4KMEDIUM". A dynamic prefix "UD-" falls away.
std::string folded(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c))) out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  if (out.starts_with("UD") && out.size() > 4) out.erase(0, 2);
  return out;
}

}  // namespace

std::span<const WeightMix> weight_mixes() {
  static const std::vector<WeightMix> mixes = [] {
    std::vector<WeightMix> made;
    for (const auto& row : rows) made.push_back(to_mix(row));
    // MXFP4 inside a GGUF file belongs to that family whatever the block format is.
    for (auto& mix : made) {
      if (mix.others->family == "gguf") mix.family = "gguf";
    }
    return made;
  }();
  return mixes;
}

const WeightMix* find_weight_mix(std::string_view name) {
  const auto wanted = folded(name);
  if (wanted.empty()) return nullptr;
  const auto mixes = weight_mixes();
  const auto find = [&](std::string_view key) -> const WeightMix* {
    const auto at = std::ranges::find_if(mixes, [&](const WeightMix& m) { return folded(m.name) == key; });
    return at == mixes.end() ? nullptr : &*at;
  };
  if (const auto* mix = find(wanted)) return mix;
  const auto at = std::ranges::find(spellings, wanted, [](const auto& pair) { return pair.first; });
  return at == std::end(spellings) ? nullptr : find(folded(at->second));
}

}  // namespace rigplan
