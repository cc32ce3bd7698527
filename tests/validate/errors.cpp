// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/errors.h"

#include <catch2/catch.hpp>

using namespace rigplan;

static Measurement row(const std::string& gpu, double value) {
  Measurement m;
  m.kind = "decode";
  m.metric = "tokens_per_s";
  m.gpu = gpu;
  m.value = value;
  return m;
}

TEST_CASE("quantiles interpolate between order statistics") {
  CHECK(quantile({4, 1, 3, 2}, 0.5) == Approx(2.5));
  CHECK(quantile({0, 10}, 0.9) == Approx(9));
  CHECK(quantile({7}, 0.9) == 7);
  CHECK(quantile({}, 0.5) == 0);
}
TEST_CASE("errors are shares of the measured value, and skipped rows are counted by reason") {
  // Predicted 110 for 100 (+0.1), 90 for 100 (-0.1), 50 for 100 (-0.5); one row has no known model.
  const std::vector<Measurement> rows{row("a", 100), row("a", 100), row("b", 100), row("b", 100)};
  const std::vector<PredictedRow> predicted{{&rows[0], Prediction{95, 110, 120}},
                                            {&rows[1], Prediction{80, 90, 99}},
                                            {&rows[2], Prediction{40, 50, 101}},
                                            {&rows[3], Skipped{"unknown model", "x"}}};
  const auto all = summarize(predicted);
  REQUIRE(all.size() == 1);
  CHECK(all[0].rows == 4);
  CHECK(all[0].predicted == 3);
  CHECK(all[0].skipped == std::vector<ErrorSummary::Reason>{{"unknown model", 1}});
  CHECK(*all[0].median_abs_error == Approx(0.1));
  CHECK(*all[0].p90_abs_error == Approx(0.1 + 0.8 * 0.4));
  CHECK(*all[0].bias == Approx(-0.1));
  CHECK(*all[0].range_80_coverage == Approx(2 / 3.0));  // the second range ends below 100
  const auto by_gpu = summarize(predicted, "gpu");
  REQUIRE(by_gpu.size() == 2);
  CHECK(by_gpu[1].group == "b");
  CHECK(*by_gpu[1].median_abs_error == Approx(0.5));
}
TEST_CASE("a group without predictions has no error figures") {
  const std::vector<Measurement> rows{row("a", 100)};
  const std::vector<PredictedRow> predicted{{&rows[0], Skipped{"unknown model", ""}}};
  CHECK_FALSE(summarize(predicted)[0].median_abs_error.has_value());
}
TEST_CASE("rows go to the first predictor that accepts them, and numbers that are not finite count as skipped") {
  const std::vector<Measurement> rows{row("a", 100), row("b", 100)};
  const std::vector<RowPredictor> predictors{{"only a", [](const Measurement& m) { return m.gpu == "a"; },
                                              [](const Measurement&) {
                                                return PredictionResult{Prediction{0, 0, 0}};
                                              }}};
  const auto predicted = predict_rows(rows, predictors);
  CHECK(std::get<Skipped>(predicted[0].result).reason == "no finite prediction");
  CHECK(std::get<Skipped>(predicted[1].result).reason == "no predictor");
}
