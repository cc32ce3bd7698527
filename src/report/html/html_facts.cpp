// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "rigplan/report/catalog_entry.h"
#include "rigplan/report/html_report.h"
#include "rigplan/report/json_values.h"

namespace rigplan {
namespace {

/// Members of answers whose text is the id of a catalog entry.
constexpr std::array<std::string_view, 8> naming_keys{"gpu", "host", "item", "model", "tariff", "engine", "board", "offer"};

/// Every id and every warning code that an answer names, in the order in which they are met.
struct Named {
  std::vector<std::string> ids, codes;
  std::set<std::string> seen;

  void add(std::vector<std::string>& list, const std::string& text) {
    if (seen.insert(text).second) list.push_back(text);
  }
  void collect(const JsonValue& value, std::string_view key) {
    if (const auto* text = value.text()) {
      if (std::find(naming_keys.begin(), naming_keys.end(), key) != naming_keys.end()) add(ids, *text);
      if (text->starts_with("W_")) add(codes, text->substr(0, text->find_first_of(": ")));
    } else if (const auto* elements = value.elements()) {
      for (const auto& element : *elements) collect(element, key);
    } else if (const auto* members = value.members()) {
      for (const auto& member : *members) collect(member.value, member.key);
    }
  }
};

/// The sources of an entry: what each one says, of which fields, dated.
JsonValue entry_sources(const CatalogEntryReport& report) {
  using Statement = std::array<std::string, 3>;  // where, date, kind
  std::vector<std::pair<Statement, std::vector<std::string>>> statements;
  const auto add = [&](const Source& source, std::string kind, const std::string& field) {
    const Statement statement{source.where, source.date, std::move(kind)};
    auto at = std::find_if(statements.begin(), statements.end(), [&](const auto& known) { return known.first == statement; });
    if (at == statements.end()) at = statements.insert(at, {statement, {}});
    if (std::find(at->second.begin(), at->second.end(), field) == at->second.end()) at->second.push_back(field);
  };
  for (const auto& figure : report.entry.figures)
    for (const auto& source : figure.sources.all()) add(source, std::string{to_text(figure.kind)}, figure.field);
  for (const auto& row : report.price_rows)
    add({row.row.source.where, row.row.date}, std::string{to_text(row.row.kind)}, "price");
  auto json = JsonValue::array();
  for (const auto& [statement, fields] : statements)
    json.push(JsonValue::object()
                  .set("where", statement[0])
                  .set("date", text_or_null(statement[1]))
                  .set("kind", statement[2])
                  .set("fields", texts_json(fields)));
  return json;
}

}  // namespace

HtmlFacts html_facts(std::span<const JsonValue> answers, const Catalog& catalog, std::span<const TransformerModel> models) {
  Named named;
  for (const auto& answer : answers) named.collect(answer, "");
  HtmlFacts facts{JsonValue::array(), JsonValue::array()};
  std::set<std::string> shown;
  for (const auto& id : named.ids) {
    const auto report = catalog_entry(catalog, models, id);
    if (!report || !shown.insert(report->family + "/" + report->entry.id).second) continue;
    facts.entries.push(JsonValue::object()
                           .set("id", report->entry.id)
                           .set("name", report->entry.name.empty() ? report->entry.id : report->entry.name)
                           .set("family", report->family)
                           .set("sources", entry_sources(*report)));
  }
  for (const auto& code : named.codes)
    if (const auto report = warning_report(catalog, code))
      facts.warnings.push(JsonValue::object()
                              .set("code", report->warning.id)
                              .set("title", report->warning.title)
                              .set("meaning", report->warning.meaning)
                              .set("check", text_or_null(report->warning.check)));
  return facts;
}

}  // namespace rigplan
