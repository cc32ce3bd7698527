// SPDX-License-Identifier: Apache-2.0
#include "rigplan/catalog/price.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "catalog/shipped.h"

using namespace rigplan;

namespace {

/// Dollars at 7 yuan and rows under test. Prices are in yuan unless a currency is given.
struct Market {
  Exchange exchange{{{"USD", 6.0, "2025-01-01", {}}, {"USD", 7.0, "2026-01-01", {}}}};
  PricePolicy policy{"2026-11-30", 540, {}};
  std::vector<PriceRow> rows;

  Market& add(PriceBasis basis, Condition condition, const std::string& date, double amount,
              const std::string& currency = "CNY") {
    PriceRow row;
    row.item = "card";
    row.amount = {amount, currency};
    row.basis = basis;
    row.condition = condition;
    row.date = date;
    rows.push_back(row);
    return *this;
  }
  Market& span(double low, double high) {
    rows.back().low = low;
    rows.back().high = high;
    return *this;
  }
  std::optional<Price> price() const {
    std::vector<const PriceRow*> pointers;
    for (const auto& row : rows) pointers.push_back(&row);
    return price_from_rows(pointers, exchange, policy);
  }
};

Range<double> in_yuan(const std::optional<Price>& price) {
  REQUIRE(price);
  return map_range(price->range, [](Yuan y) { return y.in(yuan); });
}

constexpr auto used = Condition::used;
constexpr auto fresh = Condition::fresh;

}  // namespace

TEST_CASE("no row, no price") { CHECK_FALSE(Market{}.price()); }

TEST_CASE("a price is the median of the rows that decide, with their extremes") {
  Market odd;
  odd.add(PriceBasis::asking, used, "2026-05", 900)
      .add(PriceBasis::asking, used, "2026-06", 1000)
      .add(PriceBasis::asking, used, "2026-07", 1500);
  CHECK(in_yuan(odd.price()) == Range<double>{900, 1000, 1500});
  CHECK(odd.price()->rows == 3);
  CHECK(odd.price()->newest == "2026-07");
  CHECK(odd.price()->oldest == "2026-05");
  // Of four rows the two in the middle are averaged: (1000 + 1100) / 2.
  odd.add(PriceBasis::asking, used, "2026-08", 1100);
  CHECK(in_yuan(odd.price()) == Range<double>{900, 1050, 1500});
}

TEST_CASE("deals decide before offers, and offers still show the spread") {
  Market market;
  market.add(PriceBasis::asking, used, "2026-06", 1300).add(PriceBasis::asking, used, "2026-06", 1400);
  CHECK(in_yuan(market.price()).likely == 1350);
  market.add(PriceBasis::sold, used, "2026-05", 1000);
  CHECK(in_yuan(market.price()) == Range<double>{1000, 1000, 1400});
  CHECK(market.price()->basis == PriceBasis::sold);
  CHECK(market.price()->rows == 1);
}

TEST_CASE("a deal decides for half a year, and counts for twelve months") {
  // 2026-06-10 less 183 days is 2025-12-09, less 365 days 2025-06-10.
  const auto with_deal_of = [](const std::string& date) {
    Market market;
    market.add(PriceBasis::asking, used, "2026-06-10", 2000).add(PriceBasis::bought, used, date, 500);
    return in_yuan(market.price());
  };
  CHECK(with_deal_of("2025-12-09") == Range<double>{500, 500, 2000});
  CHECK(with_deal_of("2025-12-08") == Range<double>{500, 2000, 2000});
  CHECK(with_deal_of("2025-06-10") == Range<double>{500, 2000, 2000});
  CHECK(with_deal_of("2025-06-09") == Range<double>{2000, 2000, 2000});
}

TEST_CASE("second-hand before new, unless new is asked for") {
  Market market;
  market.add(PriceBasis::retail, fresh, "2026-08", 9000).add(PriceBasis::asking, used, "2026-08", 6000);
  CHECK(in_yuan(market.price()).likely == 6000);
  CHECK(market.price()->condition == used);
  market.policy.condition = fresh;
  CHECK(in_yuan(market.price()).likely == 9000);
  CHECK(market.price()->condition == fresh);
}

