// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rigplan/json/value.h"
#include "rigplan/search/serving_search.h"

namespace rigplan {

/// The report of rigplan plan for a job that serves.
struct ServingPlanReport {
  std::string question, name, build;
  JsonValue query;
  ServingQuestion asked;
  std::vector<ServingPlan> plans;  ///< the best one first
};

ServingPlanReport serving_plan_report(std::vector<ServingPlan> plans, const Evaluator& evaluator, const Candidate& rig,
                                      const ServingQuestion& question);
std::string serving_plan_to_text(const ServingPlanReport& report);
/// "rigplan/plan/1"
JsonValue serving_plan_to_json(const ServingPlanReport& report);

}  // namespace rigplan
