// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "rigplan/catalog/catalog.h"
#include "rigplan/simulate/serving.h"
#include "rigplan/validate/fit.h"
#include "rigplan/validate/measurement.h"
#include "rigplan/validate/predictor.h"

namespace rigplan {

/// A measured row of serving as a question: a setup without constants, and a load.
struct ServeRow {
  const Measurement* row = nullptr;
  ServingSetup setup;
  std::vector<std::string> levels;
  Tokens prompt, generate;
  int users = 1;
};

/// True for rows of the kind "serve" with ttft_ms or tpot_ms, a prompt and a generated length, and a concurrency.
bool is_serve_row(const Measurement& row);
std::variant<ServeRow, Skipped> map_serve_row(const Measurement& row, const Catalog& catalog);
/// Milliseconds in the row's metric.
double serve_metric(const ServeRow& row, const ServingPoint& point);

/// Predicts rows that is_serve_row() accepts. The arguments must outlive the predictor.
RowPredictor serve_predictor(const Catalog& catalog, const Calibration& calibration);

std::span<const FitTerm> serving_fit_terms();
std::vector<FitRow> serving_fit_rows(std::span<const Measurement> rows, const Catalog& catalog);
/// Constants from all rows; ranges from predictions of models left out.
Calibration fit_serving(std::span<const Measurement> rows, const Catalog& catalog);
/// See CalibratedFamily.
std::vector<PredictedRow> cross_validate_serving(std::span<const Measurement> rows, const Catalog& catalog,
                                                 std::string_view what);

}  // namespace rigplan
