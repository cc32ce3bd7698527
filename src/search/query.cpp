// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/query.h"

#include <stdexcept>

namespace rigplan {

std::vector<std::string_view> rank_names() {
  return {"yuan-per-usable-tflop", "price",        "decode", "prefill", "usable", "yuan-per-mtoken",
          "yuan-per-token-rate",   "yuan-per-gib", "watts",  "cost",    "vram"};
}

std::vector<std::string_view> rank_keys() {
  return {"yuan_per_usable_tflop",
          "price_yuan",
          "decode_tokens_per_s",
          "prefill_tokens_per_s",
          "usable_tflops",
          "yuan_per_mtoken",
          "yuan_per_token_per_s",
          "purchase_yuan_per_gib",
          "wall_watts",
          "cost_yuan",
          "vram_gib"};
}

const PlanningDefaults& planning_defaults(const Catalog& catalog) {
  if (catalog.planning.entries.empty()) throw std::logic_error{"the catalog has no planning defaults"};
  return catalog.planning.entries.front();
}

WorkSchedule default_schedule(const Catalog& catalog) {
  const auto& defaults = planning_defaults(catalog);
  WorkSchedule schedule{.horizon = defaults.horizon,
                        .loaded_hours_per_day = defaults.loaded_hours_per_day,
                        .idle_hours_per_day = defaults.idle_hours_per_day,
                        .tariff = {},
                        .tariff_name = defaults.tariff,
                        .pue = defaults.pue};
  if (const auto* tariff = catalog.tariffs.find(defaults.tariff)) schedule.tariff = tariff->average;
  return schedule;
}

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Iterative matching with one point to return to: the last star.
bool matches_whole(std::string_view text, std::string_view pattern) {
  std::size_t t = 0, p = 0, star = std::string_view::npos, after = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || lower(pattern[p]) == lower(text[t]))) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++after;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

bool matches_pattern(std::string_view text, std::string_view pattern) {
  if (pattern.find_first_of("*?") != std::string_view::npos) return matches_whole(text, pattern);
  return matches_whole(text, "*" + std::string{pattern} + "*");
}

}  // namespace rigplan
