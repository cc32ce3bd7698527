// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/economics/break_even.h"

namespace rigplan {

/// 20,000 yuan, half of it back after any time, 1 kW for 176 h a month at 0.5 yuan/kWh (88 yuan), against two cards at 3 yuan an
/// hour (1,056 yuan a month) over two years: owning costs 12,112 yuan, renting 25,344.
inline Deal round_deal() {
  Deal deal;
  deal.own.purchase = 20'000 * yuan;
  deal.own.kept = {0.5};
  deal.own.loaded = 1 * kW;
  deal.own.loaded_time = 176 * hour;
  deal.own.tariff = 0.5 * yuan_per_kWh;
  deal.rent.cards = 2;
  deal.rent.per_card = 3 * yuan_per_hour;
  deal.rent.billed = 176 * hour;
  deal.horizon = 24 * month;
  deal.spread.fill(Range<double>::exactly(1));
  return deal;
}

}  // namespace rigplan
