// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/calibrated_family.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "rigplan/validate/collective_predictor.h"
#include "rigplan/validate/fit_speed.h"
#include "rigplan/validate/fit_training.h"
#include "rigplan/validate/memory_rows.h"
#include "rigplan/validate/speed_cross_validation.h"

namespace rigplan {
namespace {

Calibration calibration_of(std::string_view family, std::span<const Calibration> calibrations) {
  const auto given = std::ranges::find(calibrations, family, &Calibration::family);
  return given != calibrations.end() ? *given : built_in_calibration(family);
}

bool is_training_row(const Measurement& row) { return row.kind == "train" || row.kind == "train_memory"; }

Calibration fit_training_rows(std::span<const Measurement> rows, const Catalog& catalog) {
  ModelLibrary models;
  return fit_training(rows, catalog, models, built_in_training_stacks());
}

bool is_collective_row(const Measurement& row) { return row.kind == "collective" || row.kind == "p2p"; }

Calibration fit_collective_rows(std::span<const Measurement> rows, const Catalog& catalog) {
  return calibrate_collectives(rows, catalog, built_in_link_patterns(), fmt::format("{}: {} rows", rows.empty() ? "" : rows.front().file, rows.size()));
}

/// What the training predictors refer to; it lives as long as they do.
struct TrainingGround {
  ModelLibrary models;
  std::vector<TrainingStack> stacks = built_in_training_stacks();
  Calibration calibration;
};

RowPredictor owning(RowPredictor predictor, std::shared_ptr<TrainingGround> ground) {
  predictor.predict = [predict = predictor.predict, ground = std::move(ground)](const Measurement& row) { return predict(row); };
  return predictor;
}

}  // namespace

std::span<const CalibratedFamily> calibrated_families() {
  static const CalibratedFamily families[] = {
      {"speed", is_speed_row, fit_speed, cross_validate_speed},
      {"collectives", is_collective_row, fit_collective_rows, cross_validate_collectives, {"system"}},
      {"training", is_training_row, fit_training_rows, nullptr},
  };
  return families;
}

std::vector<RowPredictor> row_predictors(const Catalog& catalog, std::span<const Calibration> calibrations) {
  const auto training = std::make_shared<TrainingGround>();
  training->calibration = calibration_of("training", calibrations);
  return {
      memory_predictor(catalog),
      owning(train_predictor(catalog, training->models, training->stacks, training->calibration), training),
      owning(train_memory_predictor(catalog, training->models, training->stacks, training->calibration), training),
      collective_predictor(catalog, calibration_of("collectives", calibrations)),
      speed_predictor(catalog, calibration_of("speed", calibrations)),
  };
}

}  // namespace rigplan
