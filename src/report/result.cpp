// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace rigplan {
namespace {

std::string_view schema_text(const JsonValue& root) {
  const auto* schema = root.find("schema");
  return schema && schema->text() ? std::string_view{*schema->text()} : std::string_view{};
}

std::string_view rows_key(const JsonValue& root) {
  return schema_text(root).starts_with("rigplan/validation/") ? "summary" : "rows";
}

std::string scalar_text(const JsonValue& value) { return value.text() ? *value.text() : to_json_text(value, 0); }

/// The members that name a row of this kind of answer.
std::vector<std::string> naming_members(const JsonValue& root, const JsonValue& row) {
  if (row.find("id")) return {"id"};
  const auto schema = schema_text(root);
  if (schema.starts_with("rigplan/rank/")) return {"build"};
  if (schema.starts_with("rigplan/estimate/") || schema.starts_with("rigplan/plan/")) return {"plan"};
  if (!schema.starts_with("rigplan/validation/")) return {};
  std::vector<std::string> names{"kind", "metric"};
  const auto& members = *row.members();
  if (members.size() > 2 && members[2].value.text()) names.push_back(members[2].key);  // the group
  return names;
}

std::string name_of_row(const JsonValue& root, const JsonValue& row, std::size_t place) {
  std::string name;
  for (const auto& key : naming_members(root, row))
    if (const auto* part = row.find(key)) name += (name.empty() ? "" : " ") + scalar_text(*part);
  return name.empty() ? fmt::format("row {}", place + 1) : name;
}

void add_flat(const std::string& path, const JsonValue& value, std::vector<std::pair<std::string, JsonValue>>& flat) {
  const auto below = [&](std::string_view key) { return path.empty() ? std::string{key} : fmt::format("{}.{}", path, key); };
  if (const auto* members = value.members()) {
    for (const auto& [key, member] : *members) add_flat(below(key), member, flat);
    return;
  }
  const auto* elements = value.elements();
  if (!elements) {
    flat.emplace_back(path, value);
    return;
  }
  if (std::any_of(elements->begin(), elements->end(), [](const JsonValue& e) { return e.members() || e.elements(); })) {
    for (std::size_t i = 0; i < elements->size(); ++i) add_flat(below(std::to_string(i)), (*elements)[i], flat);
    return;
  }
  std::string texts;
  for (const auto& element : *elements) texts += (texts.empty() ? "" : " ") + scalar_text(element);
  flat.emplace_back(path, texts);
}

}  // namespace

const ResultRow* Result::find(std::string_view id) const {
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const ResultRow& row) { return row.id == id; });
  return at == rows.end() ? nullptr : &*at;
}

Result result_of(const JsonValue& root) {
  Result result;
  result.root = &root;
  const auto* rows = root.find(rows_key(root));
  if (!rows || !rows->elements()) return result;
  std::map<std::string, int> seen;
  for (const auto& row : *rows->elements()) {
    if (!row.members()) continue;
    auto id = name_of_row(root, row, result.rows.size());
    if (const int count = ++seen[id]; count > 1) id += fmt::format(" ({})", count);
    result.rows.push_back({std::move(id), &row});
  }
  return result;
}

std::vector<std::pair<std::string, JsonValue>> flat_fields(const JsonValue& object) {
  std::vector<std::pair<std::string, JsonValue>> flat;
  add_flat("", object, flat);
  return flat;
}

std::vector<std::pair<std::string, JsonValue>> facts_around(const Result& result) {
  auto facts = JsonValue::object();
  const auto* members = result.root->members();
  if (!members) return {};
  for (const auto& [key, value] : *members)
    if (key != "schema" && key != "rows" && key != "summary") facts.set(key, value);
  return flat_fields(facts);
}

}  // namespace rigplan
