// SPDX-License-Identifier: Apache-2.0
// Which matrices get more bits than the file type says. Source: llama_tensor_get_type() and its callers in llama.cpp's
// src/llama-quant.cpp (files made with an importance matrix, as the published ones are).
#include "workload/gguf_rule.h"

#include <cmath>

namespace rigplan {
namespace {

using enum GgufRule;

const NumberFormat* format(std::string_view name) { return find_number_format(name); }

/// The first and the last eighth of the layers, and every third one between.
bool more_bits(int i, int n) { return i < n / 8 || i >= 7 * n / 8 || (i - n / 8) % 3 == 2; }

bool two_bit_or_less(GgufRule rule) {
  return rule == iq1_s || rule == iq1_m || rule == iq2_xxs || rule == iq2_xs || rule == iq2_s || rule == iq2_m;
}

const NumberFormat* for_values(GgufRule rule, const GgufFacts& facts, int i, int n) {
  const bool grouped = facts.queries_per_kv_head >= 4;
  if (facts.experts == 8 && !two_bit_or_less(rule)) return format("Q8_0");
  const auto* chosen = [&]() -> const NumberFormat* {
    switch (rule) {
      case q2_k:
        return format(grouped ? "Q4_K" : "Q3_K");
      case q2_k_s:
        return grouped ? format("Q4_K") : nullptr;
      case q3_k_m:
        return format(i < 2 ? "Q5_K" : "Q4_K");
      case q3_k_l:
        return format("Q5_K");
      case q4_k_s:
        return i < 4 ? format("Q5_K") : nullptr;
      case q4_k_m:
      case q5_k_m:
        return more_bits(i, n) ? format("Q6_K") : nullptr;
      case iq3_xxs:
      case iq3_xs:
      case iq3_s:
        return grouped ? format("Q4_K") : nullptr;
      case iq3_m:
        return format("Q4_K");
      case iq4_xs:
        return grouped ? format("Q5_K") : nullptr;
      case iq2_s:
      case iq2_m:
        return format(grouped || facts.experts >= 4 ? "Q4_K" : "IQ3_S");
      case iq1_s:
      case iq1_m:
      case iq2_xxs:
      case iq2_xs:
        return format(grouped || facts.experts >= 4 ? "Q4_K" : "Q2_K");
      default:
        return nullptr;
    }
  }();
  // 80 layers with grouped queries: the value matrices are small, so four bits and less become five.
  const bool four_or_less = chosen ? chosen->name == "Q4_K" || chosen->name == "Q3_K"
                                   : rule == q2_k_s || rule == q3_k_s || rule == q4_k_s || rule == q4_k_m;
  if (facts.layers == 80 && facts.queries_per_kv_head > 1 && four_or_less && rule != q2_k_s) return format("Q5_K");
  return chosen;
}

const NumberFormat* for_down(GgufRule rule, const GgufFacts& facts, int i, int n) {
  const bool first_eighth = i < n / 8;
  switch (rule) {
    case q2_k:
      return format("Q3_K");
    case q2_k_s:
      return first_eighth ? format("Q4_K") : nullptr;
    case q3_k_m:
      return format(i < n / 16 ? "Q5_K" : "Q4_K");
    case q3_k_l:
      return format("Q5_K");
    case q4_k_s:
      return first_eighth ? format("Q5_K") : nullptr;
    case q4_k_m:
    case q5_k_m:
      return more_bits(i, n) ? format("Q6_K") : nullptr;
    case iq3_m:
      return first_eighth || (facts.experts == 8 && more_bits(i, n)) ? format("Q4_K") : nullptr;
    case iq2_s:
    case iq2_m:
      return first_eighth ? format("IQ3_S") : nullptr;
    case iq1_s:
    case iq1_m:
    case iq2_xxs:
    case iq2_xs:
      return first_eighth ? format("Q2_K") : nullptr;
    default:
      return nullptr;
  }
}

const NumberFormat* for_attention_output(GgufRule rule, const GgufFacts& facts) {
  if (facts.experts == 8) return rule == q3_k_l || rule == q5_k_m || rule == none ? nullptr : format("Q5_K");
  switch (rule) {
    case q2_k:
      return format("Q3_K");
    case q3_k_m:
      return format("Q4_K");
    case q3_k_l:
      return format("Q5_K");
    case iq3_m:
      return format("Q4_K");
    case iq3_xxs:
      return format("IQ3_S");
    case iq2_s:
    case iq2_m:
      return format("IQ3_S");
    case iq1_s:
    case iq1_m:
      return format("IQ2_XXS");
    default:
      return nullptr;
  }
}

}  // namespace

const NumberFormat* gguf_rule_format(GgufRule rule, MatrixRole role, const GgufFacts& facts, int i, int n) {
  if (rule == none) return nullptr;
  switch (role) {
    case MatrixRole::value:
      return for_values(rule, facts, i, n);
    case MatrixRole::key:
      if (facts.experts == 8) return format(two_bit_or_less(rule) ? "Q4_K" : "Q8_0");
      [[fallthrough]];
    case MatrixRole::query:
      return rule == iq3_xs ? format("IQ3_XXS") : rule == iq3_xxs ? format("IQ2_S") : nullptr;
    case MatrixRole::down:
      return for_down(rule, facts, i, n);
    case MatrixRole::attention_output:
      return for_attention_output(rule, facts);
    case MatrixRole::gate:
    case MatrixRole::up:
      return rule == iq3_xs && i >= n / 8 && i < 7 * n / 8 ? format("IQ3_XXS") : nullptr;
    default:
      return nullptr;
  }
}

const NumberFormat* gguf_fitting_format(const NumberFormat* wanted, double columns) {
  const auto fits = [&](const NumberFormat* f) { return std::fmod(columns, f->block) == 0; };
  if (fits(wanted)) return wanted;
  const auto* other = format("IQ4_NL");
  if (wanted->name == "Q4_K") other = format("Q5_0");
  if (wanted->name == "Q5_K") other = format("Q5_1");
  if (wanted->name == "Q6_K") other = format("Q8_0");
  return fits(other) ? other : format("F16");
}

}  // namespace rigplan
