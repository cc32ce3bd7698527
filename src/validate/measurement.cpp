// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <variant>

#include "rigplan/json/data_error.h"
#include "rigplan/units/message.h"
#include "rigplan/units/parse.h"
#include "rigplan/validate/csv.h"

namespace rigplan {
namespace {

using Text = std::string Measurement::*;
using Count = std::optional<int> Measurement::*;
using Number = std::optional<double> Measurement::*;
using Required = double Measurement::*;

struct Column {
  std::string_view name;
  std::variant<Text, Count, Number, Required> field;
};

constexpr Column columns[] = {
    {"id", &Measurement::id},
    {"kind", &Measurement::kind},
    {"gpu", &Measurement::gpu},
    {"gpu_count", &Measurement::gpu_count},
    {"nodes", &Measurement::nodes},
    {"link", &Measurement::link},
    {"node_link", &Measurement::node_link},
    {"p2p", &Measurement::p2p},
    {"parallel", &Measurement::parallel},
    {"engine", &Measurement::engine},
    {"engine_date", &Measurement::engine_date},
    {"model", &Measurement::model},
    {"quant", &Measurement::quant},
    {"weights_gib", &Measurement::weights_gib},
    {"batch", &Measurement::batch},
    {"context", &Measurement::context},
    {"prompt", &Measurement::prompt},
    {"generate", &Measurement::generate},
    {"kv_quant", &Measurement::kv_quant},
    {"method", &Measurement::method},
    {"precision", &Measurement::precision},
    {"seq", &Measurement::seq},
    {"micro_batch", &Measurement::micro_batch},
    {"global_batch", &Measurement::global_batch},
    {"checkpointing", &Measurement::checkpointing},
    {"optimizer", &Measurement::optimizer},
    {"collective", &Measurement::collective},
    {"message_bytes", &Measurement::message_bytes},
    {"metric", &Measurement::metric},
    {"value", &Measurement::value},
    {"source", &Measurement::source},
    {"note", &Measurement::note},
};
constexpr auto column_names = [] {
  std::array<std::string_view, std::size(columns)> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = columns[i].name;
  return names;
}();

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Reads the fields of one record, knowing where it stands.
class Row {
 public:
  Row(const std::string& file, int line) : place_{file, line, ""} {}

  void set(Measurement& row, const Column& column, std::string_view text) const {
    text = trimmed(text);
    if (const auto* field = std::get_if<Text>(&column.field)) {
      row.*(*field) = text;
    } else if (const auto* count = std::get_if<Count>(&column.field)) {
      if (!text.empty()) row.*(*count) = whole(column, text);
    } else if (const auto* number = std::get_if<Number>(&column.field)) {
      if (!text.empty()) row.*(*number) = real(column, text);
    } else {
      row.*std::get<Required>(column.field) = real(column, text);
    }
  }
  [[noreturn]] void fail(const std::string& message) const { throw DataError{place_, message}; }

 private:
  double real(const Column& column, std::string_view text) const {
    const auto number = parse_number(text);
    if (const auto* error = std::get_if<UnitError>(&number)) fail(fmt::format("column {}: {}", column.name, error->message));
    return std::get<double>(number);
  }
  int whole(const Column& column, std::string_view text) const {
    const double number = real(column, text);
    if (number != std::floor(number) || number > 1e9)
      fail(fmt::format("column {}: \"{}\" is not a whole number below 1,000,000,000", column.name, text));
    return static_cast<int>(number);
  }
  Place place_;
};

std::vector<const Column*> read_header(const std::string& file, const CsvRecord& header) {
  const Row row{file, header.line};
  const std::vector<std::string> known(column_names.begin(), column_names.end());
  std::vector<const Column*> order;
  for (const auto& field : header.fields) {
    const auto* column = std::ranges::find(columns, trimmed(field), &Column::name);
    if (column == std::end(columns))
      row.fail(fmt::format("has the unknown column \"{}\"{}", field, did_you_mean(trimmed(field), known)));
    if (std::ranges::find(order, column) != order.end()) row.fail(fmt::format("has the column \"{}\" twice", column->name));
    order.push_back(column);
  }
  for (const std::string_view needed : {"kind", "metric", "value"})
    if (std::ranges::none_of(order, [&](const Column* column) { return column->name == needed; }))
      row.fail(fmt::format("has no column \"{}\"; expected a header line that names kind, metric and value", needed));
  return order;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string{"\"\""} : std::string{c};
  return result + '"';
}

std::string field_text(const Measurement& row, const Column& column) {
  if (const auto* field = std::get_if<Text>(&column.field)) return quoted(row.*(*field));
  if (const auto* count = std::get_if<Count>(&column.field)) return row.*(*count) ? fmt::format("{}", *(row.*(*count))) : "";
  if (const auto* number = std::get_if<Number>(&column.field)) return row.*(*number) ? fmt::format("{}", *(row.*(*number))) : "";
  return fmt::format("{}", row.*std::get<Required>(column.field));
}

}  // namespace

std::string Measurement::where() const { return fmt::format("{}:{} ({})", file, line, id); }

std::span<const std::string_view> measurement_columns() { return column_names; }

std::vector<Measurement> read_measurements(const std::string& file, std::string_view text) {
  const auto records = parse_csv(file, text);
  if (records.empty()) throw DataError{{file, 0, ""}, msg("is empty; expected a header line and rows")};
  const auto order = read_header(file, records.front());
  std::vector<Measurement> rows;
  std::map<std::string, int> lines;
  for (std::size_t i = 1; i < records.size(); ++i) {
    const auto& record = records[i];
    const Row at{file, record.line};
    if (record.fields.size() != order.size())
      at.fail(fmt::format("has {} fields; expected {} as in the header", record.fields.size(), order.size()));
    Measurement row;
    for (std::size_t c = 0; c < order.size(); ++c) at.set(row, *order[c], record.fields[c]);
    row.file = file;
    row.line = record.line;
    if (row.id.empty()) row.id = fmt::format("line-{}", record.line);
    if (row.kind.empty() || row.metric.empty()) at.fail("has no kind or no metric");
    if (!(row.value > 0)) at.fail(fmt::format("column value: {} is not above 0", row.value));
    if (const auto [first, is_new] = lines.emplace(row.id, record.line); !is_new)
      at.fail(fmt::format("has the id \"{}\", which stands in line {} too", row.id, first->second));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string to_csv(std::span<const Measurement> rows) {
  std::string text = fmt::format("{}\n", fmt::join(column_names, ","));
  for (const auto& row : rows) {
    for (const auto& column : columns) text += (&column == columns ? "" : ",") + field_text(row, column);
    text += '\n';
  }
  return text;
}

}  // namespace rigplan
