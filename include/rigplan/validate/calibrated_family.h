// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "rigplan/catalog/calibration.h"
#include "rigplan/catalog/catalog.h"
#include "rigplan/validate/predictor.h"

namespace rigplan {

/// One family of formulas with fitted constants: how its rows are recognised, fitted and cross-validated. A new family is one
/// line in calibrated_families().
struct CalibratedFamily {
  std::string_view name;  ///< "speed": also the file data/calibration/speed.json
  std::function<bool(const Measurement&)> accepts;
  /// Fits the rows that it accepts and understands.
  std::function<Calibration(std::span<const Measurement>, const Catalog&)> fit;
  /// Predicts each accepted row by a fit that did not see its "gpu", "model", "source" or "pair" of card and model, or what else
  /// `left_out` names. Rows that are not understood are skipped with the reason. Empty: the family does not offer it.
  std::function<std::vector<PredictedRow>(std::span<const Measurement>, const Catalog&, std::string_view)> cross_validate;
  std::vector<std::string_view> left_out = {"gpu", "model", "source", "pair"};
};
std::span<const CalibratedFamily> calibrated_families();

/// The predictors of all families, in the order in which rows are offered to them. `catalog` must outlive them.
/// @param calibrations replace the built-in calibrations of their families
std::vector<RowPredictor> row_predictors(const Catalog& catalog, std::span<const Calibration> calibrations = {});

}  // namespace rigplan
