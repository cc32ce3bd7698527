// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "rigplan/report/validation.h"

namespace rigplan {
namespace {

JsonValue number_or_null(std::optional<double> value) { return value ? JsonValue{*value} : JsonValue{}; }

JsonValue summary_entry(const ErrorSummary& s, const std::string& grouped_by) {
  auto entry = JsonValue::object();
  entry.set("kind", s.kind).set("metric", s.metric);
  if (!grouped_by.empty()) entry.set(grouped_by, s.group);
  auto reasons = JsonValue::object();
  for (const auto& reason : s.skipped) reasons.set(reason.reason, reason.rows);
  entry.set("rows", s.rows)
      .set("predicted", s.predicted)
      .set("skipped", s.rows - s.predicted)
      .set("skipped_share", static_cast<double>(s.rows - s.predicted) / std::max(s.rows, 1))
      .set("skipped_because", std::move(reasons));
  entry.set("median_abs_error", number_or_null(s.median_abs_error)).set("p90_abs_error", number_or_null(s.p90_abs_error));
  return entry.set("bias", number_or_null(s.bias)).set("range_80_coverage", number_or_null(s.range_80_coverage));
}

JsonValue row_entry(const PredictedRow& row) {
  auto entry = JsonValue::object();
  entry.set("id", row.row->id).set("kind", row.row->kind).set("metric", row.row->metric);
  if (const auto* p = row.prediction()) {
    entry.set("predicted", p->likely).set("low", p->low).set("high", p->high).set("measured", row.row->value);
    return entry.set("error", row.error()).set("skipped", JsonValue{});
  }
  const auto& skipped = std::get<Skipped>(row.result);
  for (const char* key : {"predicted", "low", "high"}) entry.set(key, JsonValue{});
  entry.set("measured", row.row->value).set("error", JsonValue{});
  return entry.set("skipped", skipped.detail.empty() ? skipped.reason : skipped.reason + ": " + skipped.detail);
}

}  // namespace

JsonValue to_json(const ValidationReport& report) {
  auto summary = JsonValue::array();
  for (const auto& s : report.summary) summary.push(summary_entry(s, report.grouped_by));
  auto rows = JsonValue::array();
  for (const auto& row : report.rows) rows.push(row_entry(row));
  auto root = JsonValue::object();
  auto outliers = JsonValue::array();
  for (const auto& outlier : report.outliers)
    outliers.push(JsonValue::object().set("id", outlier.row->id).set("reason", outlier.reason));
  root.set("schema", "rigplan/validation/1").set("summary", std::move(summary)).set("outliers", std::move(outliers));
  return root.set("rows", std::move(rows));
}

}  // namespace rigplan
