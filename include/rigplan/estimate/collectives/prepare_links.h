// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/estimate/collectives/group_links.h"
#include "rigplan/estimate/collectives/schedule.h"

namespace rigplan {

/// What the calibrated formulas need to know of a group's wiring, from the graph: the slowest hop of its best ring, what its
/// cards exchange all at once, and the network between its machines.
GroupLinks prepare_links(const CardGroup& group);

/// The stack that runs on these cards in an engine that records its launches: the library of the cards' vendor.
std::string_view default_stack(const CardGroup& group);

}  // namespace rigplan
