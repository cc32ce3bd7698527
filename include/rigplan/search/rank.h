// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rigplan/search/candidate.h"
#include "rigplan/search/query.h"

namespace rigplan {

/// The builds that were looked at, best first.
struct Ranking {
  Query query;
  std::vector<Candidate> ranked;                 ///< by query.by; ties keep the order they came in, that of their bounds
  std::vector<Candidate> rejected;               ///< with their reasons, nearest to fitting first within each kind of reason
  int candidates = 0;                            ///< builds of the space
  int looked_at = 0;                             ///< of them in full; the bounds of the others were enough
  int ruled_out = 0;                             ///< by a limit, without a full look
  int beyond = 0;                                ///< that cannot come before the last place asked for
  std::vector<std::string> cards_without_price;  ///< ids that match the patterns
  std::vector<std::string> cards_without_host;   ///< ids of a form that no ranked host takes
  std::vector<bool> is_dominated;                ///< for each of `ranked`
  std::vector<RankBy> pareto;                    ///< measures of the front; empty: not asked
  std::vector<bool> on_front;                    ///< for each of `ranked`; empty: not asked
  int dominated = 0;                             ///< ranked builds that one ahead, of the same cards, beats in cost and in speed
};

/// The value by which a candidate is ranked, smaller is better; nothing when it has none.
std::optional<double> rank_value(const Candidate& candidate, RankBy by);

/// Sets misfit and why_not of a candidate whose figures break a limit. The first broken limit is named.
void apply_limits(Candidate& candidate, const Limits& limits, bool trains);

/// Orders candidates. Builds of the same cards that are neither cheaper nor faster than one ahead are marked as dominated.
Ranking rank(std::vector<Candidate> candidates, Query query);

/// Whether a build ahead of it, of the same cards, costs no more over the horizon and is no slower. What stands behind beats
/// nothing: the measure that was asked for comes first. `ranked` is in the order of the ranking.
std::vector<bool> dominated(std::span<const Candidate* const> ranked);

}  // namespace rigplan
