// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/sweep_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "rigplan/json/value.h"
#include "rigplan/report/question.h"
#include "rigplan/report/rows_format.h"
#include "rigplan/report/text_table.h"
#include "rigplan/units/format.h"
#include "text/tr.h"

namespace rigplan {
namespace {

constexpr double unknown_number = std::numeric_limits<double>::quiet_NaN();

template <class Q>
void put_range(const std::optional<Range<Q>>& range, Q unit, double*& to) {
  *to++ = range ? range->low.in(unit) : unknown_number;
  *to++ = range ? range->likely.in(unit) : unknown_number;
  *to++ = range ? range->high.in(unit) : unknown_number;
}
template <class Q>
void put_likely(const std::optional<Range<Q>>& range, Q unit, double*& to) {
  *to++ = range ? range->likely.in(unit) : unknown_number;
}

/// Only as numbers are written here: "1e3" and "007" stay texts.
bool is_number_text(const std::string& text) {
  double value = 0;
  const auto failure = std::from_chars(text.data(), text.data() + text.size(), value).ec;
  return failure == std::errc{} && std::isfinite(value) && fmt::format("{}", value) == text;
}

void append_json_text(const std::string& text, std::string& out) {
  if (text.empty())
    out += "null";
  else if (text.find_first_of("\"\\\n\r\t") == text.npos)
    out.append(1, '"').append(text).append(1, '"');
  else
    out += to_json_text(JsonValue{text}, 0);
}

}  // namespace

void fill_sweep_row(const Candidate& candidate, JobKind kind, SweepRow& row) {
  const auto& best = candidate.best;
  row.fits = candidate.misfit == Misfit::none;
  row.reason = candidate.why_not;
  if (candidate.misfit == Misfit::no_slots || candidate.misfit == Misfit::no_plan) {
    fill_failed_row(candidate.why_not, row);
    return;
  }
  if (row.named_plan != best.plan) {
    row.plan = plan_text(best.plan, kind);
    row.named_plan = best.plan;
  }
  row.limited_by = best.limited_by;
  const auto inference = best.inference ? std::optional{best.inference->decode_per_user} : std::nullopt;
  double* to = row.numbers.data();
  put_range(inference, token_per_s, to);
  put_likely(best.inference ? std::optional{best.inference->prefill} : std::nullopt, token_per_s, to);
  put_likely(best.inference ? std::optional{best.inference->first_token} : std::nullopt, second, to);
  put_likely(best.training ? std::optional{best.tokens} : std::nullopt, token_per_s, to);
  *to++ = best.fits ? best.usable.likely.in(TFLOP_per_s) : unknown_number;
  put_range(std::optional{candidate.purchase.total}, yuan, to);
  *to++ = candidate.cost.total().likely.in(yuan);
  put_range(candidate.merit.per_usable_rate, yuan_per_TFLOP_per_s, to);
  put_likely(candidate.merit.per_token, yuan_per_Mtoken, to);
  *to++ = best.memory.empty() ? unknown_number : best.memory.front().used.in(GiB);
  *to++ = best.memory.empty() ? unknown_number : best.memory.front().usable.in(GiB);
  *to++ = candidate.wall.peak.in(watt);
  *to++ = candidate.loaded.in(watt);
}

void fill_failed_row(std::string reason, SweepRow& row) {
  row.fits = false;
  std::replace(reason.begin(), reason.end(), '\n', ' ');  // a row is one line in every form
  row.reason = std::move(reason);
  row.plan.clear();
  row.named_plan.reset();
  row.limited_by.clear();
  row.numbers.fill(unknown_number);
}

std::vector<std::string> sweep_column_names(const std::vector<std::string>& fields) {
  std::vector<std::string> names{"point"};
  names.insert(names.end(), fields.begin(), fields.end());
  for (const auto* name : {"fits", "reason", "plan", "limited_by"}) names.emplace_back(name);
  for (const auto& number : sweep_numbers)
    names.push_back(number.part.empty() ? std::string{number.field} : fmt::format("{}.{}", number.field, number.part));
  return names;
}

SweepLines::SweepLines(const std::vector<std::string>& fields) {
  for (const auto& field : fields) axes_.push_back({fmt::format(",{}:", to_json_text(JsonValue{field}, 0)), "", "\"\""});
}

std::string_view SweepLines::number_text(std::size_t column, double value) {
  auto& text = texts_[column];
  if (text.size == 0 || text.value != value) {
    const auto end = std::to_chars(text.letters.data(), text.letters.data() + text.letters.size(), value).ptr;
    text.value = value;
    text.size = static_cast<std::size_t>(end - text.letters.data());
  }
  return {text.letters.data(), text.size};
}

void SweepLines::append_json(const SweepRow& row, std::string& out) {
  out.append("{\"point\":").append(fmt::format_int{row.point}.c_str());
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    auto& axis = axes_[i];
    if (axis.value != row.axis_values[i]) {
      axis.value = row.axis_values[i];
      axis.json = axis_value_json(axis.value);
    }
    out.append(axis.key).append(axis.json);
  }
  out.append(row.fits ? ",\"fits\":true,\"reason\":" : ",\"fits\":false,\"reason\":");
  append_json_text(row.reason, out);
  out += ",\"plan\":";
  append_json_text(row.plan, out);
  out += ",\"limited_by\":";
  append_json_text(row.limited_by, out);
  for (std::size_t i = 0; i < sweep_number_count; ++i) {
    const auto& [field, part] = sweep_numbers[i];
    const double value = row.numbers[i];
    const bool known = std::isfinite(value);
    const bool first = part.empty() || part == "low";
    if (first) out.append(",\"").append(field).append("\":");
    if (!known) {
      if (first) out += "null";
      continue;
    }
    if (!part.empty()) out.append(first ? "{\"" : ",\"").append(part).append("\":");
    out.append(number_text(i, value));
    if (part == "high") out += '}';
  }
  out += "}\n";
}

