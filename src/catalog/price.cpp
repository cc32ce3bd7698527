// SPDX-License-Identifier: Apache-2.0
#include "rigplan/catalog/price.h"

#include <algorithm>
#include <tuple>

#include "catalog/date.h"
#include "rigplan/catalog/catalog.h"

namespace rigplan {
namespace {

constexpr std::size_t enough_rows = 3;  ///< fewer say little about the spread
constexpr int window_days = 365;
constexpr int deal_days = 183;  ///< half a year

/// A row with its price in yuan and its first possible day.
struct Quote {
  const PriceRow* row;
  Range<Yuan> price;
  std::optional<int> day;
};

/// How a price came about: 0 seen, 1 thought, 2 disputed or to come.
int evidence(PriceBasis basis) {
  if (basis <= PriceBasis::asking) return 0;
  return basis <= PriceBasis::estimate ? 1 : 2;
}
bool is_deal(PriceBasis basis) { return basis <= PriceBasis::bought; }
bool is_new(Condition condition) { return condition == Condition::fresh; }

std::optional<Quote> quote(const PriceRow& row, const Exchange& exchange) {
  const auto one = exchange.convert({1, row.amount.currency});
  if (!one) return std::nullopt;
  const auto amount = row.amount.amount;
  return Quote{&row, {row.low.value_or(amount) * *one, amount * *one, row.high.value_or(amount) * *one}, first_day(row.date)};
}

/// Rows in force on the day of the policy, of the condition that it asks for.
std::vector<Quote> quotes_in_force(std::span<const PriceRow* const> rows, const Exchange& exchange, const PricePolicy& policy,
                                   std::optional<int> today) {
  std::vector<Quote> quotes;
  for (const auto* row : rows) {
    if (policy.condition && is_new(row->condition) != is_new(*policy.condition)) continue;
    const auto one = quote(*row, exchange);
    if (one && !(one->day && today && *one->day > *today)) quotes.push_back(*one);
  }
  return quotes;
}

/// The first group of rule 2 that has rows.
std::vector<Quote> best_group(const std::vector<Quote>& quotes) {
  const auto rank = [](const Quote& q) { return 2 * evidence(q.row->basis) + (is_new(q.row->condition) ? 1 : 0); };
  const auto best =
      std::min_element(quotes.begin(), quotes.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  std::vector<Quote> group;
  std::copy_if(quotes.begin(), quotes.end(), std::back_inserter(group), [&](const auto& q) { return rank(q) == rank(*best); });
  return group;
}

/// The rows of the last `days` before the newest dated one; all of them where none is dated. std::optional orders "undated"
/// below every day.
std::vector<Quote> newest_of(const std::vector<Quote>& group, int days) {
  const auto by_day = [](const auto& a, const auto& b) { return std::tie(a.day, a.row->date) < std::tie(b.day, b.row->date); };
  const auto newest = std::max_element(group.begin(), group.end(), by_day)->day;
  std::vector<Quote> recent;
  std::copy_if(group.begin(), group.end(), std::back_inserter(recent),
               [&](const auto& q) { return !newest || (q.day && *q.day >= *newest - days); });
  return recent;
}

/// Rule 4: the deals of the last half year, or the offers where there is none. The newest row is one or the other, so that this
/// is never empty.
std::vector<Quote> deciding_rows(const std::vector<Quote>& counting) {
  auto deals = newest_of(counting, deal_days);
  std::erase_if(deals, [](const auto& q) { return !is_deal(q.row->basis); });
  if (!deals.empty()) return deals;
  auto offers = counting;
  std::erase_if(offers, [](const auto& q) { return is_deal(q.row->basis); });
  return offers;
}

Yuan median(std::vector<Quote> quotes) {
  std::sort(quotes.begin(), quotes.end(), [](const auto& a, const auto& b) { return a.price.likely < b.price.likely; });
  const auto middle = quotes.size() / 2;
  if (quotes.size() % 2 == 1) return quotes[middle].price.likely;
  return (quotes[middle - 1].price.likely + quotes[middle].price.likely) / 2;
}

void widen(Range<Yuan>& range, const Quote& quote) {
  range.low = std::min(range.low, quote.price.low);
  range.high = std::max(range.high, quote.price.high);
}

/// What the rows that decide say of themselves.
Price describe(const std::vector<Quote>& deciding, std::optional<int> today, int max_age_days) {
  const auto by_day = [](const auto& a, const auto& b) { return a.day < b.day; };
  const auto [oldest, newest] = std::minmax_element(deciding.begin(), deciding.end(), by_day);
  const auto surest = std::min_element(deciding.begin(), deciding.end(), [](const auto& a, const auto& b) {
    return std::tie(a.row->basis, a.row->condition) < std::tie(b.row->basis, b.row->condition);
  });
  const auto likely = median(deciding);
  const bool stale = !newest->day || (today && *today - *newest->day > max_age_days);
  return {Range<Yuan>::exactly(likely),
          surest->row->condition,
          surest->row->basis,
          newest->row->date,
          oldest->row->date,
          static_cast<int>(deciding.size()),
          stale};
}

}  // namespace

std::optional<Price> price_from_rows(std::span<const PriceRow* const> rows, const Exchange& exchange, const PricePolicy& policy) {
  const auto today = first_day(policy.as_of);
  const auto quotes = quotes_in_force(rows, exchange, policy, today);
  if (quotes.empty()) return std::nullopt;
  const auto counting = newest_of(best_group(quotes), window_days);
  auto price = describe(deciding_rows(counting), today, policy.max_age_days);
  for (const auto& q : counting) widen(price.range, q);
  if (counting.size() >= enough_rows) return price;
  for (const auto& q : quotes) {
    const bool young = q.day && (!today || *today - *q.day <= policy.max_age_days);
    if (young && evidence(q.row->basis) > 0 && q.row->basis != PriceBasis::forecast) widen(price.range, q);
  }
  return price;
}

std::optional<int> price_age_days(std::string_view date, std::string_view as_of) {
  const auto seen = first_day(date), today = first_day(as_of);
  if (!seen || !today) return std::nullopt;
  return *today - *seen;
}

const ExchangeRate* Exchange::rate(std::string_view currency) const {
  const ExchangeRate* newest = nullptr;
  for (const auto& one : rates)
    if (one.currency == currency && (!newest || first_day(one.date) >= first_day(newest->date))) newest = &one;
  return newest;
}

std::optional<Yuan> Exchange::convert(const Money& money) const {
  if (money.currency == "CNY") return money.amount * yuan;
  const auto* found = rate(money.currency);
  if (!found) return std::nullopt;
  return money.amount * found->yuan * yuan;
}

std::vector<const PriceRow*> Catalog::price_rows(std::string_view item) const {
  std::vector<const PriceRow*> rows;
  for (const auto& row : prices)
    if (row.item == item) rows.push_back(&row);
  return rows;
}

std::optional<Price> Catalog::price(std::string_view item) const {
  return price_from_rows(price_rows(item), exchange, price_policy);
}

}  // namespace rigplan
