// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/speed_cross_validation.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "rigplan/validate/errors.h"
#include "rigplan/validate/left_out.h"
#include "rigplan/validate/reported_rates.h"

namespace rigplan {
namespace {

constexpr std::size_t least_rows = 8;  ///< below that a group has no spread of its own

double to_three_places(double value) { return std::round(value * 1e3) / 1e3 + 0.0; }

Prediction with_spread(double likely, const ResidualSpread& spread) {
  return {likely * std::exp(spread.low), likely, likely * std::exp(spread.high)};
}

/// Reported rates against ranges that the reports with another key make.
std::vector<PredictedRow> cross_validate_reports(std::span<const SpeedHeldOut> rates, const Calibration& spreads,
                                                 std::string_view what) {
  std::vector<PredictedRow> predicted;
  for (const auto& rate : rates) {
    const auto key = left_out_key(*rate.row->row, what);
    std::vector<SpeedHeldOut> others;
    std::ranges::remove_copy_if(rates, std::back_inserter(others),
                                [&](const SpeedHeldOut& other) { return left_out_key(*other.row->row, what) == key; });
    Calibration reports;
    reports.spreads.push_back(reported_spread(others));
    const auto& of_rows = spreads.spread(spread_kind(*rate.row), rate.distance);
    predicted.push_back({rate.row->row, with_spread(rate.predicted, with_reports(of_rows, reports))});
  }
  return predicted;
}

}  // namespace

std::vector<SpeedHeldOut> hold_out_speed(std::span<const SpeedRow> rows, std::string_view what, std::span<const SpeedRow> asked,
                                         int folds) {
  const auto fit_rows = speed_fit_rows(rows), asked_rows = speed_fit_rows(asked);
  std::map<const Measurement*, const SpeedRow*> by_measurement;
  for (const auto both : {rows, asked})
    for (const auto& row : both) by_measurement[row.row] = &row;
  const auto held_out = cross_validate(
      "speed", speed_fit_terms(), fit_rows, speed_known_kinds(), [&](const Measurement& m) { return left_out_key(m, what); },
      folds,
      [&](const Calibration& calibration, const FitRow& row) { return speed_distance(calibration, *by_measurement.at(row.row)); },
      speed_fit_options(), asked_rows);
  std::vector<SpeedHeldOut> result;
  for (const auto& row : held_out) result.push_back({by_measurement.at(row.row->row), row.predicted, row.distance});
  return result;
}

std::vector<ResidualSpread> spreads_of(std::span<const SpeedHeldOut> held_out) {
  std::map<std::pair<std::string, std::string>, std::vector<double>> groups;
  for (const auto& row : held_out) {
    if (row.row->quantity == SpeedQuantity::step) continue;  // ranges of serving come from its own calibration
    if (is_reported_rate(*row.row->row)) continue;
    const double log_ratio = std::log(row.row->row->value / row.predicted);
    groups[{std::string{spread_kind(*row.row)}, row.distance}].push_back(log_ratio);
  }
  std::vector<ResidualSpread> spreads;
  for (const auto& [key, ratios] : groups)
    if (ratios.size() >= least_rows)
      spreads.push_back({key.first, key.second, std::min(to_three_places(quantile(ratios, 0.1)), -0.01),
                         std::max(to_three_places(quantile(ratios, 0.9)), 0.01), static_cast<int>(ratios.size())});
  return spreads;
}

std::vector<PredictedRow> cross_validate_speed(std::span<const Measurement> rows, const Catalog& catalog, std::string_view what) {
  std::vector<PredictedRow> predicted;
  std::vector<SpeedRow> mapped, reports;
  for (const auto& row : rows) {
    auto result = map_speed_fit_row(row, catalog);
    if (const auto* question = std::get_if<SpeedRow>(&result))
      (is_reported_rate(row) ? reports : mapped).push_back(*question);
    else
      predicted.push_back({&row, std::get<Skipped>(result)});
  }
  const auto held_out = hold_out_speed(mapped, what, reports);
  Calibration spreads;
  spreads.spreads = spreads_of(held_out);
  spreads.spreads.push_back({"any", "unknown", -std::log(2), std::log(2), 0});  // where a kind has too few rows
  for (const auto& row : held_out) {
    if (is_reported_rate(*row.row->row)) continue;
    const auto& spread = spreads.spread(spread_kind(*row.row), row.distance);
    const bool is_time = row.row->quantity == SpeedQuantity::step;
    const auto of_times = ResidualSpread{spread.kind, spread.distance, -spread.high, -spread.low, spread.rows};
    predicted.push_back({row.row->row, with_spread(row.predicted, is_time ? of_times : spread)});
  }
  if (!reports.empty())
    for (auto& row : cross_validate_reports(ask_reports(reports, held_out, fit_speed_constants(mapped)), spreads, what))
      predicted.push_back(std::move(row));
  return predicted;
}

}  // namespace rigplan
