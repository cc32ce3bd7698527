// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rigplan/catalog/calibration.h"
#include "rigplan/validate/measurement.h"

namespace rigplan {

/// The kind of a level: "engine" of "engine:vllm-cuda", "engine|family" of "engine:vllm-cuda|family:ada".
std::string level_kind(std::string_view level);

/// How far the offset of one level of this kind may stray: standard deviation of its Gaussian prior, in log units. The prior's
/// centre is 0; one named level may have another, which then also holds where no row of the fit has the level.
struct LevelPrior {
  std::string_view kind;
  double spread = 0.3;
  std::string_view level = {};  ///< empty: all levels of the kind
  double factor = 1;            ///< exp of the centre
};

/// A constant to be fitted.
struct FitTerm {
  std::string name, unit;
  double expected = 1;  ///< median of the prior of the mean
  double freedom = 1;   ///< standard deviation of that prior, in log units; 0: held fixed
  std::vector<LevelPrior> levels;
};

/// One measured number and the formula for it.
struct FitRow {
  const Measurement* row = nullptr;
  double weight = 1;
  std::vector<std::string> levels;
  /// The value that the terms (in the order of the fit's list) give; in the row's unit, above 0.
  std::function<double(std::span<const double> terms)> predict;
};

struct FitOptions {
  double noise = 0.1;   ///< log error up to which rows pull with full force
  bool cauchy = false;  ///< beyond it: soft L1, or Cauchy's loss, with which rows that are far off hardly pull at all
  int iterations = 60;
};

/// Least squares of log(predicted / measured) with priors on every offset, so that levels with few rows stay near the mean of
/// their parents (ridge regression, Hoerl and Kennard 1970; hierarchical shrinkage). Single-threaded and rounded to four
/// decimals, so the same rows give the same bytes. `known` of the result lists the levels whose kind is in `known_kinds`.
Calibration fit_calibration(std::string_view family, std::span<const FitTerm> terms, std::span<const FitRow> rows,
                            std::span<const std::string_view> known_kinds, const FitOptions& options = {});

/// The value that a calibration gives for a row.
double predict_with(const Calibration& calibration, std::span<const FitTerm> terms, const FitRow& row);

/// A prediction made without the row's group.
struct HeldOut {
  const FitRow* row = nullptr;
  double predicted = 0;
  std::string distance;
};

/// Rows with the same key are left out together, in at most `folds` turns; folds are filled by key in order of falling weight,
/// so they do not depend on chance. `distance` is asked with the calibration of the turn. Rows of `asked` are in no fit; each is
/// predicted in the turn of its key, and not at all where no row has that key.
std::vector<HeldOut> cross_validate(std::string_view family, std::span<const FitTerm> terms, std::span<const FitRow> rows,
                                    std::span<const std::string_view> known_kinds,
                                    const std::function<std::string(const Measurement&)>& key, int folds,
                                    const std::function<std::string(const Calibration&, const FitRow&)>& distance,
                                    const FitOptions& options = {}, std::span<const FitRow> asked = {});

/// Weights by cluster: a row of a cluster of n rows weighs n^-power, so that a long table does not outvote everything else.
void weigh_by_cluster(std::span<FitRow> rows, const std::function<std::string(const Measurement&)>& cluster, double power = 0.25);

}  // namespace rigplan
