// SPDX-License-Identifier: Apache-2.0
// What fits that did not see a row say of it, and that the shipped constants are what the shipped rows give.
#include <catch2/catch.hpp>

#include "rigplan/json/value.h"
#include "rigplan/validate/errors.h"
#include "rigplan/validate/fit_training.h"
#include "rigplan/validate/left_out.h"
#include "rigplan/validate/serve_row.h"
#include "validate/shipped_rows.h"

using namespace rigplan;

namespace {

std::string written(const Calibration& calibration) { return to_json_text(calibration_to_json(calibration)) + "\n"; }

ErrorSummary summary_of(std::span<const PredictedRow> rows, const std::string& kind, const std::string& metric = "") {
  std::vector<PredictedRow> wanted;
  for (const auto& row : rows)
    if (row.row->kind == kind && (metric.empty() || row.row->metric == metric)) wanted.push_back(row);
  std::vector<double> errors;
  ErrorSummary summary;
  double inside = 0;
  for (const auto& row : wanted) {
    ++summary.rows;
    if (!row.prediction()) continue;
    ++summary.predicted;
    errors.push_back(std::abs(row.error()));
    inside += row.inside();
  }
  REQUIRE_FALSE(errors.empty());
  summary.median_abs_error = quantile(errors, 0.5);
  summary.p90_abs_error = quantile(errors, 0.9);
  summary.range_80_coverage = inside / summary.predicted;
  return summary;
}

void check(std::span<const PredictedRow> rows, const std::string& kind, const std::string& metric, double median, double p90) {
  const auto summary = summary_of(rows, kind, metric);
  INFO(kind << " " << metric << ": median " << *summary.median_abs_error << ", 90th percentile " << *summary.p90_abs_error);
  CHECK(*summary.median_abs_error <= median);
  CHECK(*summary.p90_abs_error <= p90);
  CHECK(summary.predicted >= 0.9 * summary.rows);
}

struct TrainingGroundOfTest {
  ModelLibrary models;
  std::vector<TrainingStack> stacks = built_in_training_stacks();
};
TrainingGroundOfTest& training_ground() {
  static TrainingGroundOfTest ground;
  return ground;
}

std::vector<Measurement> megatron_rows(const std::string& model) {
  std::vector<Measurement> rows;
  for (const auto& row : shipped_rows_of("train"))
    if (row.engine == "Megatron-LM" && row.model == model) rows.push_back(row);
  REQUIRE(rows.size() == 2);
  return rows;
}

/// The largest error on `asked` of constants fitted to `seen` alone.
double transfer_error(const std::vector<Measurement>& seen, const std::vector<Measurement>& asked) {
  auto& g = training_ground();
  auto calibration =
      fit_calibration("training", training_fit_terms(), training_fit_rows(seen, shipped_catalog(), g.models, g.stacks),
                      std::span<const std::string_view>{});
  calibration.spreads = {{"train", "unknown", -0.1, 0.1, 0}};
  const std::vector<RowPredictor> predictors{train_predictor(shipped_catalog(), g.models, g.stacks, calibration)};
  double worst = 0;
  for (const auto& row : predict_rows(asked, predictors)) {
    REQUIRE(row.prediction());
    worst = std::max(worst, std::abs(row.error()));
  }
  return worst;
}

}  // namespace

TEST_CASE("rows are left out by card, model, source or pair, and anything else is a mistake") {
  Measurement row;
  row.gpu = "a", row.model = "b", row.source = "c";
  CHECK(left_out_key(row, "gpu") == "a");
  CHECK(left_out_key(row, "source") == "c");
  CHECK(left_out_key(row, "pair") == "a b");
  CHECK_THROWS_AS(left_out_key(row, "colour"), std::logic_error);
}

// Three rows measured at 0.5, 1 and 2 times their prediction: the 10th percentile of the log ratios lies a fifth of the way from
// ln 0.5 to 0, so the range of a prediction of 10 is 10 * 0.5^0.8 = 5.74 to 10 * 2^0.8 = 17.4.
TEST_CASE("the range of left-out rows spans the 10th to the 90th percentile of their ratios") {
  std::vector<Measurement> rows(4);
  rows[0].value = 5, rows[1].value = 10, rows[2].value = 20, rows[3].value = 1;
  std::vector<FitRow> fit;
  for (int i = 0; i < 3; ++i) fit.push_back({&rows[static_cast<std::size_t>(i)], 1, {}, nullptr});
  std::vector<HeldOut> held;
  for (const auto& row : fit) held.push_back({&row, 10, ""});
  const auto predicted = left_out_rows(
      rows, held, [](const HeldOut&) { return std::string{}; },
      [](const Measurement&) -> PredictionResult { return nothing_left_to_fit("model"); });
  REQUIRE(predicted.size() == 4);
  CHECK(predicted[0].prediction()->low == Approx(5.743).epsilon(1e-3));
  CHECK(predicted[0].prediction()->high == Approx(17.41).epsilon(1e-3));
  CHECK(std::get<Skipped>(predicted[3].result).reason == "all rows share one model");
}

// Korthikanti et al., arXiv 2205.05198, table 5: two kinds of recomputation on 8 and on 280 cards.
TEST_CASE("constants fitted to Megatron's 22B steps alone give those of 530B within 4 %, and the other way round") {
  const auto small = megatron_rows("megatron-22B"), large = megatron_rows("turing-530B");
  CHECK(transfer_error(small, large) <= 0.04);
  CHECK(transfer_error(large, small) <= 0.04);
}

TEST_CASE("copies and shards on two H200 over NVLink come out within 15 %") {
  auto& g = training_ground();
  const auto calibration = built_in_calibration("training");
  const std::vector<RowPredictor> predictors{train_predictor(shipped_catalog(), g.models, g.stacks, calibration)};
  const auto rows = shipped_rows_of("train");
  int seen = 0;
  for (const auto& row : predict_rows(rows, predictors)) {
    if (row.row->engine != "pytorch+nccl" || row.row->gpu_count != 2) continue;
    CAPTURE(row.row->id, row.row->parallel);
    REQUIRE(row.prediction());
    CHECK(std::abs(row.error()) <= 0.15);
    ++seen;
  }
  CHECK(seen == 4);
}

// Each fits the rows several times: seconds in a release build, minutes in a debug build.
TEST_CASE("training rows of sources that the fit has not seen are predicted as README.md says", "[.left-out-rows]") {
  auto& g = training_ground();
  const auto rows = shipped_rows_of("train");
  const auto predicted = cross_validate_training(rows, shipped_catalog(), g.models, g.stacks, "source");
  check(predicted, "train", "", 0.085, 0.285);
  check(predicted, "train_memory", "", 0.06, 0.16);
}
// Bounds are what README.md states with little room.
TEST_CASE("serving rows of models that the fit has not seen are predicted as README.md says", "[.left-out-rows]") {
  const auto rows = shipped_rows_of("serving");
  const auto predicted = cross_validate_serving(rows, shipped_catalog(), "model");
  check(predicted, "serve", "tpot_ms", 0.091, 0.245);
  check(predicted, "serve", "ttft_ms", 0.25, 0.62);
}
TEST_CASE("the shipped constants of training and serving are what the shipped rows give", "[.left-out-rows]") {
  auto& g = training_ground();
  const auto training = shipped_rows_of("train"), serving = shipped_rows_of("serving");
  CHECK(written(fit_training(training, shipped_catalog(), g.models, g.stacks)) == file_text("data/calibration/training.json"));
  CHECK(written(fit_serving(serving, shipped_catalog())) == file_text("data/calibration/serving.json"));
}
