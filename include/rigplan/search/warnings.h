// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/economics/power.h"
#include "rigplan/economics/purchase.h"
#include "rigplan/search/candidate.h"
#include "rigplan/search/query.h"
#include "rigplan/topology/graph.h"

namespace rigplan {

/// What the rules of warnings look at. Each rule is a pure function of these facts and adds one code.
struct WarningFacts {
  const Catalog& catalog;
  const Query& query;
  const TransformerModel& model;
  const RigGraph& graph;
  const PlanResult& result;  ///< the plan that is warned about, and what it does
  const Purchase& purchase;
  const RigPower& power;
  Watts wall_peak;
  std::optional<TokenRate> layer_rate = std::nullopt,
                           tensor_rate = std::nullopt;  ///< of one user on all cards, where both can run
};

/// Codes that apply, in alphabetical order. What each means is in the catalog's warnings.
std::vector<std::string> warnings_of(const WarningFacts& facts);

/// Those of them that come from the way the job is divided: what a plan is told that is not the best one of its rig.
std::vector<std::string> plan_warnings_of(const WarningFacts& facts);

}  // namespace rigplan
