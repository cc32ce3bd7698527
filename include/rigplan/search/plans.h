// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "rigplan/catalog/engine.h"
#include "rigplan/workload/job.h"
#include "rigplan/workload/model.h"

namespace rigplan {

/// Whether tensor parallelism of this degree divides every layer: query heads, key/value heads (which may be copied when there
/// are fewer than cards), expert or feed-forward width.
bool divides(const TransformerModel& model, int degree);

/// The plans worth trying for inference on `cards` alike cards: whole copies on one card each, and for each number of cards a
/// copy can take, the splits that the engine knows. No more copies than streams, because one stream cannot use two.
std::vector<ParallelPlan> inference_plans(const TransformerModel& model, const Job& job, const Engine* engine, int cards);

/// The plans worth trying for training: data parallel with whole copies, sharded (ZeRO 2 and 3), tensor parallel within groups,
/// pipeline stages. No more copies than sequences of a step.
std::vector<ParallelPlan> training_plans(const TransformerModel& model, const Job& job, int cards);

}  // namespace rigplan
