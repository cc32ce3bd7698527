// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/catalog/calibration.h"
#include "rigplan/json/value.h"
#include "rigplan/report/screen.h"
#include "rigplan/topology/slot_plan.h"

namespace rigplan {

/// One way to plug the cards, for people and programs.
struct PlacementReport {
  std::string name;                      ///< "best", "worst", "as stated"
  std::vector<std::string> cards, nics;  ///< the slot of each
  std::vector<std::vector<int>> bridges;
  Seconds traffic;     ///< of the traffic asked for
  Seconds all_reduce;  ///< of 64 MiB in each group at once, the slowest group
  std::string bottleneck;
};

struct SlotPlanReport {
  std::string rig;
  std::vector<PlacementReport> placements;
  int tried = 0, group = 0;
  bool complete = true;
};

/// @param collectives  calibration of the family "collectives"
SlotPlanReport report_slot_plan(const SlotPlan& plan, const Traffic& traffic, const Catalog& catalog,
                                const Calibration& collectives);
std::string slot_plan_text(const SlotPlanReport& report, const Screen& screen = {});
JsonValue slot_plan_json(const SlotPlanReport& report);

}  // namespace rigplan
