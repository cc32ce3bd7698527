// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rigplan/json/figure.h"
#include "rigplan/units/parse.h"
#include "rigplan/units/quantity.h"
#include "rigplan/units/range.h"

namespace rigplan {

struct Money {
  double amount = 0;
  std::string currency;  ///< ISO code: "CNY", "USD"
  bool operator==(const Money&) const = default;
};
/// Reads "900 yuan", "0.3万元", "1,350 USD": an amount in yuan or in a currency named by its three-letter code.
std::variant<Money, UnitError> parse_money(std::string_view text);

/// How sure a price is, surest first.
enum class PriceBasis { sold, bought, retail, asking, list, estimate, claim, forecast };
std::string_view to_text(PriceBasis);
enum class Condition { used, refurbished, modified, fresh, unknown };  ///< `fresh` is written "new"
std::string_view to_text(Condition);

/// One price seen on one day in one place.
struct PriceRow {
  std::string item;  ///< id of a GPU, board, CPU or part
  Money amount;
  std::optional<double> low, high;  ///< in the same currency, where a range was stated
  Condition condition{};
  std::string date;  ///< "2025-01-03", "2025-01", "2025"; empty: undated
  std::string place;
  PriceBasis basis{};
  FigureKind kind = FigureKind::quoted;  ///< inferred: nobody quoted it, it only keeps builds from being unpriceable
  Source source;
  std::string note;
};

/// Yuan for one unit of a currency on a date.
struct ExchangeRate {
  std::string currency;
  double yuan = 0;
  std::string date;
  Source source;
  FigureKind kind = FigureKind::quoted;
  std::string note{};
};

/// The rates in force: each currency's newest row, of two with the same date the later one.
struct Exchange {
  std::vector<ExchangeRate> rates;
  const ExchangeRate* rate(std::string_view currency) const;
  /// @return nothing for a currency without a rate.
  std::optional<Yuan> convert(const Money&) const;
};

/// What a thing costs, derived from its dated rows.
struct Price {
  Range<Yuan> range;
  Condition condition{};
  PriceBasis basis{};          ///< of the rows that decided the likely value
  std::string newest, oldest;  ///< dates of those rows; empty: undated
  int rows = 0;                ///< how many rows decided
  bool stale = false;          ///< the newest of them is older than the allowed age, or undated
};

struct PricePolicy {
  std::string as_of = "2026-11-30";    ///< rows seen later are not used
  int max_age_days = 540;              ///< older prices are flagged, not dropped
  std::optional<Condition> condition;  ///< fresh: only new ones, otherwise only second-hand ones; unset: second-hand before new
};

/// What a thing costs, by this rule:
/// 1. Rows dated after `as_of`, and rows in a currency without a rate, are left out.
/// 2. What somebody saw (sold, bought, retail, asking) comes before what somebody thought (list, estimate), and that before
///    what is disputed or to come (claim, forecast). Among the rows of the first such group that has any, second-hand ones (used,
///    refurbished, modified, unknown) come before new ones.
/// 3. Of these, the twelve months before the newest dated row count, so that a price of last year does not speak against
///    one of this year; undated rows count only where none is dated.
/// 4. Deals (sold, bought) of the last half year before that newest row decide before offers (retail, asking); older deals only
///    count for the spread, because a market that moved has left them behind. `likely` is the median of the rows that decide,
///    `low` and `high` are the extremes of all rows that count, with the spans that they state themselves.
/// 5. Where fewer than three rows count, list prices, estimates and claims that are not older than `max_age_days` widen `low`
///    and `high`, whatever their condition.
/// A date that names only a month or a year is taken as its first day. Nothing when there is no row.
std::optional<Price> price_from_rows(std::span<const PriceRow* const> rows, const Exchange&, const PricePolicy&);

/// Days from the first day that a row's date may mean to `as_of`, negative for later rows; nothing for an undated row.
std::optional<int> price_age_days(std::string_view date, std::string_view as_of);

/// An offer to rent.
struct RentOffer : Entry {
  std::string provider;
  std::string gpu;       ///< GPU id; empty where the card is not in the catalog
  std::string gpu_text;  ///< as the offer calls it
  int cards = 1;         ///< cards in the smallest instance
  Money per_card_hour;
  std::optional<Money> spot_per_card_hour;
  std::string terms;  ///< "on-demand", "spot", "reserved", "index"
  std::string region;
  std::string date;
  Seconds billing_grain;  ///< each start is billed in whole ones; 0: unknown
  // What an offer may say besides; nothing or 0 where it does not say.
  std::optional<Money> lowest, highest;  ///< for one card and hour, as seen around the date
  Seconds minimum;                       ///< each start is billed for at least so long
  Seconds start_up;                      ///< from asking for it to working; billed
  Seconds commitment;                    ///< of a reservation: every hour of it is paid, used or not
  std::optional<Money> storage_per_gib_month, egress_per_gib;
  std::optional<double> availability;  ///< share of the hours asked for in which cards could be had
  Source source;
};

}  // namespace rigplan
