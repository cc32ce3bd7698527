// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigplan/report/text_table.h"
#include "rigplan/report/validation.h"
#include "rigplan/units/message.h"
#include "text/tr.h"

namespace rigplan {
namespace {

std::string percent(std::optional<double> share) { return share ? fmt::format("{:.1f}", 100 * *share) : "-"; }
std::string signed_percent(std::optional<double> share) { return share ? fmt::format("{:+.1f}", 100 * *share) : "-"; }

/// The last part of a long text, where sources differ.
std::string tail(const std::string& text, std::size_t longest = 48) {
  return text.size() <= longest ? text : "..." + text.substr(text.size() - longest + 3);
}

std::string summary_table(const ValidationReport& report, const Screen& screen) {
  std::vector<TextTable::Column> columns{{tr("kind")}, {tr("metric")}};
  if (!report.grouped_by.empty()) columns.push_back({report.grouped_by});
  for (const char* head :
       {msg("rows"), msg("predicted"), msg("skipped"), msg("median %"), "p90 %", msg("bias %"), msg("in range %")})
    columns.push_back({tr(head), Align::right});
  const auto first = columns.size() - 7;  // rows, predicted, skipped, median, p90, bias, in range
  TextTable table{columns};
  table.narrowed({}, {first + 1, first + 2, first + 5, first});
  for (const auto& s : report.summary) {
    std::vector<std::string> cells{s.kind, s.metric};
    if (!report.grouped_by.empty()) cells.push_back(tail(s.group));
    cells.insert(cells.end(),
                 {fmt::format("{}", s.rows), fmt::format("{}", s.predicted), fmt::format("{}", s.rows - s.predicted),
                  percent(s.median_abs_error), percent(s.p90_abs_error), signed_percent(s.bias), percent(s.range_80_coverage)});
    table.row(std::move(cells));
  }
  return table.text(screen);
}

std::string skipped_table(const ValidationReport& report, const Screen& screen) {
  TextTable table{
      {{tr("skipped because"), Align::left}, {tr("kind"), Align::left}, {tr("metric"), Align::left}, {tr("rows"), Align::right}}};
  table.narrowed({0});
  for (const auto& s : report.summary)
    for (const auto& reason : s.skipped) table.row({tr(reason.reason), s.kind, s.metric, fmt::format("{}", reason.rows)});
  return table.empty() ? "" : "\n" + table.text(screen);
}

std::string worst_table(const ValidationReport& report, const Screen& screen) {
  std::vector<const PredictedRow*> rows;
  for (const auto& row : report.rows)
    if (row.prediction()) rows.push_back(&row);
  std::ranges::stable_sort(rows, std::greater{}, [](const PredictedRow* row) { return std::abs(row->error()); });
  TextTable table{{{tr("row")},
                   {tr("measured"), Align::right},
                   {tr("predicted"), Align::right},
                   {tr("error %"), Align::right},
                   {tr("what")}}};
  table.narrowed({4, 0});
  for (std::size_t i = 0; i < rows.size() && i < static_cast<std::size_t>(report.worst); ++i) {
    const auto& m = *rows[i]->row;
    table.row_with_tail({fmt::format("{}:{}", m.file, m.line), fmt::format("{:.4g}", m.value),
                         fmt::format("{:.4g}", rows[i]->prediction()->likely), fmt::format("{:+.0f}", 100 * rows[i]->error()),
                         fmt::format("{} {} x{} {} {} {} b{} {}", m.kind, m.gpu, m.gpu_count.value_or(1), m.engine, m.model,
                                     m.quant, m.batch.value_or(1), tail(m.source))});
  }
  return table.empty() ? "" : "\n" + table.text(screen);
}

constexpr std::size_t most_outliers = 20;

/// The figures that differ when the outliers are not counted.
std::string without_outliers(const ValidationReport& report, const Screen& screen) {
  std::vector<PredictedRow> kept;
  for (const auto& row : report.rows)
    if (std::ranges::find(report.outliers, row.row, &Outlier::row) == report.outliers.end()) kept.push_back(row);
  TextTable table{{{tr("without them")},
                   {tr("metric")},
                   {tr("rows"), Align::right},
                   {tr("median %"), Align::right},
                   {"p90 %", Align::right}}};
  for (const auto& s : summarize(kept))
    if (std::ranges::any_of(report.outliers,
                            [&](const Outlier& o) { return o.row->kind == s.kind && o.row->metric == s.metric; }))
      table.row({s.kind, s.metric, fmt::format("{}", s.rows), percent(s.median_abs_error), percent(s.p90_abs_error)});
  return "\n" + table.text(screen);
}

std::string outlier_table(const ValidationReport& report, const Screen& screen) {
  if (report.outliers.empty()) return "";
  TextTable table{{{tr("outlier, counted above")}, {tr("measured"), Align::right}, {tr("why")}}};
  table.narrowed({2, 0});
  for (std::size_t i = 0; i < report.outliers.size() && i < most_outliers; ++i) {
    const auto& [row, reason] = report.outliers[i];
    table.row_with_tail(
        {fmt::format("{}:{}", row->file, row->line), fmt::format("{:.4g} {}", row->value, row->metric), tr(reason)});
  }
  auto text = "\n" + table.text(screen);
  if (report.outliers.size() > most_outliers)
    text += trf("and {} more (--format json names them all)\n", report.outliers.size() - most_outliers);
  return text + without_outliers(report, screen);
}

}  // namespace

std::string to_text(const ValidationReport& report, const Screen& screen) {
  return summary_table(report, screen) + skipped_table(report, screen) + outlier_table(report, screen) +
         (report.worst > 0 ? worst_table(report, screen) : "");
}

}  // namespace rigplan
