// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/calibrated_family.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "rigplan/validate/collective_predictor.h"
#include "rigplan/validate/fit_speed.h"
#include "rigplan/validate/fit_training.h"
#include "rigplan/validate/memory_rows.h"
#include "rigplan/validate/serve_row.h"
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

std::vector<PredictedRow> leave_out_training_rows(std::span<const Measurement> rows, const Catalog& catalog,
                                                  std::string_view what) {
  ModelLibrary models;
  return cross_validate_training(rows, catalog, models, built_in_training_stacks(), what);
}

bool is_collective_row(const Measurement& row) { return row.kind == "collective" || row.kind == "p2p"; }

Calibration fit_collective_rows(std::span<const Measurement> rows, const Catalog& catalog) {
  return calibrate_collectives(rows, catalog, built_in_link_patterns(),
                               fmt::format("{}: {} rows", rows.empty() ? "" : rows.front().file, rows.size()));
}

/// What predictors refer to; it lives as long as they do.
struct PredictorGround {
  ModelLibrary models;
  std::vector<TrainingStack> stacks = built_in_training_stacks();
  Calibration training, serving;
};

RowPredictor owning(RowPredictor predictor, std::shared_ptr<PredictorGround> ground) {
  predictor.predict = [predict = predictor.predict, ground = std::move(ground)](const Measurement& row) { return predict(row); };
  return predictor;
}

}  // namespace

std::span<const CalibratedFamily> calibrated_families() {
  static const CalibratedFamily families[] = {
      {"speed", is_speed_row, fit_speed, cross_validate_speed},
      {"collectives", is_collective_row, fit_collective_rows, cross_validate_collectives, {"system"}},
      {"training", is_training_row, fit_training_rows, leave_out_training_rows},
      {"serving", is_serve_row, fit_serving, cross_validate_serving},
  };
  return families;
}

std::vector<RowPredictor> row_predictors(const Catalog& catalog, std::span<const Calibration> calibrations) {
  const auto ground = std::make_shared<PredictorGround>();
  ground->training = calibration_of("training", calibrations);
  ground->serving = calibration_of("serving", calibrations);
  return {
      memory_predictor(catalog),
      owning(train_predictor(catalog, ground->models, ground->stacks, ground->training), ground),
      owning(train_memory_predictor(catalog, ground->models, ground->stacks, ground->training), ground),
      collective_predictor(catalog, calibration_of("collectives", calibrations)),
      owning(serve_predictor(catalog, ground->serving), ground),
      speed_predictor(catalog, calibration_of("speed", calibrations)),
  };
}

}  // namespace rigplan
