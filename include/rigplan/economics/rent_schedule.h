// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "rigplan/catalog/price.h"
#include "rigplan/units/parse.h"
#include "rigplan/units/quantity.h"

namespace rigplan {

/// When work is done: so many hours on each of so many days of a month.
struct RentSchedule {
  double hours_per_day = 8, days_per_month = 22;

  /// Of a month. Never more than `month`.
  Seconds per_month() const { return hours_per_day * days_per_month * hour; }
  bool operator==(const RentSchedule&) const = default;
};

/// Reads "8h x 22d" (hours a day, days a month; "×" and "*" do as well) and "24/7", which is 24 hours on 30.4375 days.
std::variant<RentSchedule, UnitError> parse_rent_schedule(std::string_view text);
/// "8 h × 22 d a month", "day and night".
std::string to_text(const RentSchedule&);

/// Time for which one start on each day of the schedule is billed in a month: the work and the start-up, at least the minimum,
/// in whole grains; under a commitment every hour of the month.
Seconds billed_per_month(const RentOffer&, const RentSchedule&);

/// Cards that must be taken for `cards` of them: whole instances.
int billed_cards(const RentOffer&, int cards);

}  // namespace rigplan
