// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rigplan/economics/price_book.h"
#include "rigplan/search/evaluator.h"
#include "rigplan/search/query.h"

namespace rigplan {

/// Which builds there are to look at.
struct Space {
  std::vector<Build> builds;
  std::vector<std::string> cards_without_price;  ///< ids that match the patterns but have no price
  std::vector<std::string> cards_without_host;   ///< ids whose form no ranked host takes
};

/// Numbers of cards that are tried, up to `most` (0: all).
std::vector<int> card_counts(int most);

/// A rig of `count` cards on a host kit: straight in its slots, or through `split` (a Bifurcator) in as many slots as it takes.
/// Empty when they do not all find a slot.
std::vector<Build> builds_on(const Catalog& catalog, const HostKit& kit, const std::string& gpu, int count, const Part* split);

/// Every card that has a price (and matches a pattern) x numbers of cards x ranked host kits x direct or split slots. Disputed
/// cards are only looked at when a pattern names them.
Space make_space(const Catalog& catalog, const PriceBook& prices, const Query& query);

}  // namespace rigplan
