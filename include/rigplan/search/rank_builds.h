// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/search/evaluator.h"
#include "rigplan/search/rank.h"

namespace rigplan {

/// How many builds are looked at in full. A build whose bound says that it cannot come before the last place asked for, or that
/// it breaks a limit, is only counted; the places that are filled are those that a look at every build would fill.
struct SearchDepth {
  int places = 20;        ///< not counting dominated builds; 0: every build that may be ranked
  bool rejected = false;  ///< look at every build that a limit rules out too
};

/// Finds the best builds of the space: the main job.
Ranking rank_builds(const Catalog& catalog, const TransformerModel& model, const Calibrations& calibrations, Query query,
                    const SearchDepth& depth);

}  // namespace rigplan
