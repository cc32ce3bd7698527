// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/search/evaluator.h"
#include "rigplan/search/rank.h"

namespace rigplan {

/// Looks at every build of the space and orders them: the main job.
Ranking rank_builds(const Catalog& catalog, const TransformerModel& model, const Calibrations& calibrations, Query query);

}  // namespace rigplan
