// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/catalog/power.h"
#include "rigplan/units/quantity.h"

namespace rigplan {

/// Which hours of the day a machine works, where a tariff has bands.
enum class BandChoice {
  average,         ///< no choice: the tariff's average price
  cheapest_first,  ///< work is put into the cheapest bands whose share of the day is known
};

/// The mean price of `hours` a day. Falls back to the average where the bands' shares are not known.
YuanPerJoule tariff_price(const Tariff& tariff, double hours_per_day, BandChoice choice);

/// Energy over the horizon for a machine that is loaded and idle for so many hours of each day, at the wall.
Joules energy_used(Watts loaded, double loaded_hours_per_day, Watts idle, double idle_hours_per_day, Seconds horizon);

}  // namespace rigplan
