// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/search/candidate.h"
#include "rigplan/search/query.h"

namespace rigplan {

/// Share of the rig's cards that work at the same time under this plan: of a layer split as many as there are streams.
double busy_share(const PlanResult& result, const Job& job, int cards);

/// Share of loaded time in which the build reads prompts, the rest decodes. 0 in training.
double prefill_share(const PlanResult& result, const Job& job);

/// What the running of a rig takes from its bill and its cards, whatever the job.
struct RunningParts {
  Range<Yuan> resale;  ///< at the end of the horizon
  FlopRate peak;       ///< of all cards, by their datasheets
};
RunningParts running_parts(const Rig& rig, const Purchase& purchase, const Catalog& catalog, Seconds horizon);

/// The same with parts that were looked up before.
void fill_running(Candidate& candidate, const PlanningDefaults& defaults, const Query& query, const RunningParts& parts);

/// Fills wall, loaded, idle, energy, cost and merit of a candidate whose rig, bill and plan are known.
void fill_running(Candidate& candidate, const Catalog& catalog, const Query& query);

}  // namespace rigplan
