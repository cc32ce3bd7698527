// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rigplan/validate/fit_speed.h"

namespace rigplan {

/// A row with what a fit that did not see it predicts.
struct SpeedHeldOut {
  const SpeedRow* row = nullptr;
  double predicted = 0;
  std::string distance;
};
/// Rows of `asked` are in no fit; they are answered where a fit leaves out the rows that share their `what`.
std::vector<SpeedHeldOut> hold_out_speed(std::span<const SpeedRow> rows, std::string_view what,
                                         std::span<const SpeedRow> asked = {}, int folds = 10);

/// 10th and 90th percentile of log(measured / predicted), as rates, by kind and distance.
std::vector<ResidualSpread> spreads_of(std::span<const SpeedHeldOut> held_out);

/// See CalibratedFamily. Ranges come from the spreads of all left-out residuals, so their coverage is partly so by construction.
std::vector<PredictedRow> cross_validate_speed(std::span<const Measurement> rows, const Catalog& catalog, std::string_view what);

}  // namespace rigplan
