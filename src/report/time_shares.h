// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rigplan/search/candidate.h"

namespace rigplan {

/// Whether the parts of one kind stand together, or each by itself.
enum class PartDetail { together, apart };

/// The parts of a training step under the names that people read, in a fixed order.
std::vector<std::pair<std::string, Seconds>> named_parts(const TrainingParts& parts, PartDetail detail = PartDetail::together);

/// Where the time of a decode step or a training step goes: shares of 0.5 % and more, the greatest first.
std::vector<std::pair<std::string, double>> time_shares(const PlanResult& result);

}  // namespace rigplan