TEST_CASE("only new rows: they decide unless second-hand is asked for") {
  Market market;
  market.add(PriceBasis::retail, fresh, "2026-08", 9000);
  CHECK(in_yuan(market.price()).likely == 9000);
  market.policy.condition = used;
  CHECK_FALSE(market.price());
}

TEST_CASE("what was seen comes before what was thought, in whatever condition") {
  Market market;
  market.add(PriceBasis::estimate, used, "2026-08", 5000);
  CHECK(in_yuan(market.price()).likely == 5000);
  CHECK(market.price()->basis == PriceBasis::estimate);
  market.add(PriceBasis::retail, fresh, "2026-07", 8000);
  CHECK(in_yuan(market.price()) == Range<double>{5000, 8000, 8000});  // one row seen: the estimate bounds it
}

TEST_CASE("three rows that were seen leave no room for estimates and claims") {
  Market market;
  market.add(PriceBasis::claim, used, "2026-08", 100).add(PriceBasis::estimate, used, "2026-08", 9000);
  market.add(PriceBasis::asking, used, "2026-06", 1000).add(PriceBasis::asking, used, "2026-07", 1200);
  CHECK(in_yuan(market.price()) == Range<double>{100, 1100, 9000});
  market.add(PriceBasis::asking, used, "2026-08", 1300);
  CHECK(in_yuan(market.price()) == Range<double>{1000, 1200, 1300});
}

TEST_CASE("estimates that are too old do not widen a price") {
  // 540 days before 2026-11-30 is 2025-06-08.
  Market young, old;
  young.add(PriceBasis::asking, used, "2026-08", 1000).add(PriceBasis::estimate, used, "2025-06-08", 700);
  CHECK(in_yuan(young.price()).low == 700);
  old.add(PriceBasis::asking, used, "2026-08", 1000).add(PriceBasis::estimate, used, "2025-06-07", 700);
  CHECK(in_yuan(old.price()).low == 1000);
}

TEST_CASE("a claim is used alone when there is nothing else, a forecast never widens") {
  Market market;
  market.add(PriceBasis::claim, fresh, "2026-02-25", 80000);
  CHECK(in_yuan(market.price()).likely == 80000);
  CHECK(market.price()->basis == PriceBasis::claim);
  market.add(PriceBasis::asking, fresh, "2026-03", 90000).add(PriceBasis::forecast, fresh, "2026-03", 200000);
  CHECK(in_yuan(market.price()) == Range<double>{80000, 90000, 90000});
}

TEST_CASE("a price is stale when the newest row is older than allowed or undated") {
  Market young, old, undated;
  young.add(PriceBasis::asking, used, "2025-06-08", 1000);
  CHECK_FALSE(young.price()->stale);
  old.add(PriceBasis::asking, used, "2025-06-07", 1000);
  CHECK(old.price()->stale);
  undated.add(PriceBasis::asking, used, "", 1000);
  CHECK(undated.price()->stale);
  CHECK(undated.price()->newest.empty());
}

TEST_CASE("undated rows count only where no row is dated") {
  Market market;
  market.add(PriceBasis::asking, used, "", 1000).add(PriceBasis::asking, used, "", 3000);
  CHECK(in_yuan(market.price()).likely == 2000);
  market.add(PriceBasis::asking, used, "2024", 1500);
  CHECK(in_yuan(market.price()) == Range<double>{1500, 1500, 1500});
}

TEST_CASE("rows seen after the day of the plan are not used") {
  Market market;
  market.add(PriceBasis::asking, used, "2026-11-30", 1000).add(PriceBasis::asking, used, "2026-12-01", 5000);
  CHECK(in_yuan(market.price()).likely == 1000);
  market.policy.as_of = "2026-12-01";
  CHECK(in_yuan(market.price()).likely == 3000);
  market.policy.as_of = "2026-11-29";
  CHECK_FALSE(market.price());
}

TEST_CASE("the span that a row states counts towards the extremes") {
  Market market;
  market.add(PriceBasis::asking, used, "2026-06", 1000).span(800, 1400);
  CHECK(in_yuan(market.price()) == Range<double>{800, 1000, 1400});
}

