// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "rigplan/search/evaluator.h"

namespace rigplan {

/// One plan on a rig, and the same when peer access works, where that is unknown.
struct PlanAnswer {
  PlanResult result;
  std::optional<PlanResult> with_peer;
};

/// Everything that is known of one rig for one job.
struct RigEstimate {
  Candidate candidate;                         ///< under the best plan
  std::vector<PlanAnswer> plans;               ///< every plan that was tried, the best one first, then by usable rate
  Tokens largest_context{0};                   ///< with the best plan and the job's users; 0: not asked or nothing fits
  int most_users = 0;                          ///< with the best plan and the job's context
  std::vector<PeerCondition> peer_conditions;  ///< of the first two cards
  PeerOverPcie peer = PeerOverPcie::yes;       ///< worst verdict between neighbours
};

RigEstimate estimate_rig(const Evaluator& evaluator, const Build& build);

}  // namespace rigplan
