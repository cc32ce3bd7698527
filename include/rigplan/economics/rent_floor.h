// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "rigplan/catalog/catalog.h"
#include "rigplan/units/quantity.h"
#include "rigplan/units/range.h"

namespace rigplan {

/// The least that a card-hour should cost by what others ask for other cards.
struct RentFloor {
  YuanPerSecond per_card;
  const RentOffer* offer = nullptr;  ///< the one behind it
};

/// Over all offers of other cards whose figures nobody disputes: the lowest price per GiB of memory times this card's memory, and
/// the lowest price per fp16 FLOP/s times this card's; the lesser of the two. Nothing when the card or its figures are unknown.
std::optional<RentFloor> rent_floor(const Catalog& catalog, std::string_view gpu);

/// What the offers of one card ask.
struct RentRange {
  Range<YuanPerSecond> per_card;  ///< the cheapest, the middle one, the dearest
  int count = 0;
};
/// Nothing when no offer of the catalog is for this card.
std::optional<RentRange> rent_range(const Catalog& catalog, std::string_view gpu);

}  // namespace rigplan
