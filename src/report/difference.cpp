// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigplan/report/json_values.h"
#include "rigplan/report/text_table.h"
#include "text/tr.h"

namespace rigplan {
namespace {

using FlatFields = std::vector<std::pair<std::string, JsonValue>>;

std::optional<double> as_number(const JsonValue& value) {
  if (const auto* integer = value.integer()) return static_cast<double>(*integer);
  if (const auto* real = value.real()) return *real;
  return std::nullopt;
}

const JsonValue* field_of(const FlatFields& fields, const std::string& name) {
  const auto at = std::find_if(fields.begin(), fields.end(), [&](const auto& field) { return field.first == name; });
  return at == fields.end() ? nullptr : &at->second;
}

void add_change(const std::string& row, const std::string& field, const JsonValue& before, const JsonValue& after,
                double tolerance, std::vector<FieldChange>& changes) {
  FieldChange change{row, field, before, after, std::nullopt, std::nullopt};
  const auto old = as_number(before), now = as_number(after);
  if (old && now) {
    const double difference = *now - *old;
    if (std::abs(difference) <= tolerance * std::max(std::abs(*old), std::abs(*now))) return;
    change.difference = difference;
    if (*old != 0) change.relative = difference / std::abs(*old);
  } else if (before == after) {
    return;
  }
  changes.push_back(std::move(change));
}

void compare_fields(const std::string& row, const FlatFields& before, const FlatFields& after, double tolerance,
                    std::vector<FieldChange>& changes) {
  static const JsonValue absent;
  for (const auto& [name, value] : before) {
    const auto* now = field_of(after, name);
    add_change(row, name, value, now ? *now : absent, tolerance, changes);
  }
  for (const auto& [name, value] : after)
    if (!field_of(before, name)) add_change(row, name, absent, value, tolerance, changes);
}

}  // namespace

Difference difference_of(const Result& before, const Result& after, double tolerance) {
  Difference difference;
  compare_fields("", facts_around(before), facts_around(after), tolerance, difference.changes);
  for (const auto& row : before.rows) {
    const auto* now = after.find(row.id);
    if (!now) {
      difference.gone.push_back(row.id);
      continue;
    }
    ++difference.compared;
    compare_fields(row.id, flat_fields(*row.fields), flat_fields(*now->fields), tolerance, difference.changes);
  }
  for (const auto& row : after.rows)
    if (!before.find(row.id)) difference.added.push_back(row.id);
  return difference;
}

namespace {

std::string cell_of(const JsonValue& value) {
  if (value.is_null()) return tr("unknown");
  if (const auto* text = value.text()) return *text;
  if (const auto* yes = value.boolean()) return *yes ? tr("yes") : tr("no");
  if (const auto number = as_number(value)) return fmt::format("{:.6g}", *number);
  return std::string{value.kind()};
}

}  // namespace

std::string difference_to_text(const DifferenceReport& report, const Screen& screen) {
  const auto& difference = report.difference;
  if (difference.empty()) return trf("No difference in {} rows.\n", difference.compared);
  std::string text;
  for (const auto& row : difference.gone) text += fmt::format("- {}\n", row);
  for (const auto& row : difference.added) text += fmt::format("+ {}\n", row);
  if (!text.empty() && !difference.changes.empty()) text += "\n";
  TextTable table{{{tr("row"), Align::left},
                   {tr("field"), Align::left},
                   {tr("before"), Align::right},
                   {tr("after"), Align::right},
                   {tr("difference"), Align::right},
                   {"%", Align::right}}};
  table.narrowed({0, 1}, {4});
  for (const auto& change : difference.changes)
    table.row({change.row.empty() ? tr("(answer)") : change.row, change.field, cell_of(change.before), cell_of(change.after),
               change.difference ? fmt::format("{:+.6g}", *change.difference) : "",
               change.relative ? fmt::format("{:+.3g}", 100 * *change.relative) : ""});
  if (!table.empty()) text += table.text(screen) + "\n";
  return text + trf("Changed fields: {}, in {} rows that both have. Rows gone: {}, added: {}.\n", difference.changes.size(),
                    difference.compared, difference.gone.size(), difference.added.size());
}

JsonValue difference_to_json(const DifferenceReport& report) {
  const auto number_or_null = [](const std::optional<double>& value) { return value ? JsonValue{*value} : JsonValue{}; };
  auto rows = JsonValue::array();
  const auto whole_row = [&](const std::string& row, const char* change) {
    rows.push(JsonValue::object().set("id", row).set("change", change).set("row", row));
  };
  for (const auto& row : report.difference.gone) whole_row(row, "gone");
  for (const auto& row : report.difference.added) whole_row(row, "added");
  for (const auto& change : report.difference.changes)
    rows.push(JsonValue::object()
                  .set("id", change.row.empty() ? change.field : fmt::format("{}: {}", change.row, change.field))
                  .set("change", "changed")
                  .set("row", text_or_null(change.row))
                  .set("field", change.field)
                  .set("before", change.before)
                  .set("after", change.after)
                  .set("difference", number_or_null(change.difference))
                  .set("relative", number_or_null(change.relative)));
  auto query = JsonValue::object();
  query.set("before", report.before).set("after", report.after).set("tolerance", report.tolerance);
  auto json = JsonValue::object();
  json.set("schema", "rigplan/diff/1").set("query", std::move(query)).set("compared", report.difference.compared);
  return json.set("rows", std::move(rows));
}

}  // namespace rigplan
