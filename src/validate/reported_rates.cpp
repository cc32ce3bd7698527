// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/reported_rates.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace rigplan {
namespace {

constexpr double tail = 0.1;       ///< share of the sources to come that may lie beyond a limit
constexpr double rounding = 1e-9;  ///< of sums of shares of votes

/// A report's log ratio and its share of its source's vote.
struct Vote {
  double log_ratio = 0, weight = 0;
};

std::vector<Vote> votes_of(std::span<const SpeedHeldOut> reports) {
  std::map<std::string, int> of_source;
  for (const auto& report : reports) ++of_source[report.row->row->source];
  std::vector<Vote> votes;
  for (const auto& report : reports) {
    const auto& measured = *report.row->row;
    votes.push_back({std::log(measured.value / report.predicted), 1.0 / of_source[measured.source]});
  }
  std::ranges::sort(votes, {}, &Vote::log_ratio);
  return votes;
}

/// The first of the ordered votes up to which `beyond` of all may lie.
template <class Votes>
double limit(const Votes& votes, double beyond) {
  double passed = 0;
  double last = 0;
  for (const auto& vote : votes) {
    last = vote.log_ratio;
    passed += vote.weight;
    if (passed > beyond + rounding) break;
  }
  return last;
}

}  // namespace

bool is_reported_rate(const Measurement& row) { return row.kind == "report" && row.metric == "tokens_per_s"; }

std::vector<SpeedHeldOut> ask_reports(std::span<const SpeedRow> reports, std::span<const SpeedHeldOut> held_out,
                                      const Calibration& calibration) {
  std::vector<SpeedHeldOut> asked;
  for (const auto& report : reports) {
    const auto held = std::ranges::find(held_out, &report, &SpeedHeldOut::row);
    asked.push_back(held != held_out.end()
                        ? *held
                        : SpeedHeldOut{&report, predict_speed(calibration, report), speed_distance(calibration, report)});
  }
  return asked;
}

ResidualSpread reported_spread(std::span<const SpeedHeldOut> reports) {
  auto votes = votes_of(reports);
  double sources = 0;
  for (const auto& vote : votes) sources += vote.weight;
  const double beyond = std::max(tail * (sources + 1) - 1, 0.0);
  ResidualSpread spread{std::string{reported_kind}, "unstated", 0, 0, static_cast<int>(reports.size())};
  spread.low = std::min(std::floor(limit(votes, beyond) * 1e3) / 1e3, -0.01);
  std::ranges::reverse(votes);
  spread.high = std::max(std::ceil(limit(votes, beyond) * 1e3) / 1e3, 0.01);
  return spread;
}

}  // namespace rigplan
