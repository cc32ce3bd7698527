// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "rigplan/catalog/board.h"
#include "rigplan/catalog/part.h"

namespace rigplan {

/// Slots that a card can be plugged into: the long ones, because the others need adapters of their own.
std::vector<const Slot*> card_slots(const Board& board);

/// Whether the firmware divides a slot as the adapter needs it.
bool offers(const Slot& slot, const Bifurcator& split);

}  // namespace rigplan
