// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/rent_or_buy.h"

#include <catch2/catch.hpp>

#include <cmath>

#include "economics/round_deal.h"
#include "rigplan/economics/rent_reading.h"
#include "rigplan/economics/rent_schedule.h"

using namespace rigplan;

namespace {

RentSchedule schedule(const std::string& text) { return std::get<RentSchedule>(parse_rent_schedule(text)); }

}  // namespace

TEST_CASE("A schedule is hours a day on days of a month, or day and night") {
  CHECK(schedule("8h x 22d").per_month().in(hour) == Approx(176));
  CHECK(schedule(" 8 h × 22 d ").per_month().in(hour) == Approx(176));
  CHECK(schedule("24/7").per_month() == month);
  CHECK(schedule("24h x 31d").per_month() <= month);
  CHECK(std::get<UnitError>(parse_rent_schedule("25h x 22d")).message == "\"25h x 22d\": a day has 24 hours, not 25");
  CHECK(std::holds_alternative<UnitError>(parse_rent_schedule("8h x 32d")));
  CHECK(std::holds_alternative<UnitError>(parse_rent_schedule("8 x 22")));
  CHECK(std::holds_alternative<UnitError>(parse_rent_schedule("")));
}

TEST_CASE("Each start is billed in whole grains, at least the minimum, and with the time that starting takes") {
  RentOffer offer;
  CHECK(billed_per_month(offer, {2.5, 10}).in(hour) == Approx(25));
  offer.billing_grain = 1 * hour;
  CHECK(billed_per_month(offer, {2.5, 10}).in(hour) == Approx(30));
  CHECK(billed_per_month(offer, {3, 10}).in(hour) == Approx(30));  // three whole hours stay three
  offer.start_up = 6 * minute;
  CHECK(billed_per_month(offer, {3, 10}).in(hour) == Approx(40));
  offer.minimum = 8 * hour;
  CHECK(billed_per_month(offer, {3, 10}).in(hour) == Approx(80));
  CHECK(billed_per_month(offer, {0, 10}) == Seconds{});
  offer.commitment = 1 * month;
  CHECK(billed_per_month(offer, {3, 10}) == month);
  offer.cards = 8;
  CHECK(billed_cards(offer, 1) == 8);
  CHECK(billed_cards(offer, 8) == 8);
  CHECK(billed_cards(offer, 9) == 16);
}

