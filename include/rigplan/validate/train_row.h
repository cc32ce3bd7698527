// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <variant>

#include "rigplan/catalog/catalog.h"
#include "rigplan/catalog/training_stack.h"
#include "rigplan/simulate/training.h"
#include "rigplan/validate/measurement.h"
#include "rigplan/validate/predictor.h"
#include "rigplan/workload/model_library.h"

namespace rigplan {

/// A measured row of training, speed or memory, as a question to the planner.
struct TrainRow {
  const Measurement* row = nullptr;
  const TransformerModel* model = nullptr;
  const TrainingStack* stack = nullptr;
  TrainingCard card;
  Job job;
  ParallelPlan plan;
  TrainingFabric fabric;
  bool assumed_sequence = false;  ///< the row does not state a length
};

/// Reads a row: program, model, method, precision, plan, links and lengths from its columns and texts. What a row does not say
/// is the program's habit; what cannot be understood is skipped with the reason.
std::variant<TrainRow, Skipped> map_train_row(const Measurement& row, const Catalog& catalog, ModelLibrary& models,
                                              std::span<const TrainingStack> stacks);

/// The number of a "train" row, in its metric, from a simulated step.
double train_metric(const TrainRow& row, const TrainingStep& step);

/// Predicts rows of the kind "train" with this calibration. The arguments must outlive the predictor.
RowPredictor train_predictor(const Catalog&, ModelLibrary&, std::span<const TrainingStack>, const Calibration&);
/// Predicts rows of the kind "train_memory"; the spread comes from the same calibration.
RowPredictor train_memory_predictor(const Catalog&, ModelLibrary&, std::span<const TrainingStack>, const Calibration&);

}  // namespace rigplan
