// SPDX-License-Identifier: Apache-2.0
// Ranges of questions that do not state the engine's build.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <set>

#include "rigplan/validate/reported_rates.h"
#include "validate/shipped_rows.h"

using namespace rigplan;

namespace {

/// Reports with these ratios of measured to predicted; a source is named by its number.
struct Reports {
  std::vector<Measurement> rows;
  std::vector<SpeedRow> questions;
  std::vector<SpeedHeldOut> asked;

  explicit Reports(const std::vector<std::pair<int, double>>& ratios) : rows(ratios.size()), questions(ratios.size()) {
    for (std::size_t i = 0; i < ratios.size(); ++i) {
      rows[i].source = fmt::format("{}", ratios[i].first);
      rows[i].value = 100 * ratios[i].second;
      questions[i].row = &rows[i];
      asked.push_back({&questions[i], 100, "known"});
    }
  }
};

/// `sources` sources with one report each, of which the i-th measured i per cent of what is predicted.
std::vector<std::pair<int, double>> one_each(int sources) {
  std::vector<std::pair<int, double>> ratios;
  for (int i = 1; i <= sources; ++i) ratios.emplace_back(i, 0.01 * i);
  return ratios;
}

double low(const std::vector<std::pair<int, double>>& ratios) { return std::exp(reported_spread(Reports{ratios}.asked).low); }

std::vector<SpeedHeldOut> without_source(std::span<const SpeedHeldOut> asked, const std::string& source) {
  std::vector<SpeedHeldOut> others;
  for (const auto& report : asked)
    if (report.row->row->source != source) others.push_back(report);
  return others;
}

/// The shipped reports with what the shipped constants say of them.
struct ShippedReports {
  std::vector<Measurement> rows = shipped_rows_of("reports");
  Calibration calibration = built_in_calibration("speed");
  std::vector<SpeedRow> questions = map_speed_rows(rows, shipped_catalog(), true);
  std::vector<SpeedHeldOut> asked = ask_reports(questions, {}, calibration);
};
const ShippedReports& shipped_reports() {
  static const ShippedReports reports;
  return reports;
}

}  // namespace

// Of 19 sources and one to come a tenth are two: the next one lies below the second lowest with a probability of 2 in 20.
TEST_CASE("the limit is passed by the next source in one of ten cases") {
  CHECK(low(one_each(19)) == Approx(0.02).epsilon(2e-3));
  CHECK(low(one_each(29)) == Approx(0.03).epsilon(2e-3));
  CHECK(low(one_each(28)) == Approx(0.02).epsilon(2e-3));
  CHECK(low(one_each(4)) == Approx(0.01).epsilon(2e-3));  // too few to tell
}
// 99 more reports of the highest source leave it its one vote of 19.
TEST_CASE("a source has one vote, however many reports it has") {
  auto ratios = one_each(19);
  for (int i = 0; i < 99; ++i) ratios.emplace_back(19, 0.19);
  CHECK(low(ratios) == Approx(0.02).epsilon(2e-3));
}

TEST_CASE("ranges made without a report's source hold 80 % of the shipped reports, each source counting alike") {
  const auto& reports = shipped_reports();
  std::set<std::string> sources;
  double inside = 0;
  for (const auto& row : reports.rows) sources.insert(row.source);
  for (const auto& source : sources) {
    Calibration without;
    without.spreads.push_back(reported_spread(without_source(reports.asked, source)));
    double held = 0, all = 0;
    for (const auto& report : reports.asked) {
      if (report.row->row->source != source) continue;
      const auto spread = with_reports(reports.calibration.spread(spread_kind(*report.row), report.distance), without);
      const double ratio = std::log(report.row->row->value / report.predicted);
      held += spread.low <= ratio && ratio <= spread.high;
      ++all;
    }
    REQUIRE(all > 0);
    inside += held / all;
  }
  const double share = inside / static_cast<double>(sources.size());
  INFO(fmt::format("{:.3f} of {} sources", share, sources.size()));
  CHECK(share >= 0.8);
  CHECK(share <= 0.92);
}

// The seed's rows are eight of many: the range that the others make holds them too.
TEST_CASE("no single source makes the range") {
  const auto& reports = shipped_reports();
  const auto all = reported_spread(reports.asked);
  const auto others = reported_spread(without_source(reports.asked, "seed document 002"));
  CHECK(others.low == Approx(all.low).margin(0.15));
  CHECK(others.high == Approx(all.high).margin(0.15));
}
