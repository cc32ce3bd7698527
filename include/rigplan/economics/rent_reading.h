// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "rigplan/economics/rent_schedule.h"

namespace rigplan {

/// The usual schedule under which a stated rent comes out, within 1 %: the one asked about first, then full days on the same
/// number of days, on 30 days and on every day of a month, and the asked hours on 30 days. Nothing when none does.
std::optional<RentSchedule> schedule_behind(Yuan stated, int cards, YuanPerSecond per_card, const RentSchedule& asked,
                                            Seconds horizon);

/// Rent for whole hours of a schedule, without grain or minimum: the sum that an advertisement prints.
Yuan plain_rent(int cards, YuanPerSecond per_card, const RentSchedule& schedule, Seconds horizon);

}  // namespace rigplan
