// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rigplan/search/evaluator.h"

namespace rigplan {

enum class FlipLever { card_price, board_price, tariff, hours_per_day, horizon };

/// The value of one input beyond which another build is first.
struct RankFlip {
  FlipLever lever{};
  std::string item;         ///< id of the card or board; empty for the others
  double from = 0, to = 0;  ///< yuan, yuan per kWh, hours a day, months
  Candidate first;          ///< what is first just beyond

  double factor() const { return from > 0 ? to / from : 0; }
};

/// What would have to change for another build to be first.
struct FlipAnswer {
  std::optional<Candidate> first;  ///< as things are; nothing when nothing fits
  std::vector<RankFlip> flips;     ///< the smallest relative change first
  std::vector<FlipLever> without;  ///< tariff, hours or horizon that change nothing within the limits below
};

/// Prices are tried between half and twice what they are, the tariff from nothing to four times, hours from a quarter of an hour
/// to the whole day (idle hours make room), the horizon in whole months from one to sixty. Of the prices the `most_prices` are
/// named that need move least. The edges of prices, tariff and hours are found by halving, to six digits: a build's cost is linear
/// in each of them, the reserve for cables piecewise, so that between no change and the edge the first place stays.
/// @param questions differ in number format and engine alone
FlipAnswer flips_of_first(const Catalog& catalog, const TransformerModel& model, const Calibrations& calibrations,
                          std::span<const Query> questions, int most_prices = 5);

}  // namespace rigplan