void SweepLines::append_csv(const SweepRow& row, std::string& out) {
  out.append(fmt::format_int{row.point}.c_str());
  for (const auto& value : row.axis_values) out.append(1, ',').append(csv_cell(value));
  out.append(row.fits ? ",true," : ",false,").append(csv_cell(row.reason));
  out.append(1, ',').append(csv_cell(row.plan)).append(1, ',').append(csv_cell(row.limited_by));
  for (std::size_t i = 0; i < sweep_number_count; ++i) {
    out += ',';
    if (std::isfinite(row.numbers[i])) out.append(number_text(i, row.numbers[i]));
  }
  out += '\n';
}

std::string axis_value_json(const std::string& text) {
  if (!text.empty() && is_number_text(text)) return text;
  return to_json_text(JsonValue{text}, 0);
}

std::string sweep_to_text(const std::vector<std::string>& fields, std::span<const SweepRow> rows, const Screen& screen) {
  std::vector<TextTable::Column> columns;
  for (const auto& field : fields) columns.push_back({field, Align::right});
  columns.insert(columns.end(), {{tr("plan"), Align::left},
                                 {tr("yuan to buy"), Align::right},
                                 {tr("token/s"), Align::right},
                                 {tr("yuan per usable TFLOP/s"), Align::right},
                                 {tr("limited by"), Align::left}});
  TextTable table{columns};
  const auto plan = fields.size();  // axes, plan, price, speed, merit, limit
  table.narrowed({plan, plan + 1, plan + 2, plan + 3, plan + 4}, {plan, plan + 1});
  const auto range_cell = [](const SweepRow& row, std::size_t low) {
    if (!std::isfinite(row.numbers[low])) return tr("unknown");
    return format_range(Range<double>{row.numbers[low], row.numbers[low + 1], row.numbers[low + 2]});
  };
  constexpr std::size_t decode = 0, training = 5, price = 7, merit = 11;
  for (const auto& row : rows) {
    auto cells = row.axis_values;
    const auto speed = std::isfinite(row.numbers[training]) ? format_number(row.numbers[training]) : range_cell(row, decode);
    if (row.fits)
      cells.insert(cells.end(), {tr(row.plan), range_cell(row, price), speed, range_cell(row, merit), tr(row.limited_by)});
    else
      cells.insert(cells.end(), {tr(row.plan), range_cell(row, price), "-", "-", tr(row.reason)});
    table.row_with_tail(std::move(cells));
  }
  return table.text(screen);
}

}  // namespace rigplan
