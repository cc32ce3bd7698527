// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rigplan/json/figure.h"
#include "rigplan/units/quantity.h"
#include "rigplan/units/range.h"

namespace rigplan {

/// The share of its price that a part of one class keeps by age. Between two points the share falls by the same factor each
/// day, before the first from 1, behind the last as it did between the last two.
struct ResaleCurve {
  std::string part;  ///< "used-card", "new-card", "accelerator-module", "platform", "supply"
  struct Point {
    Seconds age;
    Range<double> kept;
  };
  std::vector<Point> points;  ///< rising age
};

/// Hours a month that one person spends on keeping the software of a machine alive, by how its chip is supported, and of renting.
struct UpkeepHours {
  double supported = 0, community = 0, ended = 0, rented = 0;
};

/// What every plan assumes unless it is told otherwise. All shares are of 1.
struct PlanningDefaults : Entry {
  Seconds horizon;
  double loaded_hours_per_day = 0;
  double idle_hours_per_day = 0;                        ///< switched on without work
  std::string tariff;                                   ///< id of a Tariff
  std::string circuit;                                  ///< id of the Circuit that a home or office has
  double pue = 1;                                       ///< power of the site over power of the machines
  double power_share = 0;                               ///< least share of a bill for supplies, cooling and cabling
  double spare_share = 0;                               ///< spare cards per used card, whole cards only
  double psu_margin = 0;                                ///< share of the rated power that stays free at full sustained load
  double upkeep_per_year = 0;                           ///< share of the purchase price
  std::string passive_cooler;                           ///< part id of the fan and duct of one passive card
  Range<double> loss_per_year_used, loss_per_year_new;  ///< value that hardware loses in a year: low loss first
  std::vector<ResaleCurve> resale;                      ///< for a class without curve the yearly losses above
  Range<double> failures_per_year_used, failures_per_year_new;  ///< cards that die or must go back, share of the cards
  Range<double> discount_per_year;                              ///< what money costs, or earns elsewhere
  UpkeepHours labour;
  YuanPerSecond labour_price;
  // Spreads of what is given without a range: factors around 1
  Range<double> tariff_spread, rent_spread, hours_spread, labour_spread;
  // Share of the board power that a card draws
  double idle_draw = 0, waiting_draw = 0, decode_draw = 0, prefill_draw = 0, training_draw = 0;
};

}  // namespace rigplan
