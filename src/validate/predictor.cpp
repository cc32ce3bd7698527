// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/predictor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigplan/units/message.h"

namespace rigplan {

std::vector<PredictedRow> predict_rows(std::span<const Measurement> rows, std::span<const RowPredictor> predictors) {
  std::vector<PredictedRow> predicted;
  predicted.reserve(rows.size());
  for (const auto& row : rows) {
    const auto predictor = std::ranges::find_if(predictors, [&](const RowPredictor& p) { return p.accepts(row); });
    PredictionResult result = Skipped{msg("no predictor"), fmt::format("of kind {} and metric {}", row.kind, row.metric)};
    if (predictor != predictors.end()) result = predictor->predict(row);
    if (const auto* p = std::get_if<Prediction>(&result); p && !(std::isfinite(p->likely) && p->likely > 0))
      result = Skipped{msg("no finite prediction"), fmt::format("{}", p->likely)};
    predicted.push_back({&row, std::move(result)});
  }
  return predicted;
}

}  // namespace rigplan
