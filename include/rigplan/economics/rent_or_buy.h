// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "rigplan/economics/cash_flow.h"
#include "rigplan/units/quantity.h"
#include "rigplan/units/range.h"

namespace rigplan {

/// Owning a rig, every value known.
struct Owning {
  Yuan purchase;
  std::vector<double> kept;        ///< share of the purchase price that selling brings, by age in months from 0 on; not empty
  Watts loaded, idle;              ///< at the wall, cooling of the site included
  Seconds loaded_time, idle_time;  ///< of a month
  YuanPerJoule tariff;
  Seconds labour;  ///< of a month
  YuanPerSecond labour_price;
  double upkeep_per_year = 0;    ///< share of the purchase price: fans, drives, thermal paste
  double failures_per_year = 0;  ///< cards
  double spares = 0;             ///< cards in the purchase that replace failed ones first
  Yuan card;                     ///< price of a replacement
  double borrowed = 0;           ///< share of the purchase that is paid by a loan
  double loan_rate = 0;          ///< a year
  int loan_months = 0;
  Seconds delivery;       ///< until the rig works; the work of this time is rented
  Yuan rented_meanwhile;  ///< for a month
};

/// Renting cards for the same work, every value known.
struct Renting {
  int cards = 0;
  YuanPerSecond per_card;
  Seconds billed;          ///< of one card in a month, when the owned rig works as long as its schedule says
  bool committed = false;  ///< the time is paid whether it is used or not
  Seconds labour;
  YuanPerSecond labour_price;
  Yuan storage_per_month, egress_per_month;
};

/// An input that is not known for sure.
enum class Lever { rent_price, purchase_price, resale, hours, tariff, labour, failures, discount };
inline constexpr int levers = 8;
std::string_view to_text(Lever lever);

/// One rig bought against one offer rented, over one horizon.
struct Deal {
  Owning own;
  Renting rent;
  double discount_per_year = 0;
  Seconds horizon;
  std::array<Range<double>, levers> spread{};  ///< factors around 1, in the order of Lever
};

/// Payments of the horizon. A last month that is not whole is paid in part; the loan ends with the horizon at the latest.
CashFlow cash_flow(const Owning&, Seconds horizon);
CashFlow cash_flow(const Renting&, Seconds horizon);

/// The deal with one input times a factor. Hours scale for both sides and end at the whole month; resale ends at the full price.
Deal with_lever(Deal deal, Lever lever, double factor);

/// What buying saves over the horizon: payments for renting less payments for owning. Negative when renting is cheaper.
Yuan saved_by_buying(const Deal& deal);
/// The same in money of the first day.
Yuan present_value_saved(const Deal& deal);

}  // namespace rigplan
