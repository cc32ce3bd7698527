// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "rigplan/validate/fit.h"
#include "rigplan/validate/map_speed_row.h"

namespace rigplan {

/// The constants of decode and prefill with their priors, in the order of speed_terms(), and last "unstated_prompt".
std::span<const FitTerm> speed_fit_terms();
/// Kinds of levels that say how far a question is from measured rows.
std::span<const std::string_view> speed_known_kinds();

/// Published tables hold rows of other settings than they say, so rows that are far off must not pull.
FitOptions speed_fit_options();

/// Rows as the fit takes them.
std::vector<FitRow> speed_fit_rows(std::span<const SpeedRow> rows);

/// A row for the fit: what can be mapped, except steps of serving among prompts that are longer than the answers. These are
/// mostly the time of the prompts, which rows of prompts measure better.
std::variant<SpeedRow, Skipped> map_speed_fit_row(const Measurement& row, const Catalog& catalog);
/// All such rows, or all reported rates.
std::vector<SpeedRow> map_speed_rows(std::span<const Measurement> rows, const Catalog& catalog, bool reports);

/// The constants of these rows alone, without spreads.
Calibration fit_speed_constants(std::span<const SpeedRow> rows);

/// The calibration "speed" of these rows, with spreads of cross-validated residuals: pairs of card and model left out for
/// known cards, whole cards left out for the rest; and the spread of reported rates, where there are some.
Calibration fit_speed(std::span<const Measurement> rows, const Catalog& catalog);

/// The likely number of a row, in its unit.
double predict_speed(const Calibration& calibration, const SpeedRow& row);

/// Predicts rows by a calibration.
RowPredictor speed_predictor(const Catalog& catalog, const Calibration& calibration);

/// See distance_from_rows().
std::string speed_distance(const Calibration& calibration, const SpeedRow& row);

}  // namespace rigplan
