// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rigplan/json/value.h"
#include "rigplan/search/training_search.h"

namespace rigplan {

/// The best plan of one shape, as every printer shows it.
struct TrainingPlanRow {
  int rank = 0;  ///< 0: does not fit
  ShapeResult found;
  std::string plan;   ///< "tensor parallel 2, data parallel 4, ZeRO 1"
  std::string extra;  ///< "micro-batch 4, selective checkpointing, 2 chunks"
  std::string loses;  ///< why it is not first: "28 % slower: links +0.9 s"; empty for the first
};

/// What training a number of tokens takes under the best plan.
struct TrainingRun {
  Tokens tokens;
  Range<Seconds> time;
  double cards = 0;
  Joules energy;     ///< at the wall and for the site, likely
  Yuan energy_cost;  ///< likely
};

/// The report of rigplan plan for a job that trains.
struct TrainingPlanReport {
  std::string question, name, build;
  JsonValue query;
  std::vector<TrainingPlanRow> rows;  ///< those to be shown
  int more = 0;                       ///< shapes that are not shown
  std::int64_t tried = 0, fit = 0;
  bool host_memory_known = true;
  std::vector<std::pair<std::string, double>> time_shares;  ///< of the first
  std::optional<TrainingRun> run;
};

/// @param top rows to be shown; 0: all
TrainingPlanReport training_plan_report(const TrainingSearch& search, const Evaluator& evaluator, const Candidate& rig, int top);
std::string training_plan_to_text(const TrainingPlanReport& report);
/// "rigplan/plan/1"
JsonValue training_plan_to_json(const TrainingPlanReport& report);

}  // namespace rigplan
