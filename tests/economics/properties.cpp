// SPDX-License-Identifier: Apache-2.0
// What holds for every deal, whatever its figures.
#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include "rigplan/catalog/price.h"
#include "rigplan/economics/break_even.h"

using namespace rigplan;

namespace {

double between(double low, double high) { return low + (high - low) * (*rc::gen::inRange(0, 1'000'001)) / 1e6; }

Deal any_deal() {
  Deal deal;
  deal.own.purchase = between(500, 1e6) * yuan;
  deal.own.kept = {1, between(0.5, 1), between(0, 0.5)};
  deal.own.loaded = between(50, 20'000) * watt;
  deal.own.idle = between(0, 500) * watt;
  deal.own.loaded_time = between(1, 700) * hour;
  deal.own.idle_time = between(0, 30) * hour;
  deal.own.tariff = between(0, 2) * yuan_per_kWh;
  deal.own.labour = between(0, 20) * hour;
  deal.own.labour_price = deal.rent.labour_price = between(0, 200) * yuan_per_hour;
  deal.own.upkeep_per_year = between(0, 0.1);
  deal.own.failures_per_year = between(0, 3);
  deal.own.card = between(100, 50'000) * yuan;
  deal.own.borrowed = between(0, 1);
  deal.own.loan_rate = between(0, 0.2);
  deal.own.loan_months = *rc::gen::inRange(0, 60);
  deal.rent.cards = *rc::gen::inRange(1, 65);
  deal.rent.per_card = between(0.1, 80) * yuan_per_hour;
  deal.rent.billed = deal.own.loaded_time;
  deal.rent.labour = between(0, 5) * hour;
  deal.discount_per_year = between(0, 0.3);
  deal.horizon = between(0.1, 60) * month;
  deal.spread.fill(Range<double>::exactly(1));
  return deal;
}

/// Half a fen for each payment may be lost or won by rounding.
Yuan rounding(const Deal& deal) { return static_cast<double>(cash_flow(deal.own, deal.horizon).payments().size()) * 0.01 * yuan; }

}  // namespace

TEST_CASE("A dearer tariff never helps buying, and neither does a dearer purchase or a cheaper rent", "[slow]") {
  rc::prop("more tariff, less saved", [] {
    const auto deal = any_deal();
    const double more = between(1, 5);
    for (const auto lever : {Lever::tariff, Lever::purchase_price, Lever::failures})
      RC_ASSERT(present_value_saved(with_lever(deal, lever, more)) <= present_value_saved(deal) + rounding(deal));
    for (const auto lever : {Lever::rent_price, Lever::resale})
      RC_ASSERT(present_value_saved(with_lever(deal, lever, more)) >= present_value_saved(deal) - rounding(deal));
  });
}

TEST_CASE("A rig that is never used never breaks even against rent that is paid by the hour", "[bad-input-60][slow]") {
  rc::prop("zero hours", [] {
    auto deal = any_deal();
    deal.own.kept = {between(0, 0.9)};
    deal.own.labour = deal.rent.labour;
    deal.own.loan_rate = 0;
    deal.own.loan_months = 0;
    const auto unused = with_lever(deal, Lever::hours, 0);
    RC_ASSERT(saved_by_buying(unused) < Yuan{});
    RC_ASSERT(!break_even_month(unused).has_value());
  });
}

TEST_CASE("Totals are the sums of the months and of the kinds, to the cent", "[slow]") {
  rc::prop("sums", [] {
    const auto deal = any_deal();
    for (const auto& flow : {cash_flow(deal.own, deal.horizon), cash_flow(deal.rent, deal.horizon)}) {
      std::int64_t months = 0, kinds = 0;
      const auto fen = [](Yuan amount) { return std::llround(amount.in(yuan)*100); };
      for (int m = 0; m <= flow.last_month(); ++m) months += fen(flow.in_month(m));
      for (int kind = 0; kind < cash_kinds; ++kind) kinds += fen(flow.total(static_cast<CashKind>(kind)));
      RC_ASSERT(months == fen(flow.total()));
      RC_ASSERT(kinds == fen(flow.total()));
    }
  });
}

TEST_CASE("At the point where an input turns the verdict both cost the same", "[slow]") {
  rc::prop("flip", [] {
    const auto deal = any_deal();
    for (const auto& flip : flips(deal)) {
      const double step = 1e-4;
      const auto below = present_value_saved(with_lever(deal, flip.lever, flip.factor * (1 - step)));
      const auto above = present_value_saved(with_lever(deal, flip.lever, flip.factor * (1 + step)));
      const auto slack = rounding(deal);
      RC_ASSERT((below <= slack && above >= -1 * slack) || (below >= -1 * slack && above <= slack));
    }
  });
}

TEST_CASE("Money changed into yuan and back is what it was", "[slow]") {
  rc::prop("currency", [] {
    const double rate = between(0.001, 20), amount = between(0.01, 1e7);
    Exchange exchange;
    exchange.rates.push_back({"USD", rate, "2026", {"test", ""}});
    const auto yuan_amount = exchange.convert({amount, "USD"});
    RC_ASSERT(yuan_amount.has_value());
    const double back = yuan_amount->in(yuan) / exchange.rate("USD")->yuan;
    RC_ASSERT(std::abs(back - amount) <= 1e-9 * amount);
  });
}
