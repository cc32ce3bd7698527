// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/estimate_rig.h"

#include <algorithm>

namespace rigplan {

RigEstimate estimate_rig(const Evaluator& evaluator, const Build& build) {
  RigEstimate estimate;
  estimate.candidate = evaluator.evaluate(build, true);
  auto& candidate = estimate.candidate;
  if (candidate.misfit == Misfit::no_slots || candidate.cards == 0) return estimate;
  const auto graph = build_graph(candidate.rig, evaluator.catalog());
  if (graph.cards() > 1) {
    const auto verdict = peer_access(graph, 0, 1);
    estimate.peer_conditions = verdict.conditions;
    estimate.peer = verdict.answer;
  }
  const auto answer = [&](PlanResult result) {
    PlanAnswer both{std::move(result), std::nullopt};
    if (both.result.fits && both.result.peer == PeerOverPcie::unknown)
      both.with_peer = evaluator.evaluate_plan(graph, both.result.plan, PeerAssumption::unknown_is_yes);
    return both;
  };
  if (candidate.misfit != Misfit::no_plan) estimate.plans.push_back(answer(candidate.best));
  for (auto& other : candidate.others) estimate.plans.push_back(answer(std::move(other)));
  candidate.others.clear();
  if (estimate.plans.size() > 1)
    std::stable_sort(estimate.plans.begin() + 1, estimate.plans.end(), [](const PlanAnswer& a, const PlanAnswer& b) {
      if (a.result.fits != b.result.fits) return a.result.fits;
      return a.result.usable.likely > b.result.usable.likely;
    });
  evaluator.room(graph, candidate.best.plan, estimate.largest_context, estimate.most_users);
  return estimate;
}

}  // namespace rigplan
