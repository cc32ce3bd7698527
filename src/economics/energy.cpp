// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/energy.h"

#include <algorithm>
#include <vector>

namespace rigplan {

YuanPerJoule tariff_price(const Tariff& tariff, double hours_per_day, BandChoice choice) {
  double known = 0;
  for (const auto& band : tariff.bands) known += band.share;
  if (choice == BandChoice::average || hours_per_day <= 0 || known < 0.999) return tariff.average;

  auto bands = tariff.bands;
  std::stable_sort(bands.begin(), bands.end(), [](const auto& a, const auto& b) { return a.price < b.price; });
  YuanPerJoule weighted;
  double left = hours_per_day;
  for (const auto& band : bands) {
    const double hours = std::min(left, 24 * band.share);
    weighted += hours / hours_per_day * band.price;
    left -= hours;
  }
  return weighted;
}

Joules energy_used(Watts loaded, double loaded_hours_per_day, Watts idle, double idle_hours_per_day, Seconds horizon) {
  const double days = horizon / day;
  return days * loaded_hours_per_day * (loaded * hour) + days * idle_hours_per_day * (idle * hour);
}

}  // namespace rigplan
