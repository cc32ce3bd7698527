// SPDX-License-Identifier: Apache-2.0
#include "import/bench_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rigplan/units/message.h"
#include "validate/names.h"
#include "validate/row_text.h"

namespace rigplan {
namespace {

/// "NVIDIA A100-SXM4-80GB" and "A100 SXM4 80GB" are spelled alike.
std::string squashed_card_name(std::string_view name) {
  auto text = lower_case(name);
  std::replace(text.begin(), text.end(), '-', ' ');
  return text;
}

}  // namespace

void BenchRows::ask(std::string subject, std::string text) {
  if (asked_.insert(subject + '\n' + text).second) result_.questions.push_back({std::move(subject), std::move(text)});
}

std::string BenchRows::card(std::string_view called) {
  if (!facts_.gpu.empty()) return facts_.gpu;
  const auto text = squashed_card_name(called);
  const auto without_maker = text.substr(text.find(' ') == text.npos ? 0 : text.find(' ') + 1);
  std::vector<std::string> longest, wider;
  std::size_t length = 0;
  for (const auto& gpu : catalog_.gpus.entries) {
    auto names = gpu.aliases;
    names.push_back(gpu.name);
    for (const auto& one : names) {
      const auto name = squashed_card_name(one);
      if (name.empty() || text.empty()) continue;
      if (name == text || name == without_maker) return gpu.id;
      if (has_word(text, name) && name.size() >= length) {
        if (name.size() > length) longest.clear();
        length = name.size();
        longest.push_back(gpu.id);
      }
      // "NVIDIA GeForce RTX 3080" where the catalog tells sizes of memory apart.
      if (name.starts_with(without_maker)) wider.push_back(gpu.id);
    }
  }
  const auto& found = wider.empty() ? longest : wider;
  if (found.size() == 1) return found.front();
  if (called.empty())
    ask("gpu", msg("the file does not name the cards; give --gpu ID"));
  else if (found.empty())
    ask("gpu", fmt::format("\"{}\" is no card of the catalog; give --gpu ID", called));
  else
    ask("gpu", fmt::format("\"{}\" could be {}; give --gpu ID", called, fmt::join(found, ", ")));
  return {};
}

void BenchRows::set_model(Measurement& row, std::initializer_list<std::string_view> texts) {
  row.model = facts_.model;
  row.quant = facts_.quant;
  for (const auto text : texts) {
    if (row.model.empty() && find_model(text) != nullptr) row.model = find_model(text)->id;
    if (row.quant.empty() && find_mix(text, row.engine) != nullptr) row.quant = find_mix(text, row.engine)->name;
  }
  const std::string_view called = texts.size() > 0 ? *texts.begin() : std::string_view{};
  if (row.model.empty()) {
    ask("model", fmt::format("\"{}\" is no known model; give --model ID", called));
    row.model = called;
  }
  if (row.quant.empty()) ask("quant", fmt::format("\"{}\" names no number format; give --quant FORMAT", called));
}

void BenchRows::add(Measurement row) {
  // Blanks at the ends of a foreign file's texts would be gone once the row is read again.
  for (auto* text : {&row.engine, &row.engine_date, &row.model, &row.parallel, &row.kv_quant, &row.note}) {
    text->erase(text->find_last_not_of(" \t") + 1);
    text->erase(0, std::min(text->find_first_not_of(" \t"), text->size()));
  }
  const auto set = [](std::string& field, const std::string& known) {
    if (!known.empty()) field = known;
  };
  set(row.link, facts_.link);
  set(row.node_link, facts_.node_link);
  set(row.p2p, facts_.p2p);
  set(row.parallel, facts_.parallel);
  set(row.engine, facts_.engine);
  if (facts_.gpu_count) row.gpu_count = facts_.gpu_count;
  if (facts_.nodes) row.nodes = facts_.nodes;
  row.source = facts_.source.empty() ? name_ : facts_.source;
  row.id = fmt::format("row-{}", result_.rows.size() + 1);
  if (row.gpu_count.value_or(1) > 1 && row.link.empty())
    ask("link", msg("the file does not say how the cards are connected; give --link, such as \"PCIe 4.0 x16\" or \"NVSwitch\""));
  result_.rows.push_back(std::move(row));
}

}  // namespace rigplan
