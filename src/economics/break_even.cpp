// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/break_even.h"

#include <algorithm>
#include <cmath>

#include "rigplan/economics/draws.h"

namespace rigplan {
namespace {

double greatest_factor(const Deal& deal, Lever lever) {
  switch (lever) {
    case Lever::hours:
      return deal.own.loaded_time > Seconds{} ? month / deal.own.loaded_time : 1;
    case Lever::resale: {
      const double least = *std::min_element(deal.own.kept.begin(), deal.own.kept.end());
      return least > 0 ? 1 / least : 1;
    }
    case Lever::discount:
      return deal.discount_per_year > 0 ? 1 / deal.discount_per_year : 1;
    default:
      return 1000;
  }
}

bool buying_wins(const Deal& deal, Lever lever, double factor) {
  return present_value_saved(with_lever(deal, lever, factor)) > Yuan{};
}

/// The factor between `same`, where the verdict is `verdict`, and `other`, where it is not.
double crossing(const Deal& deal, Lever lever, double same, double other, bool verdict) {
  for (int i = 0; i < 60; ++i) {
    const double middle = (same + other) / 2;
    (buying_wins(deal, lever, middle) == verdict ? same : other) = middle;
  }
  return (same + other) / 2;
}

Range<Yuan> spread_of(std::vector<Yuan>& values, Yuan likely) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) { return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))]; };
  return {std::min(at(0.1), likely), likely, std::max(at(0.9), likely)};
}

}  // namespace

std::optional<Flip> flip_of(const Deal& deal, Lever lever) {
  const bool verdict = buying_wins(deal, lever, 1);
  for (const double end : {0.0, greatest_factor(deal, lever)}) {
    if (buying_wins(deal, lever, end) == verdict) continue;
    const double factor = crossing(deal, lever, 1, end, verdict);
    const auto& spread = deal.spread[static_cast<std::size_t>(lever)];
    return Flip{lever, factor, spread.low <= factor && factor <= spread.high};
  }
  return std::nullopt;
}

std::vector<Flip> flips(const Deal& deal) {
  std::vector<Flip> found;
  for (int lever = 0; lever < levers; ++lever)
    if (const auto flip = flip_of(deal, static_cast<Lever>(lever))) found.push_back(*flip);
  const auto distance = [](const Flip& flip) { return flip.factor > 0 ? std::abs(std::log(flip.factor)) : 1e9; };
  std::stable_sort(found.begin(), found.end(), [&](const Flip& a, const Flip& b) { return distance(a) < distance(b); });
  return found;
}

std::optional<Seconds> break_even_time(const Deal& deal) {
  const auto flip = flip_of(deal, Lever::hours);
  if (!flip) return std::nullopt;
  return flip->factor * (deal.own.loaded_time / month) * deal.horizon;
}

std::optional<int> break_even_month(const Deal& deal, int most) {
  if (deal.own.loaded_time <= Seconds{}) return std::nullopt;
  for (int m = 1; m <= most; ++m)
    if (cash_flow(deal.rent, m * month).total() >= cash_flow(deal.own, m * month).total()) return m;
  return std::nullopt;
}

Seconds hours_paid_by(Yuan purchase, int cards, YuanPerSecond per_card) { return purchase / cards / per_card; }

Draws draw_deals(const Deal& deal, int count, std::uint64_t seed) {
  EvenNumbers even{seed};
  int wins = 0;
  std::vector<Yuan> own, rent;
  for (int i = 0; i < count; ++i) {
    auto drawn = deal;
    for (int lever = 0; lever < levers; ++lever) {
      const auto& spread = deal.spread[static_cast<std::size_t>(lever)];
      drawn = with_lever(std::move(drawn), static_cast<Lever>(lever), triangular(spread, even.next()));
    }
    const auto owned = cash_flow(drawn.own, drawn.horizon), rented = cash_flow(drawn.rent, drawn.horizon);
    if (owned.present_value(drawn.discount_per_year) < rented.present_value(drawn.discount_per_year)) ++wins;
    own.push_back(owned.total());
    rent.push_back(rented.total());
  }
  return {.count = count,
          .buying_wins = static_cast<double>(wins) / count,
          .own = spread_of(own, cash_flow(deal.own, deal.horizon).total()),
          .rent = spread_of(rent, cash_flow(deal.rent, deal.horizon).total())};
}

}  // namespace rigplan
