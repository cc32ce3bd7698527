// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rigplan/validate/fit.h"
#include "rigplan/validate/predictor.h"

namespace rigplan {

/// What rows share that are left out together: their "gpu", "model", "source", or "pair" of card and model.
std::string left_out_key(const Measurement& row, std::string_view what);

/// Turns in which groups are left out, at most.
inline constexpr int left_out_turns = 5;
/// The reason of a row that no fit could predict because all rows share its group.
Skipped nothing_left_to_fit(std::string_view what);

/// The rows in their order, each with the prediction of the fit that did not see it. The range of a prediction spans the 10th
/// to the 90th percentile of all left-out log ratios of its group, so its coverage is partly so by construction.
/// @param group rows that scatter alike, such as "tpot_ms"
/// @param otherwise asked for rows that no fit predicted: why not, or what formulas without fitted constants say
std::vector<PredictedRow> left_out_rows(std::span<const Measurement> rows, std::span<const HeldOut> held_out,
                                        const std::function<std::string(const HeldOut&)>& group,
                                        const std::function<PredictionResult(const Measurement&)>& otherwise);

}  // namespace rigplan
