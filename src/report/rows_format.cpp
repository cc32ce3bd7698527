// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/rows_format.h"

#include <fmt/format.h>

#include <algorithm>

#include "rigplan/report/result.h"

namespace rigplan {
namespace {

struct FlatTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< a cell for each column
};

std::string plain_cell(const JsonValue& value) {
  if (value.is_null()) return "";
  return value.text() ? *value.text() : to_json_text(value, 0);
}

FlatTable flat_table(const JsonValue& answer) {
  FlatTable table;
  std::vector<std::vector<std::pair<std::string, JsonValue>>> rows;
  for (const auto& row : result_of(answer).rows) rows.push_back(flat_fields(*row.fields));
  // A range that is unknown in one row is one null there and three columns elsewhere.
  const auto divided = [&](const std::string& name) {
    return std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
      return std::any_of(row.begin(), row.end(), [&](const auto& field) { return field.first.starts_with(name + "."); });
    });
  };
  for (const auto& row : rows)
    for (const auto& [name, value] : row)
      if (std::find(table.columns.begin(), table.columns.end(), name) == table.columns.end() &&
          !(value.is_null() && divided(name)))
        table.columns.push_back(name);
  for (const auto& row : rows) {
    auto& cells = table.rows.emplace_back(table.columns.size());
    for (const auto& [name, value] : row) {
      const auto at = std::find(table.columns.begin(), table.columns.end(), name);
      if (at != table.columns.end()) cells[static_cast<std::size_t>(at - table.columns.begin())] = plain_cell(value);
    }
  }
  return table;
}

std::string markdown_cell(const std::string& text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|' || c == '\\') cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

}  // namespace

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return std::string{text};
  std::string cell{'"'};
  for (const char c : text) cell += c == '"' ? std::string{"\"\""} : std::string{c};
  return cell + '"';
}

std::string rows_to_csv(const JsonValue& answer) {
  const auto table = flat_table(answer);
  std::string text;
  const auto add_line = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) text += (i == 0 ? "" : ",") + csv_cell(cells[i]);
    text += "\n";
  };
  add_line(table.columns);
  for (const auto& row : table.rows) add_line(row);
  return text;
}

std::string rows_to_markdown(const JsonValue& answer) {
  const auto table = flat_table(answer);
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) { return !row[i].empty(); })) shown.push_back(i);
  if (shown.empty()) return "No rows.\n";
  std::string text = "|", rule = "|";
  for (const auto i : shown) {
    text += fmt::format(" {} |", markdown_cell(table.columns[i]));
    rule += " --- |";
  }
  text += "\n" + rule + "\n";
  for (const auto& row : table.rows) {
    text += "|";
    for (const auto i : shown) text += fmt::format(" {} |", markdown_cell(row[i]));
    text += "\n";
  }
  return text;
}

namespace {

struct BenchField {
  std::string_view field, unit;
  BenchKind kind;
};
constexpr BenchField bench_fields[] = {{"decode_tokens_per_s", "token/s", BenchKind::bigger},
                                       {"prefill_tokens_per_s", "token/s", BenchKind::bigger},
                                       {"training_tokens_per_s", "token/s", BenchKind::bigger},
                                       {"usable_tflops", "TFLOP/s", BenchKind::bigger},
                                       {"first_token_s", "s", BenchKind::smaller},
                                       {"price_yuan", "yuan", BenchKind::smaller},
                                       {"cost_yuan", "yuan", BenchKind::smaller},
                                       {"yuan_per_usable_tflop", "yuan per TFLOP/s", BenchKind::smaller},
                                       {"yuan_per_mtoken", "yuan per Mtoken", BenchKind::smaller},
                                       {"wall_watts", "W", BenchKind::smaller}};

}  // namespace

JsonValue rows_to_bench(const JsonValue& answer, BenchKind kind) {
  auto entries = JsonValue::array();
  for (const auto& row : result_of(answer).rows)
    for (const auto& [field, unit, better] : bench_fields) {
      const auto* value = row.fields->find(field);
      if (better != kind || !value || value->is_null()) continue;
      auto entry = JsonValue::object().set("name", fmt::format("{}: {}", row.id, field)).set("unit", unit);
      const auto* likely = value->find("likely");
      entry.set("value", likely ? *likely : *value);
      if (likely)
        entry.set("range", fmt::format("{} to {}", to_json_text(*value->find("low"), 0), to_json_text(*value->find("high"), 0)));
      entries.push(std::move(entry));
    }
  return entries;
}

}  // namespace rigplan
