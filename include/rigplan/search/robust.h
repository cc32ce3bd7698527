// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "rigplan/search/rank.h"

namespace rigplan {

/// For each ranked build the share of draws in which it would be first.
///
/// Each draw takes the price of every item (card, board, processor, part) from a triangle over its range with the peak at the
/// likely price, and for every kind of card one place in the triangle over its builds' speed range. Price and speed error are
/// those of the item and of the card, not of the row: builds of the same card move together, because a card that turns out
/// dearer or slower does so in all of them. Items and kinds of cards are drawn apart from each other; resale follows the drawn
/// price, energy is the likely one. The draws of an item depend on the seed and its id alone.
///
/// Only builds of the ranking compete: one that its bound kept from a full look is taken as never first, and the budget is that
/// of the likely prices.
std::vector<double> shares_of_first(const Catalog& catalog, const Ranking& ranking, int draws, std::uint64_t seed);

}  // namespace rigplan
