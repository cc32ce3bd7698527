// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "rigplan/estimate/memory/memory.h"

namespace rigplan {

/// Whole layers on each card, as llama.cpp deals them: in proportion to what the cards have free, the output head counting as
/// one more layer at the end.
std::vector<int> layers_by_capacity(int layers, std::span<const CardBudget> cards);

}  // namespace rigplan
