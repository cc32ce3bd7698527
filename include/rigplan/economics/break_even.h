// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rigplan/economics/rent_or_buy.h"

namespace rigplan {

/// The value of one input at which buying and renting cost the same, in money of the first day.
struct Flip {
  Lever lever{};
  double factor = 1;      ///< of the value in the deal
  bool in_range = false;  ///< within the input's own spread
};

/// Nothing when no value of the input changes the verdict: none between 0 and what the world allows (the whole month, the full
/// price, a thousand times today's price).
std::optional<Flip> flip_of(const Deal& deal, Lever lever);
/// Every input that can change the verdict, the one that must move least first.
std::vector<Flip> flips(const Deal& deal);

/// Hours of one card in the horizon at which both cost the same in money of the first day; nothing when the verdict is the same
/// from no use to use day and night.
std::optional<Seconds> break_even_time(const Deal& deal);

/// The first month at whose end all rent paid would reach all payments for the rig less what it would then sell for, at the
/// deal's schedule, undiscounted; nothing when there is none within `most` months.
std::optional<int> break_even_month(const Deal& deal, int most = 240);

/// Hours of rent of one card that its share of a purchase pays for, before power, labour and resale. This is what advertisements
/// leave out.
Seconds hours_paid_by(Yuan purchase, int cards, YuanPerSecond per_card);

/// What the spreads of all inputs together make of the comparison.
struct Draws {
  int count = 0;
  double buying_wins = 0;  ///< share of draws in which buying is cheaper in money of the first day
  Range<Yuan> own, rent;   ///< undiscounted totals; low and high are the 10th and 90th percentile
};

/// Every input is drawn on its own from a triangular distribution over its spread with the peak at 1. The same seed gives the
/// same draws on every machine.
Draws draw_deals(const Deal& deal, int count, std::uint64_t seed);

}  // namespace rigplan
