// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rigplan/json/figure.h"
#include "rigplan/units/quantity.h"
#include "rigplan/units/range.h"

namespace rigplan {

struct Money {
  double amount = 0;
  std::string currency;  ///< ISO code: "CNY", "USD"
};

/// How sure a price is, surest first.
enum class PriceBasis { sold, bought, retail, asking, list, estimate, claim, forecast };
enum class Condition { used, refurbished, fresh, unknown };  ///< `fresh` is written "new"

/// One price seen on one day in one place.
struct PriceRow {
  std::string item;  ///< id of a GPU, board, CPU or part
  Money amount;
  std::optional<double> low, high;  ///< in the same currency, where a range was stated
  Condition condition{};
  std::string date;   ///< "2025-01-03", "2025-01", "2025"; empty: undated
  std::string place;
  PriceBasis basis{};
  Source source;
  std::string note;
};

/// Yuan for one unit of a currency on a date.
struct ExchangeRate {
  std::string currency;
  double yuan = 0;
  std::string date;
  Source source;
};

/// The rates in force: by default each currency's newest row; `--fx` overrides.
struct Exchange {
  std::vector<ExchangeRate> rates;
  /// @return nothing for a currency without a rate.
  std::optional<Yuan> convert(const Money&) const;
};

/// What a thing costs, derived from its dated rows.
struct Price {
  Range<Yuan> range;
  Condition condition{};
  PriceBasis basis{};        ///< of the rows that decided the likely value
  std::string newest, oldest;  ///< dates of those rows; empty: undated
  int rows = 0;              ///< how many rows decided
  bool stale = false;        ///< the newest of them is older than the allowed age, or undated
};

struct PricePolicy {
  std::string as_of = "2026-11-30";  ///< rows seen later are not used
  int max_age_days = 540;            ///< older prices are flagged, not dropped
  std::optional<Condition> condition;  ///< only rows of this condition; unset: used before new, as a buyer of second-hand cards would
};

/// The rule (stated in `rigplan catalog show`): rows of the best basis class decide (sold and bought; then retail and asking),
/// the newest year of them; likely is their median, low and high their extremes; list prices, estimates and claims only widen
/// the range when nothing better exists, and are used alone only then. Nothing when there is no row.
std::optional<Price> price_from_rows(std::span<const PriceRow* const> rows, const Exchange&, const PricePolicy&);

/// An offer to rent.
struct RentOffer : Entry {
  std::string provider;
  std::string gpu;        ///< GPU id; empty where the card is not in the catalog
  std::string gpu_text;   ///< as the offer calls it
  int cards = 1;          ///< cards in the smallest instance
  Money per_card_hour;
  std::optional<Money> spot_per_card_hour;
  std::string kind;       ///< "on-demand", "spot", "reserved"
  std::string region;
  std::string date;
  Seconds billing_grain;  ///< 0: unknown
  Source source;
};

}  // namespace rigplan
