// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/rent_reading.h"

#include <cmath>

namespace rigplan {

Yuan plain_rent(int cards, YuanPerSecond per_card, const RentSchedule& schedule, Seconds horizon) {
  return horizon / month * cards * (schedule.per_month() * per_card);
}

std::optional<RentSchedule> schedule_behind(Yuan stated, int cards, YuanPerSecond per_card, const RentSchedule& asked,
                                            Seconds horizon) {
  const RentSchedule readings[] = {asked, {24, asked.days_per_month}, {24, 30}, {24, month / day}, {asked.hours_per_day, 30}};
  for (const auto& reading : readings)
    if (std::abs(stated / plain_rent(cards, per_card, reading, horizon) - 1) < 0.01) return reading;
  return std::nullopt;
}

}  // namespace rigplan
