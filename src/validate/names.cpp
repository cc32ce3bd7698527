// SPDX-License-Identifier: Apache-2.0
#include "validate/names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string>
#include <vector>

#include "rigplan/workload/model_library.h"

namespace rigplan {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Without "-", so that "Llama 2 7B", "llama-2-7b" and "Llama2-7B" are one.
std::string squashed(std::string_view folded) {
  std::string out;
  for (const char c : folded) {
    if (c != '-') out += c;
  }
  return out;
}

struct Names {
  ModelLibrary library;
  std::map<std::string, const TransformerModel*, std::less<>> by_name;

  Names() {
    for (const auto& model : library.entries()) {
      add(model.id, model);
      for (const auto& alias : model.aliases) add(alias, model);
    }
  }
  void add(std::string_view name, const TransformerModel& model) { by_name.emplace(squashed(folded_model_name(name)), &model); }
  const TransformerModel* find(std::string_view folded) const {
    const auto at = by_name.find(squashed(folded));
    return at == by_name.end() ? nullptr : at->second;
  }
};

const Names& names() {
  static const Names all;
  return all;
}

/// Owners that file names carry in front: "nvidia_Nemotron-...".
constexpr std::string_view owners[] = {"qwen",      "google",      "microsoft", "nvidia",        "meta",
                                       "mistralai", "deepseek-ai", "openai",    "thudm",         "baidu",
                                       "arcee-ai",  "ibm-granite", "zai-org",   "cohere",        "cohereforai",
                                       "unsloth",   "tiiuae",      "bartowski", "huggingfacetb", "lmstudio-community"};

/// Endings that do not change the shape. A size ("8b") or a generation never stands here.
constexpr std::string_view endings[] = {
    "instruct", "it",      "chat", "hf",          "base",       "gguf",      "awq",   "gptq", "exl2",    "mlx",      "bnb",
    "fp8",      "fp16",    "f16",  "bf16",        "nvfp4",      "mxfp4",     "fp4",   "int4", "int8",    "4bit",     "8bit",
    "w4a16",    "w8a16",   "w8a8", "dynamic",     "qat",        "mtp",       "ud",    "text", "preview", "thinking", "pt",
    "class",    "imatrix", "i1",   "ggml",        "quantized",  "marlin",    "gemm",  "gemv", "block",   "128k",     "1m",
    "4k",       "g128",    "g32",  "abliterated", "uncensored", "reasoning", "think", "kv"};

bool droppable(std::string_view token) {
  if (std::ranges::find(endings, token) != std::end(endings)) return true;
  // Dates ("2507", "20250414"), versions ("v0.2") and number formats ("q4", "iq3-xxs").
  if ((token.size() == 4 || token.size() == 6 || token.size() == 8) && std::ranges::all_of(token, is_digit)) return true;
  if (token.size() >= 2 && token[0] == 'v' && is_digit(token[1])) return true;
  if (token.size() >= 2 && token[0] == 'q' && is_digit(token[1]) && token.size() <= 3) return true;
  return token == "k" || token == "m" || token == "s" || token == "l" || token == "xl" || token == "xs" || token == "xxs" ||
         token == "0" || token == "1" || (token.size() == 3 && token.starts_with("iq"));
}

/// The text up to what a source added in words: "(inferred)", " class", ", 37 of 49 layers".
std::string_view plain(std::string_view text) {
  for (const auto* mark : {" (", "(", ", ", ";"}) {
    if (const auto at = text.find(mark); at != std::string_view::npos && at > 0) text = text.substr(0, at);
  }
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

const TransformerModel* find_shortened(std::string folded) {
  while (!folded.empty()) {
    if (const auto* model = names().find(folded)) return model;
    const auto dash = folded.rfind('-');
    if (dash == std::string::npos) return nullptr;
    std::string_view last = std::string_view{folded}.substr(dash + 1);
    if (!droppable(last)) {
      // A format behind a point: "model.q4-k-m", "chat-v1.0.i1".
      const auto point = last.rfind('.');
      if (point == std::string_view::npos || !droppable(last.substr(point + 1)) || is_digit(last[point + 1])) return nullptr;
      folded.resize(dash + 1 + point);
      continue;
    }
    folded.resize(dash);
  }
  return nullptr;
}

/// Without variant words in the middle: "qwen2.5-coder-instruct-7b" keeps its size at the end.
std::string without_variants(std::string_view folded) {
  std::string out;
  for (std::size_t i = 0; i <= folded.size();) {
    const auto end = std::min(folded.find('-', i), folded.size());
    const auto token = folded.substr(i, end - i);
    if (token != "instruct" && token != "chat" && token != "it" && token != "hf" && token != "gguf") {
      if (!out.empty()) out += '-';
      out += token;
    }
    i = end + 1;
  }
  return out;
}

/// Words of letters, digits and "_".
std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
      out.back() += c;
    else if (!out.back().empty())
      out.emplace_back();
  }
  if (out.back().empty()) out.pop_back();
  return out;
}

bool keeps_gguf(std::string_view engine) {
  constexpr std::string_view parts[] = {"llama", "ollama", "kobold", "gguf"};
  return std::any_of(std::begin(parts), std::end(parts), [&](std::string_view part) {
    return std::search(engine.begin(), engine.end(), part.begin(), part.end(),
                       [](char a, char b) { return std::tolower(a) == b; }) != engine.end();
  });
}

}  // namespace

const TransformerModel* find_model(std::string_view text) {
  auto folded = folded_model_name(text);
  if (const auto* model = names().find(folded)) return model;
  folded = folded_model_name(plain(text));
  if (const auto* model = find_shortened(folded)) return model;
  if (const auto* model = find_shortened(without_variants(folded))) return model;
  for (const auto owner : owners) {
    if (folded.starts_with(owner) && folded.size() > owner.size() && folded[owner.size()] == '-') {
      const auto rest = folded.substr(owner.size() + 1);
      if (const auto* model = find_shortened(rest)) return model;
      if (const auto* model = find_shortened(without_variants(rest))) return model;
    }
  }
  return nullptr;
}

const WeightMix* find_mix(std::string_view text, std::string_view engine) {
  const WeightMix* found = find_weight_mix(text);
  if (!found) {
    const auto tokens = words(text);
    std::size_t longest = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      std::string joined;
      for (std::size_t n = i; n < std::min(tokens.size(), i + 4); ++n) {
        joined += tokens[n];
        const auto* mix = joined.size() > longest ? find_weight_mix(joined) : nullptr;
        if (!mix) continue;
        found = mix;
        longest = joined.size();
      }
    }
  }
  // Checkpoints trained for 4 bits are trained for Q4_0's grid and converted to it.
  if (found && found->bulk->name == "Q4_K" && std::ranges::count(words(text), "QAT") > 0) return find_weight_mix("Q4_0");
  if (found && found->name == "MXFP4" && keeps_gguf(engine)) return find_weight_mix("MXFP4_GGUF");
  return found;
}

const NumberFormat* find_cache_format(std::string_view text) {
  if (text.empty() || text == "auto") return find_number_format("F16");
  if (const auto* format = find_number_format(text)) return format;
  for (const auto& word : words(text)) {
    if (const auto* format = find_number_format(word)) return format;
  }
  return nullptr;
}

}  // namespace rigplan
