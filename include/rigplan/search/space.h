// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/economics/price_book.h"
#include "rigplan/search/evaluator.h"
#include "rigplan/search/query.h"

namespace rigplan {

/// A build before its rig is made. A search holds hundreds of thousands of them and makes the rigs of a few.
struct BuildChoice {
  const Gpu* gpu = nullptr;
  const HostKit* kit = nullptr;
  const Part* split = nullptr;  ///< a Bifurcator that divides slots; nullptr: cards straight in their slots
  int cards = 0;
};

/// Which builds there are to look at.
struct Space {
  std::vector<BuildChoice> choices;
  std::vector<std::string> cards_without_price;  ///< ids that match the patterns but have no price
  std::vector<std::string> cards_without_host;   ///< ids whose form no host takes
};

/// Numbers of cards that are tried, up to `most` (0: all).
std::vector<int> card_counts(int most);

/// The rig of a choice; nothing when its cards do not all find a slot.
std::optional<Build> build_of(const Catalog& catalog, const BuildChoice& choice);

/// Every card that has a price (and matches a pattern) x numbers of cards x host kits whose board has a price x direct or split
/// slots. Disputed cards are only looked at when a pattern names them.
Space make_space(const Catalog& catalog, const PriceBook& prices, const Query& query);

}  // namespace rigplan
