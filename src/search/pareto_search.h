// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "search/build_search.h"

namespace rigplan {

/// Looks at builds until the front of these measures is among those that were looked at, and returns the number of full looks.
/// A build has a bound of each measure. Where a build that was looked at beats these bounds, it beats the build itself, which no
/// one needs to see; where none does, the build is looked at.
int look_for_front(const BuildSearch& search, std::span<const RankBy> measures, std::span<const Bounded> builds,
                   std::vector<Candidate>& looked_at);

}  // namespace rigplan
