// SPDX-License-Identifier: Apache-2.0
// Numbers of ggml.h's ggml_type (llama.cpp); from 133 on those of the fork ik_llama.cpp.
#include "import/gguf_types.h"

#include <algorithm>
#include <iterator>

namespace rigplan {
namespace {

constexpr GgufType types[] = {
    {0, "F32", 1, 4, 0},          {1, "F16", 1, 2, 0},          {2, "Q4_0", 32, 18, 0},       {3, "Q4_1", 32, 20, 0},
    {6, "Q5_0", 32, 22, 0},       {7, "Q5_1", 32, 24, 0},       {8, "Q8_0", 32, 34, 0},       {9, "Q8_1", 32, 36, 0},
    {10, "Q2_K", 256, 84, 0},     {11, "Q3_K", 256, 110, 0},    {12, "Q4_K", 256, 144, 0},    {13, "Q5_K", 256, 176, 0},
    {14, "Q6_K", 256, 210, 0},    {15, "Q8_K", 256, 292, 0},    {16, "IQ2_XXS", 256, 66, 0},  {17, "IQ2_XS", 256, 74, 0},
    {18, "IQ3_XXS", 256, 98, 0},  {19, "IQ1_S", 256, 50, 0},    {20, "IQ4_NL", 32, 18, 0},    {21, "IQ3_S", 256, 110, 0},
    {22, "IQ2_S", 256, 82, 0},    {23, "IQ4_XS", 256, 136, 0},  {24, "I8", 1, 1, 0},          {25, "I16", 1, 2, 0},
    {26, "I32", 1, 4, 0},         {27, "I64", 1, 8, 0},         {28, "F64", 1, 8, 0},         {29, "IQ1_M", 256, 56, 0},
    {30, "BF16", 1, 2, 0},        {34, "TQ1_0", 256, 54, 0},    {35, "TQ2_0", 256, 66, 0},    {39, "MXFP4", 32, 17, 0},
    {40, "NVFP4", 64, 36, 0},     {133, "Q6_0", 32, 26, 0},     {134, "IQ1_BN", 64, 13, 2},   {135, "IQ2_BN", 64, 16, 4},
    {137, "IQ2_K", 256, 76, 0},   {138, "IQ3_K", 256, 110, 0},  {139, "IQ4_K", 256, 144, 0},  {140, "IQ5_K", 256, 176, 0},
    {141, "IQ6_K", 256, 212, 0},  {144, "IQ4_KS", 256, 136, 4}, {145, "IQ2_KS", 256, 70, 2},  {146, "IQ4_KSS", 256, 128, 4},
    {152, "IQ5_KS", 256, 168, 4}, {153, "IQ2_KT", 256, 68, 4},  {154, "IQ3_KT", 256, 100, 4}, {155, "IQ4_KT", 256, 128, 4},
    {156, "IQ3_KS", 256, 102, 2}, {157, "IQ2_KL", 256, 86, 2},
};

}  // namespace

const GgufType* find_gguf_type(std::uint32_t id) {
  const auto at = std::ranges::find(types, id, &GgufType::id);
  return at == std::end(types) ? nullptr : at;
}

}  // namespace rigplan