TEST_CASE("foreign prices are converted at the newest rate; without a rate a row is left out") {
  Market market;
  market.add(PriceBasis::asking, used, "2026-06", 100, "USD").add(PriceBasis::asking, used, "2026-06", 10, "XAU");
  CHECK(in_yuan(market.price()) == Range<double>{700, 700, 700});
  CHECK_FALSE(market.exchange.convert({1, "XAU"}));
  CHECK(market.exchange.convert({5, "CNY"})->in(yuan) == 5);
}

TEST_CASE("money is read in yuan or with a currency code") {
  CHECK(std::get<Money>(parse_money("900 yuan")) == Money{900, "CNY"});
  CHECK(std::get<Money>(parse_money("0.3万元")) == Money{3000, "CNY"});
  CHECK(std::get<Money>(parse_money("1,350 USD")) == Money{1350, "USD"});
  CHECK(std::get<Money>(parse_money("580 CNY")) == Money{580, "CNY"});
  for (const auto* bad : {"900", "USD", "-5 USD", "12,5 USD", "900 dollars", "nan USD", ""})
    CHECK(std::holds_alternative<UnitError>(parse_money(bad)));
}

TEST_CASE("every price row names something in the catalog, in a currency that has a rate") {
  const auto& catalog = shipped_catalog();
  for (const auto& row : catalog.prices) {
    CAPTURE(row.item);
    CHECK((catalog.gpus.find(row.item) || catalog.boards.find(row.item) || catalog.cpus.find(row.item) ||
           catalog.parts.find(row.item) || catalog.circuits.find(row.item)));
    CHECK(catalog.exchange.convert(row.amount));
  }
}

TEST_CASE("at least 75 cards, and everything that a bill needs, have a price") {
  const auto& catalog = shipped_catalog();
  const auto priced = [&](const auto& shelf) {
    return std::count_if(shelf.entries.begin(), shelf.entries.end(),
                         [&](const Entry& e) { return catalog.price(e.id).has_value(); });
  };
  CHECK(priced(catalog.gpus) >= 75);
  CHECK(priced(catalog.boards) == static_cast<std::ptrdiff_t>(catalog.boards.entries.size()));
  CHECK(priced(catalog.cpus) == static_cast<std::ptrdiff_t>(catalog.cpus.entries.size()));
  CHECK(priced(catalog.parts) == static_cast<std::ptrdiff_t>(catalog.parts.entries.size()));
}

TEST_CASE("what nobody quoted says so, and never outweighs what somebody saw") {
  const auto& catalog = shipped_catalog();
  for (const auto& row : catalog.prices)
    if (row.kind == FigureKind::inferred) {
      CAPTURE(row.item);
      CHECK(row.basis == PriceBasis::estimate);
    }
  for (const auto& gpu : catalog.gpus.entries) {
    const auto rows = catalog.price_rows(gpu.id);
    const bool seen = std::any_of(rows.begin(), rows.end(), [](const PriceRow* row) { return row->basis <= PriceBasis::asking; });
    CAPTURE(gpu.id);
    if (seen) CHECK(catalog.price(gpu.id)->basis <= PriceBasis::asking);
  }
}

TEST_CASE("prices of well-traded cards lie where their market was") {
  const auto& catalog = shipped_catalog();
  // Rows of 2026: sold at 580 to 850 USD, one pair bought at 1,000, asked at 800 to 1,350 USD.
  const auto rtx3090 = catalog.price("rtx-3090");
  REQUIRE(rtx3090);
  CHECK(rtx3090->condition == used);
  CHECK(rtx3090->range.likely > 4500 * yuan);
  CHECK(rtx3090->range.likely < 7500 * yuan);
  CHECK_FALSE(rtx3090->stale);
  // 588 USD in August 2026, 400 in March, 275 and 150 in the autumn before; deals of early 2025 are too old to speak.
  const auto mi50 = catalog.price("mi50-32gb");
  REQUIRE(mi50);
  CHECK(mi50->range.likely > 1500 * yuan);
  CHECK(mi50->range.likely < 3500 * yuan);
  // Ten for about 6,000 yuan.
  REQUIRE(catalog.price("radeon-pro-vii"));
  CHECK(catalog.price("radeon-pro-vii")->range.likely == 600 * yuan);
  CHECK(catalog.price("mi450-claimed-003")->basis == PriceBasis::claim);
}
