// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rigplan/search/candidate.h"

namespace rigplan {

/// The parts of a training step under the names that people read, in a fixed order; parts of the same kind together.
std::vector<std::pair<std::string, Seconds>> named_parts(const TrainingParts& parts);

/// Where the time of a decode step or a training step goes: shares of 0.5 % and more, the greatest first.
std::vector<std::pair<std::string, double>> time_shares(const PlanResult& result);

}  // namespace rigplan
