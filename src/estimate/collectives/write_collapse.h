// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <utility>

#include "rigplan/estimate/collectives/schedule.h"

namespace rigplan {

/// The share of its rate that each of these concurrent transfers (positions in the group, from and to) keeps: less than 1 where
/// cards of one PCIe switch write to cards below several other root ports.
double write_collapse(const CardGroup& group, std::span<const std::pair<int, int>> transfers);

}  // namespace rigplan
