// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/estimate/collectives/group_links.h"
#include "rigplan/estimate/collectives/library_time.h"
#include "rigplan/estimate/collectives/schedule.h"

namespace rigplan {

/// What the calibrated formulas need to know of a group's wiring, from the graph: the slowest hop of its best ring, what its
/// cards exchange all at once, and the network between its machines.
GroupLinks prepare_links(const CardGroup& group);

/// What a library needs on these cards. As prepare_library(), but what the stack adds is never more over a bridge than over the
/// PCIe beside it: the constants of the two are fitted to other machines, and a library may leave a bridge unused.
LibraryCost prepare_on_cards(const GroupLinks& links, const Calibration& calibration, std::string_view stack);

/// The stack that runs on these cards in an engine that records its launches: the library of the cards' vendor.
std::string_view default_stack(Vendor vendor);
std::string_view default_stack(const CardGroup& group);

}  // namespace rigplan
