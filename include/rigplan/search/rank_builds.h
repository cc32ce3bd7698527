// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "rigplan/search/evaluator.h"
#include "rigplan/search/rank.h"

namespace rigplan {

/// How many builds are looked at in full. A build whose bound says that it cannot come before the last place asked for, or that
/// it breaks a limit, is only counted; the places that are filled are those that a look at every build would fill.
struct SearchDepth {
  int places = 20;               ///< not counting dominated builds; 0: every build that may be ranked
  bool rejected = false;         ///< look at every build that a limit rules out too
  std::vector<RankBy> pareto{};  ///< not empty: the front of these measures in place of the first places
};

/// Finds the best builds of the space: the main job.
Ranking rank_builds(const Catalog& catalog, const TransformerModel& model, const Calibrations& calibrations, const Query& query,
                    const SearchDepth& depth);
/// The same for questions that differ in number format and engine alone; each build comes once for each of them.
Ranking rank_builds(const Catalog& catalog, const TransformerModel& model, const Calibrations& calibrations,
                    std::span<const Query> questions, const SearchDepth& depth);

}  // namespace rigplan
