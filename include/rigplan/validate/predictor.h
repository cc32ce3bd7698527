// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rigplan/validate/measurement.h"

namespace rigplan {

/// What the planner would have said of a measured row, in the row's own unit. [low, high] is meant to hold 80 % of such rows.
struct Prediction {
  double low = 0, likely = 0, high = 0;
};

/// Why a row cannot be predicted: a short reason that many rows share ("unknown model"), and what is particular to this one.
struct Skipped {
  std::string reason;
  std::string detail;
};

using PredictionResult = std::variant<Prediction, Skipped>;

/// Turns measured rows of some kinds into predictions. Each part of the planner offers one; validate asks the first whose
/// `accepts` says yes.
struct RowPredictor {
  std::string_view name;  ///< "speed"
  std::function<bool(const Measurement&)> accepts;
  std::function<PredictionResult(const Measurement&)> predict;
};

/// A row together with what was predicted for it.
struct PredictedRow {
  const Measurement* row = nullptr;
  PredictionResult result;

  const Prediction* prediction() const { return std::get_if<Prediction>(&result); }
  /// (predicted - measured) / measured. Only for predicted rows.
  double error() const { return prediction()->likely / row->value - 1; }
  bool inside() const { return prediction()->low <= row->value && row->value <= prediction()->high; }
};

/// Predicts each row by the first predictor that accepts it; rows that none accepts are skipped with the reason "no predictor".
std::vector<PredictedRow> predict_rows(std::span<const Measurement> rows, std::span<const RowPredictor> predictors);

}  // namespace rigplan
