// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <tuple>

namespace rigplan {
namespace {

constexpr std::string_view group_columns[] = {"gpu",    "gpu_count", "engine",   "model",
                                              "source", "quant",     "parallel", "message_bytes"};

std::vector<ErrorSummary::Reason> count_reasons(std::span<const PredictedRow* const> rows) {
  std::map<std::string, int> counts;
  for (const auto* row : rows)
    if (const auto* skipped = std::get_if<Skipped>(&row->result)) ++counts[skipped->reason];
  std::vector<ErrorSummary::Reason> reasons;
  for (const auto& [reason, count] : counts) reasons.push_back({reason, count});
  std::ranges::stable_sort(reasons, std::greater{}, &ErrorSummary::Reason::rows);
  return reasons;
}

void fill_errors(ErrorSummary& summary, std::span<const PredictedRow* const> rows) {
  std::vector<double> sizes, errors;
  int inside = 0;
  for (const auto* row : rows) {
    if (!row->prediction()) continue;
    errors.push_back(row->error());
    sizes.push_back(std::abs(row->error()));
    inside += row->inside();
  }
  summary.predicted = static_cast<int>(errors.size());
  if (errors.empty()) return;
  summary.median_abs_error = quantile(sizes, 0.5);
  summary.p90_abs_error = quantile(sizes, 0.9);
  summary.bias = quantile(errors, 0.5);
  summary.range_80_coverage = inside / static_cast<double>(errors.size());
}

}  // namespace

std::span<const std::string_view> grouping_columns() { return group_columns; }

std::string group_of(const Measurement& row, std::string_view column) {
  if (column.empty()) return {};
  if (column == "gpu") return row.gpu;
  if (column == "gpu_count") return row.gpu_count ? fmt::format("{}", *row.gpu_count) : "";
  if (column == "engine") return row.engine;
  if (column == "model") return row.model;
  if (column == "source") return row.source;
  if (column == "quant") return row.quant;
  if (column == "parallel") return row.parallel;
  // Two classes: below 1 MiB latencies decide, from there on rates. A peak rate without a size is that of a large message.
  if (column == "message_bytes")
    return row.kind != "collective" ? "" : row.message_bytes.value_or(1 << 30) < 1 << 20 ? "below 1 MiB" : "from 1 MiB";
  throw std::logic_error{fmt::format("rows cannot be grouped by \"{}\"", column)};
}

std::vector<ErrorSummary> summarize(std::span<const PredictedRow> rows, std::string_view column) {
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<const PredictedRow*>> groups;
  for (const auto& row : rows) groups[{row.row->kind, row.row->metric, group_of(*row.row, column)}].push_back(&row);
  std::vector<ErrorSummary> summaries;
  for (const auto& [key, members] : groups) {
    ErrorSummary summary;
    std::tie(summary.kind, summary.metric, summary.group) = key;
    summary.rows = static_cast<int>(members.size());
    summary.skipped = count_reasons(members);
    fill_errors(summary, members);
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const double at = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(at));
  const auto above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - std::floor(at)) * (values[above] - values[below]);
}

}  // namespace rigplan
