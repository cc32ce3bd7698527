// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "rigplan/validate/fit.h"
#include "rigplan/validate/train_row.h"

namespace rigplan {

/// What is fitted for training, with priors around physical centres.
std::span<const FitTerm> training_fit_terms();

/// Fit rows of all "train" rows that can be mapped. The measurements must outlive them.
std::vector<FitRow> training_fit_rows(std::span<const Measurement> rows, const Catalog& catalog, ModelLibrary& models,
                                      std::span<const TrainingStack> stacks);

/// The calibration of training: constants from all rows, ranges of "train" from predictions of programs left out, ranges of
/// "train_memory" from the residuals of the formulas, which have no constants to fit.
Calibration fit_training(std::span<const Measurement> rows, const Catalog& catalog, ModelLibrary& models,
                         std::span<const TrainingStack> stacks);

/// See CalibratedFamily. Memory has no fitted constants: its rows are predicted by the formulas.
std::vector<PredictedRow> cross_validate_training(std::span<const Measurement> rows, const Catalog& catalog, ModelLibrary& models,
                                                  std::span<const TrainingStack> stacks, std::string_view what);

}  // namespace rigplan
