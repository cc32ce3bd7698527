// SPDX-License-Identifier: Apache-2.0
#include "validate/row_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <span>
#include <utility>

namespace rigplan {
namespace {

/// Earlier patterns win: forks before what they were forked from.
constexpr std::pair<std::string_view, std::string_view> engines[] = {
    {"ik_llama", "ik_llama.cpp"},
    {"distributed-llama", "distributed-llama"},
    {"llama.cpp", "llama.cpp"},
    {"llamacpp", "llama.cpp"},
    {"ollama", "llama.cpp"},
    {"lm studio", "llama.cpp"},
    {"vllm", "vllm"},
    {"sglang", "sglang"},
    {"trtllm", "trtllm"},
    {"tensorrt", "trtllm"},
    {"exllamav3", "exllamav3"},
    {"exllamav2", "exllamav2"},
    {"exllama", "exllama"},
    {"autoawq", "autoawq"},
    {"mlc", "mlc-llm"},
    {"gpt-fast", "gpt-fast"},
    {"cudagraph", "pytorch-graph"},
    {"pytorch", "pytorch"},
};
constexpr std::string_view backends[] = {"vulkan", "rocm", "cuda", "sycl", "metal"};

/// Dates from which the numbers of llama.cpp's builds and pull requests are later ones.
struct Numbered {
  int number;
  std::string_view date;
};
constexpr Numbered builds[] = {{0, "2023-06"},    {1000, "2023-09"}, {2000, "2024-02"}, {3000, "2024-06"},
                               {4300, "2024-12"}, {5500, "2025-06"}, {7000, "2025-11"}, {8300, "2026-03"}};
constexpr Numbered pulls[] = {{0, "2023-06"},     {4000, "2024-01"},  {7000, "2024-05"},  {9000, "2024-09"},
                              {13500, "2025-06"}, {15000, "2025-09"}, {19000, "2026-02"}, {21000, "2026-04"}};

std::string dated(std::span<const Numbered> table, int number) {
  std::string date;
  for (const auto& entry : table)
    if (number >= entry.number) date = entry.date;
  return date;
}

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

/// "2024-05" or "2024" where a year from 2020 on stands as a word of its own.
std::string find_date(std::string_view text) {
  for (std::size_t i = 0; i + 4 <= text.size(); ++i) {
    if (text.substr(i, 2) != "20" || !is_decimal(text[i + 2]) || !is_decimal(text[i + 3]) || text[i + 2] < '2') continue;
    if (i > 0 && (is_decimal(text[i - 1]) || text[i - 1] == '.')) continue;
    const auto rest = text.substr(i + 4);
    if (rest.size() >= 3 && rest[0] == '-' && is_decimal(rest[1]) && is_decimal(rest[2])) return std::string{text.substr(i, 7)};
    if (rest.empty() || !is_decimal(rest[0])) return std::string{text.substr(i, 4)};
  }
  return {};
}

/// Of "b9415" or "(7423)".
std::optional<int> build_number(std::string_view text) {
  for (std::size_t i = 0; i + 3 < text.size(); ++i) {
    const bool starts = i == 0 || text[i - 1] == ' ';
    if (!(starts && (text[i] == 'b' || text[i] == '(') && is_decimal(text[i + 1]))) continue;
    int number = 0;
    const auto end = std::from_chars(text.data() + i + 1, text.data() + text.size(), number);
    if (end.ptr == text.data() + text.size() || *end.ptr == ' ' || *end.ptr == ')') return number;
  }
  return std::nullopt;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower{text};
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(c < 128 ? std::tolower(c) : c); });
  return lower;
}

bool has_word(std::string_view lower_text, std::string_view lower_word) { return lower_text.find(lower_word) != lower_text.npos; }

std::string read_engine(std::string_view engine, std::string_view engine_date) {
  const auto text = lower_case(engine);
  std::string name = text.substr(0, text.find_first_of(" ("));
  for (const auto& [pattern, id] : engines)
    if (has_word(text, pattern)) {
      name = id;
      break;
    }
  const auto all = text + " " + lower_case(engine_date);
  for (const auto backend : backends)
    if (has_word(all, backend) || (backend == "vulkan" && has_word(all, "radv")))
      return name.ends_with(backend) ? name : fmt::format("{}-{}", name, backend);
  return name;
}

std::string read_engine_date(std::string_view engine, std::string_view engine_date, std::string_view source) {
  if (auto date = find_date(engine_date); !date.empty()) return date;
  for (const auto text : {engine_date, engine})
    if (const auto number = build_number(lower_case(text))) return dated(builds, *number);
  if (const auto number = number_after(source, "llama.cpp/pull/")) return dated(pulls, static_cast<int>(*number));
  return {};
}

std::optional<double> number_after(std::string_view lower_text, std::string_view label) {
  auto at = lower_text.find(label);
  if (at == lower_text.npos) return std::nullopt;
  at += label.size();
  while (at < lower_text.size() && (lower_text[at] == ' ' || lower_text[at] == '~')) ++at;
  double number = 0;
  const auto end = std::from_chars(lower_text.data() + at, lower_text.data() + lower_text.size(), number);
  if (end.ec != std::errc{}) return std::nullopt;
  return number;
}

bool read_flash_attention(std::string_view note, std::string_view engine, std::string_view date) {
  const auto text = lower_case(note);
  for (const std::string_view off : {"no flash attention", "fa 0", "fa off", "fa no;", "fa not", "fa: no"})
    if (has_word(text, off)) return false;
  for (const std::string_view on : {"fa 1", "fa on", "fa yes", "flash attention", "flash_attn 1"})
    if (has_word(text, on)) return true;
  if (!engine.starts_with("llama.cpp")) return true;
  return date.empty() || date >= "2025-09";
}

}  // namespace rigplan
