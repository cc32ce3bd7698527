// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rigplan/json/figure.h"
#include "rigplan/units/quantity.h"
#include "rigplan/units/range.h"

namespace rigplan {

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
  // Share of the board power that a card draws
  double idle_draw = 0, waiting_draw = 0, decode_draw = 0, prefill_draw = 0, training_draw = 0;
};

}  // namespace rigplan