TEST_CASE("Owning and renting over two years add up as on paper", "[bad-input-61]") {
  const auto deal = round_deal();
  const auto own = cash_flow(deal.own, deal.horizon), rent = cash_flow(deal.rent, deal.horizon);
  // 176 kWh x 0.5 yuan = 88 yuan a month, 2,112 in all; 20,000 + 2,112 - 10,000 = 12,112.
  CHECK(own.total(CashKind::energy).in(yuan) == Approx(2112));
  CHECK(own.total().in(yuan) == Approx(12'112));
  // 2 x 3 x 176 = 1,056 yuan a month, 25,344 in all.
  CHECK(rent.in_month(1).in(yuan) == Approx(1056));
  CHECK(rent.total().in(yuan) == Approx(25'344));
  CHECK(saved_by_buying(deal).in(yuan) == Approx(13'232));
  // Without discount rate the present value is the sum; at 10 % the resale of month 24 is worth 10,000 / 1.21.
  CHECK(own.present_value(0).in(yuan) == Approx(12'112));
  CashFlow resale;
  resale.pay(24, CashKind::resale, -10'000 * yuan);
  CHECK(resale.present_value(0.1).in(yuan) == Approx(-10'000 / 1.21));
}

TEST_CASE("Break-even is the use at which both cost the same, in hours and as a month") {
  const auto deal = round_deal();
  // Each hour of use costs 0.5 yuan owning and 6 yuan renting; owning loses 10,000 yuan: 10,000 / 5.5 = 1,818.2 h.
  REQUIRE(break_even_time(deal));
  CHECK(break_even_time(deal)->in(hour) == Approx(1818.18).epsilon(1e-3));
  // A month of rent is 1,056 yuan, of owning 88 plus 10,000 once: after 10,000 / 968 = 10.3 months, so at the end of the 11th.
  CHECK(break_even_month(deal) == 11);
  auto dear = deal;
  dear.rent.per_card = 0.2 * yuan_per_hour;  // 0.4 yuan an hour for both cards: less than the power of one's own
  CHECK_FALSE(break_even_time(dear));
  CHECK_FALSE(break_even_month(dear));
}

TEST_CASE("What turns the verdict: each input's value at the point of equal cost") {
  const auto deal = round_deal();
  // The rent has 25,344 yuan and must fall to 12,112: x 0.4779. Undiscounted, because the deal has no rate.
  const auto rent = flip_of(deal, Lever::rent_price);
  REQUIRE(rent);
  CHECK(rent->factor == Approx(12'112.0 / 25'344).epsilon(1e-4));
  CHECK_FALSE(rent->in_range);
  // The purchase loses half of itself: 25,344 - 2,112 = 23,232 = half of 46,464: x 2.3232.
  CHECK(flip_of(deal, Lever::purchase_price)->factor == Approx(2.3232).epsilon(1e-4));
  // Nothing back at all: 22,112 < 25,344, buying still wins.
  CHECK_FALSE(flip_of(deal, Lever::resale));
  CHECK_FALSE(flip_of(deal, Lever::failures));
  // 15,344 yuan of energy in place of 2,112: x 7.265.
  CHECK(flip_of(deal, Lever::tariff)->factor == Approx(15'344.0 / 2'112).epsilon(1e-3));
  const auto all = flips(deal);
  REQUIRE(all.size() == 4);
  CHECK(all.front().lever == Lever::rent_price);  // of rent, hours, purchase price and tariff it must move least
}

TEST_CASE("Replacements are paid once the spares are used up") {
  auto deal = round_deal();
  deal.own.failures_per_year = 1;
  deal.own.spares = 1;
  deal.own.card = 600 * yuan;
  const auto flow = cash_flow(deal.own, deal.horizon);
  CHECK(flow.in_month(12, CashKind::repairs) == Yuan{});
  CHECK(flow.in_month(13, CashKind::repairs).in(yuan) == Approx(50));  // a twelfth of a card
  CHECK(flow.total(CashKind::repairs).in(yuan) == Approx(600));
}

TEST_CASE("A loan is paid back in equal instalments with its interest") {
  // 12,000 yuan at 12 % a year over 12 months: 12,000 x 0.01 / (1 - 1.01^-12) = 1,066.19.
  CHECK(monthly_instalment(12'000 * yuan, 0.12, 12).in(yuan) == Approx(1066.19).epsilon(1e-5));
  CHECK(monthly_instalment(12'000 * yuan, 0, 12).in(yuan) == Approx(1000));
  auto deal = round_deal();
  deal.own.borrowed = 0.6;
  deal.own.loan_rate = 0.12;
  deal.own.loan_months = 12;
  const auto flow = cash_flow(deal.own, deal.horizon);
  CHECK(flow.in_month(0, CashKind::purchase).in(yuan) == Approx(8'000));
  CHECK(flow.total(CashKind::loan).in(yuan) == Approx(12 * 1066.19).epsilon(1e-5));
}

TEST_CASE("Until the rig is delivered its work is rented and takes no power") {
  auto deal = round_deal();
  deal.own.delivery = 2 * month;
  deal.own.rented_meanwhile = 1056 * yuan;
  const auto flow = cash_flow(deal.own, deal.horizon);
  CHECK(flow.total(CashKind::rent).in(yuan) == Approx(2112));
  CHECK(flow.total(CashKind::energy).in(yuan) == Approx(22 * 88));
}

TEST_CASE("A last month that is not whole is paid in part") {
  const auto deal = round_deal();
  CHECK(cash_flow(deal.rent, 2.5 * month).total().in(yuan) == Approx(2.5 * 1056));
  CHECK(cash_flow(deal.rent, 2.5 * month).last_month() == 3);
}

TEST_CASE("Draws are the same on every run, certain without ranges, and even where everything is") {
  auto deal = round_deal();
  CHECK(draw_deals(deal, 50, 1).buying_wins == 1);
  deal.rent.per_card *= 12'112.0 / 25'344;  // equal cost
  deal.spread[static_cast<std::size_t>(Lever::rent_price)] = {0.5, 1, 1.5};
  const auto draws = draw_deals(deal, 4000, 7);
  CHECK(draws.buying_wins == Approx(0.5).margin(0.03));
  CHECK(draw_deals(deal, 4000, 7).buying_wins == draws.buying_wins);
  CHECK(draw_deals(deal, 4000, 8).buying_wins != draws.buying_wins);
  // Of a triangle from 0.5 over 1 to 1.5 a tenth lies below 0.5 + sqrt(0.1 x 0.5) = 0.7236.
  CHECK(draws.rent.low / draws.rent.likely == Approx(0.7236).epsilon(0.02));
}

// The advertisement: 64 cards at 80,000 yuan, or at 1.2 yuan an hour for three months of 8 h on 22 days, printed as 166,000 yuan.
TEST_CASE("A stated rent is traced to the schedule behind it", "[bad-input-62]") {
  const auto asked = schedule("8h x 22d");
  const auto price = 1.2 * yuan_per_hour;
  CHECK(plain_rent(64, price, asked, 3 * month).in(yuan) == Approx(40'550.4));  // 64 x 1.2 x 8 x 22 x 3
  CHECK(plain_rent(64, price, schedule("24h x 30d"), 3 * month).in(yuan) == Approx(165'888));
  CHECK(schedule_behind(166'000 * yuan, 64, price, asked, 3 * month) == RentSchedule{24, 30});
  CHECK(schedule_behind(40'600 * yuan, 64, price, asked, 3 * month) == asked);
  CHECK_FALSE(schedule_behind(100'000 * yuan, 64, price, asked, 3 * month));
  CHECK(hours_paid_by(5'120'000 * yuan, 64, price).in(hour) == Approx(66'666.7));
}

// Own against cloud over a project of 90 days at 16 h: 1,440 h; 8.5, 12 and 22 yuan an hour make 12,240, 17,280 and 31,680 yuan,
// and a card of 80,000 yuan is paid for by 80,000 / 22 = 3,636 h.
TEST_CASE("Sums of a published comparison of own and cloud come out") {
  const auto sixteen = schedule("16h x 30d");
  CHECK((3 * sixteen.per_month()).in(hour) == Approx(1440));
  CHECK(plain_rent(1, 8.5 * yuan_per_hour, sixteen, 3 * month).in(yuan) == Approx(12'240));
  CHECK(plain_rent(1, 12 * yuan_per_hour, sixteen, 3 * month).in(yuan) == Approx(17'280));
  CHECK(plain_rent(1, 22 * yuan_per_hour, sixteen, 3 * month).in(yuan) == Approx(31'680));
  CHECK(hours_paid_by(80'000 * yuan, 1, 22 * yuan_per_hour).in(hour) == Approx(3636.4));
}
