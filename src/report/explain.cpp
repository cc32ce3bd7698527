// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/explain.h"

#include <fmt/format.h>

#include "report/explain_terms.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"
#include "text/tr.h"

namespace rigplan {

Term figure_term(const Entry& entry, std::string_view field, std::string_view name) {
  Term term;
  term.name = fmt::format("{} of {}", name.empty() ? field : name, entry.name.empty() ? entry.id : entry.name);
  const auto* figure = find_figure(entry, field);
  if (!figure) {
    term.value = msg("unknown");
    return term;
  }
  term.value = figure->value;
  term.kind = to_text(figure->kind);
  term.file = entry.file;
  term.sources = figure->sources;
  for (const auto& other : figure->also) term.also.push_back(other.value);
  return term;
}

Term explain_candidate(const Candidate& candidate, const Query& query, const TransformerModel& model, const Catalog& catalog,
                       const Calibrations& calibrations) {
  Term root;
  root.name = msg("yuan per usable TFLOP/s");
  const auto& merit = candidate.merit.per_usable_rate;
  root.value =
      merit ? format_range(map_range(*merit, [](auto v) { return v.in(yuan_per_TFLOP_per_s); })) : msg("none: nothing is usable");
  root.formula = msg("cost over the horizon / usable TFLOP/s");
  root.parts.push_back(explain_cost(candidate, query, catalog));
  root.parts.push_back(explain_usable(candidate, query, model, catalog, calibrations));
  return root;
}

namespace {

std::string provenance(const Term& term) {
  auto text = tr(term.kind);
  for (const auto& source : term.sources) {
    text += fmt::format("{}{}", text.empty() ? "" : "; ", tr(source.where));
    if (!source.date.empty()) text += ", " + source.date;
  }
  if (!term.file.empty()) text += fmt::format("{}{}", text.empty() ? "" : "; ", term.file);
  for (const auto& other : term.also) text += trf("; another source says {}", other);
  return text;
}

/// "board power of GeForce RTX 3090": a figure and whose it is, unless the whole is a message.
std::string name_in_language(std::string_view name) {
  constexpr std::string_view of = " of ";
  const auto is_message = [](std::string_view text) {
    return translated_format({text.data(), text.size()}).data() != text.data();
  };
  if (is_message(name)) return tr(name);
  auto end = name.find(of);  // a key has no space
  for (auto at = end; at != std::string_view::npos; at = name.find(of, at + 1))
    if (is_message(name.substr(0, at))) end = at;
  if (end == std::string_view::npos) return tr(name);
  return tr(name.substr(0, end)) + trc("figure", " of ") + tr(name.substr(end + of.size()));
}

void add_lines(std::string& text, const Term& term, const std::string& first, const std::string& rest) {
  text += first + name_in_language(term.name) + trc("list", ": ") + tr(term.value);
  if (!term.formula.empty()) text += fmt::format("  = {}", tr(term.formula));
  if (const auto from = provenance(term); !from.empty()) text += fmt::format("  [{}]", from);
  text += "\n";
  for (std::size_t i = 0; i < term.parts.size(); ++i) {
    const bool last = i + 1 == term.parts.size();
    add_lines(text, term.parts[i], rest + (last ? "└ " : "├ "), rest + (last ? "  " : "│ "));
  }
}

JsonValue term_json(const Term& term) {
  auto json = JsonValue::object();
  json.set("name", term.name).set("value", term.value);
  if (!term.formula.empty()) json.set("formula", term.formula);
  if (!term.kind.empty()) json.set("kind", term.kind);
  if (!term.file.empty()) json.set("file", term.file);
  if (!term.sources.empty()) {
    auto sources = JsonValue::array();
    for (const auto& source : term.sources)
      sources.push(
          JsonValue::object().set("where", source.where).set("date", source.date.empty() ? JsonValue{} : JsonValue{source.date}));
    json.set("sources", std::move(sources));
  }
  if (!term.also.empty()) {
    auto also = JsonValue::array();
    for (const auto& other : term.also) also.push(other);
    json.set("also", std::move(also));
  }
  if (!term.parts.empty()) {
    auto parts = JsonValue::array();
    for (const auto& part : term.parts) parts.push(term_json(part));
    json.set("parts", std::move(parts));
  }
  return json;
}

}  // namespace

std::string explanation_to_text(const Term& term) {
  std::string text;
  add_lines(text, term, "", "");
  return text;
}

JsonValue explanation_to_json(const Term& term) {
  return JsonValue::object().set("schema", "rigplan/explain/1").set("term", term_json(term));
}

}  // namespace rigplan
