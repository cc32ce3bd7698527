// SPDX-License-Identifier: Apache-2.0
// Deals and payments with round numbers, each input on its own, worked out on paper.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "economics/round_deal.h"
#include "rigplan/economics/draws.h"
#include "rigplan/economics/energy.h"
#include "rigplan/economics/rent_reading.h"
#include "rigplan/economics/rent_schedule.h"

using namespace rigplan;

TEST_CASE("A payment is kept in whole fen, by month and kind") {
  CashFlow flow;
  flow.pay(3, CashKind::energy, 0.005 * yuan);
  flow.pay(3, CashKind::labour, 2 * yuan);
  flow.pay(5, CashKind::energy, 1.234 * yuan);
  flow.pay(7, CashKind::rent, 0.004 * yuan);  // nothing
  CHECK(flow.payments().size() == 3);
  CHECK(flow.last_month() == 5);
  CHECK(flow.total().in(yuan) == Approx(3.24));
  CHECK(flow.total(CashKind::energy).in(yuan) == Approx(1.24));
  CHECK(flow.in_month(3).in(yuan) == Approx(2.01));
  CHECK(flow.in_month(3, CashKind::labour).in(yuan) == Approx(2));
  CHECK(flow.in_month(5, CashKind::labour) == Yuan{});
  CHECK(CashFlow{}.last_month() == 0);
  // 110 yuan in a year at 10 % are 100 today; in half a year 110 / sqrt(1.1).
  CashFlow later;
  later.pay(12, CashKind::rent, 110 * yuan);
  CHECK(later.present_value(0.1).in(yuan) == Approx(100));
  CashFlow sooner;
  sooner.pay(6, CashKind::rent, 110 * yuan);
  CHECK(sooner.present_value(0.1).in(yuan) == Approx(110 / std::sqrt(1.1)));
  const char* names[] = {"purchase", "loan", "energy", "labour", "upkeep", "repairs", "rent", "storage", "egress", "resale"};
  for (int kind = 0; kind < cash_kinds; ++kind) CHECK(to_text(static_cast<CashKind>(kind)) == names[kind]);
}

TEST_CASE("A loan without months is paid at once, one without interest in equal parts, none for longer than the horizon") {
  CHECK(monthly_instalment(1200 * yuan, 0.1, 0).in(yuan) == 1200);
  CHECK(monthly_instalment(1200 * yuan, 0, 1).in(yuan) == 1200);
  auto deal = round_deal();
  deal.own.borrowed = 0.5;
  const auto at_once = cash_flow(deal.own, deal.horizon);
  CHECK(at_once.in_month(0, CashKind::purchase).in(yuan) == 10'000);
  CHECK(at_once.in_month(0, CashKind::loan).in(yuan) == 10'000);
  deal.own.loan_months = 48;
  const auto flow = cash_flow(deal.own, deal.horizon);
  CHECK(flow.in_month(1, CashKind::loan).in(yuan) == Approx(416.67));
  CHECK(flow.in_month(24, CashKind::loan).in(yuan) == Approx(416.67));
  deal.own.loan_months = 12;
  CHECK(cash_flow(deal.own, deal.horizon).in_month(12, CashKind::loan).in(yuan) == Approx(833.33));
  CHECK(cash_flow(deal.own, deal.horizon).in_month(13, CashKind::loan) == Yuan{});
  deal.own.loan_months = 1;
  CHECK(cash_flow(deal.own, deal.horizon).in_month(1, CashKind::loan).in(yuan) == 10'000);
}

// Of 20,000 yuan 1, 0.9 and 0.6 are left after no, one and two months.
TEST_CASE("What selling brings lies between the months that are known, and stays behind the last") {
  auto deal = round_deal();
  deal.own.kept = {1, 0.9, 0.6};
  const auto resale = [&](double months) { return -cash_flow(deal.own, months * month).total(CashKind::resale).in(yuan); };
  CHECK(resale(0.5) == Approx(19'000));
  CHECK(resale(1) == Approx(18'000));
  CHECK(resale(1.5) == Approx(15'000));
  CHECK(resale(2) == Approx(12'000));
  CHECK(resale(9) == Approx(12'000));
  // It is paid with the last month, whole or not.
  CHECK(cash_flow(deal.own, 1.5 * month).in_month(2, CashKind::resale) < Yuan{});
  CHECK(cash_flow(deal.own, 2 * month).last_month() == 2);
}

TEST_CASE("Each month owning takes energy, idle hours too, labour and upkeep; renting labour, storage and egress") {
  auto deal = round_deal();
  deal.own.idle = 100 * watt;
  deal.own.idle_time = 200 * hour;  // 20 kWh
  deal.own.labour = 2 * hour;
  deal.own.labour_price = deal.rent.labour_price = 100 * yuan_per_hour;
  deal.own.upkeep_per_year = 0.12;
  deal.rent.labour = 1 * hour;
  deal.rent.storage_per_month = 30 * yuan;
  deal.rent.egress_per_month = 5 * yuan;
  const auto own = cash_flow(deal.own, 2.5 * month), rent = cash_flow(deal.rent, 2.5 * month);
  CHECK(own.in_month(1, CashKind::energy).in(yuan) == Approx(98));
  CHECK(own.in_month(2, CashKind::labour).in(yuan) == Approx(200));
  CHECK(own.in_month(2, CashKind::upkeep).in(yuan) == Approx(200));
  CHECK(own.in_month(3, CashKind::labour).in(yuan) == Approx(100));
  CHECK(own.in_month(3, CashKind::energy).in(yuan) == Approx(49));
  CHECK(own.in_month(4).in(yuan) == 0);
  CHECK(rent.in_month(1, CashKind::rent).in(yuan) == Approx(1056));
  CHECK(rent.in_month(1, CashKind::labour).in(yuan) == Approx(100));
  CHECK(rent.in_month(2, CashKind::storage).in(yuan) == Approx(30));
  CHECK(rent.in_month(3, CashKind::egress).in(yuan) == Approx(2.5));
  // Half a month until delivery: half of the rent, half of the energy.
  deal.own.delivery = 0.5 * month;
  deal.own.rented_meanwhile = 400 * yuan;
  const auto waited = cash_flow(deal.own, 2.5 * month);
  CHECK(waited.in_month(1, CashKind::rent).in(yuan) == Approx(200));
  CHECK(waited.in_month(1, CashKind::energy).in(yuan) == Approx(49));
  CHECK(waited.in_month(2, CashKind::rent) == Yuan{});
  // Two failures a year, one spare: the second half of the year is paid for, 100 yuan a month.
  deal.own.failures_per_year = 2;
  deal.own.spares = 1;
  deal.own.card = 600 * yuan;
  const auto repaired = cash_flow(deal.own, 12 * month);
  CHECK(repaired.in_month(6, CashKind::repairs) == Yuan{});
  CHECK(repaired.in_month(7, CashKind::repairs).in(yuan) == Approx(100));
  CHECK(repaired.total(CashKind::repairs).in(yuan) == Approx(600));
  CHECK(cash_flow(deal.own, 6.5 * month).total(CashKind::repairs).in(yuan) == Approx(50));
}

TEST_CASE("Each lever moves what it names") {
  auto deal = round_deal();
  deal.own.card = 600 * yuan;
  deal.own.rented_meanwhile = 100 * yuan;
  deal.own.labour = 2 * hour;
  deal.rent.labour = 1 * hour;
  deal.own.failures_per_year = 0.5;
  deal.discount_per_year = 0.04;
  deal.rent.egress_per_month = 10 * yuan;
  const auto moved = [&](Lever lever, double factor) { return with_lever(deal, lever, factor); };
  CHECK(moved(Lever::rent_price, 2).rent.per_card.in(yuan_per_hour) == Approx(6));
  CHECK(moved(Lever::rent_price, 2).own.rented_meanwhile.in(yuan) == Approx(200));
  CHECK(moved(Lever::purchase_price, 2).own.purchase.in(yuan) == Approx(40'000));
  CHECK(moved(Lever::purchase_price, 2).own.card.in(yuan) == Approx(1200));
  CHECK(moved(Lever::resale, 1.5).own.kept[0] == Approx(0.75));
  CHECK(moved(Lever::resale, 3).own.kept[0] == 1);  // nobody pays more than it cost
  CHECK(moved(Lever::tariff, 2).own.tariff.in(yuan_per_kWh) == Approx(1));
  CHECK(moved(Lever::labour, 2).own.labour.in(hour) == Approx(4));
  CHECK(moved(Lever::labour, 2).rent.labour.in(hour) == Approx(2));
  CHECK(moved(Lever::failures, 2).own.failures_per_year == Approx(1));
  CHECK(moved(Lever::discount, 2).discount_per_year == Approx(0.08));
  // Twice the hours: twice what is billed, moved out and rented until delivery.
  const auto twice = moved(Lever::hours, 2);
  CHECK(twice.own.loaded_time.in(hour) == Approx(352));
  CHECK(twice.rent.billed.in(hour) == Approx(352));
  CHECK(twice.rent.egress_per_month.in(yuan) == Approx(20));
  CHECK(twice.own.rented_meanwhile.in(yuan) == Approx(200));
  deal.rent.committed = true;
  CHECK(moved(Lever::hours, 2).rent.billed.in(hour) == Approx(176));
  deal.rent.committed = false;
  // A month has no more than 730.5 hours; what is idle makes way.
  deal.own.idle_time = 500 * hour;
  CHECK(moved(Lever::hours, 9).own.loaded_time == month);
  CHECK(moved(Lever::hours, 9).rent.billed / month == Approx(1));
  CHECK(moved(Lever::hours, 9).own.idle_time == Seconds{});
  CHECK(moved(Lever::hours, 2).own.idle_time.in(hour) == Approx(730.5 - 352));
  CHECK(moved(Lever::hours, 1).own.idle_time.in(hour) == Approx(500));
  deal.own.loaded_time = Seconds{};
  CHECK(moved(Lever::hours, 2).rent.billed.in(hour) == Approx(176));
  const char* names[] = {"rent price", "purchase price", "resale value", "hours of use",
                         "tariff",     "labour",         "failures",     "discount rate"};
  for (int lever = 0; lever < levers; ++lever) CHECK(to_text(static_cast<Lever>(lever)) == names[lever]);
}

// Half of 20,000 yuan comes back. For rent of 10,000 in all it would have to be 12,112: 0.6056 of the price, 1.2112 times as
// much.
TEST_CASE("A lever is moved to what the world allows and no further") {
  auto deal = round_deal();
  const auto rent_of = [&](double total) { deal.rent.per_card = 3 * total / 25'344 * yuan_per_hour; };
  rent_of(10'000);
  CHECK(flip_of(deal, Lever::resale)->factor == Approx(1.2112).epsilon(1e-4));
  rent_of(2200);  // 0.9956 of the price
  CHECK(flip_of(deal, Lever::resale)->factor == Approx(1.9912).epsilon(1e-4));
  rent_of(2000);  // more than the price
  CHECK_FALSE(flip_of(deal, Lever::resale));
  deal.own.kept = {0.0};  // twice nothing is nothing
  CHECK_FALSE(flip_of(deal, Lever::resale));
  rent_of(10'000);
  CHECK_FALSE(flip_of(deal, Lever::resale));
  // With a thousand times the tariff: 15,344 yuan of 4,224 kWh.
  deal = round_deal();
  deal.own.tariff = 15'344.0 / 4224 / 990 * yuan_per_kWh;
  REQUIRE(flip_of(deal, Lever::tariff));
  CHECK(flip_of(deal, Lever::tariff)->factor == Approx(990).epsilon(1e-3));
  deal.own.tariff = 15'344.0 / 4224 / 1010 * yuan_per_kWh;
  CHECK_FALSE(flip_of(deal, Lever::tariff));
  // Day and night is 4.15 times the hours: rent at 0.6 yuan for a card then is 1.2 - 0.5 yuan an hour above one's power for
  // 17,532 h.
  deal = round_deal();
  deal.rent.per_card = (0.25 + 10'100.0 / 17'532 / 2) * yuan_per_hour;
  REQUIRE(flip_of(deal, Lever::hours));
  CHECK(flip_of(deal, Lever::hours)->factor == Approx(730.5 / 176 * 10'000 / 10'100).epsilon(1e-3));
  CHECK(break_even_time(deal)->in(hour) == Approx(17'532.0 * 10'000 / 10'100).epsilon(1e-3));
  deal.rent.per_card = (0.25 + 9900.0 / 17'532 / 2) * yuan_per_hour;
  CHECK_FALSE(flip_of(deal, Lever::hours));
  CHECK_FALSE(break_even_time(deal));
  deal.own.loaded_time = Seconds{};
  CHECK_FALSE(flip_of(deal, Lever::hours));
}

// 20,000 yuan on the first day and 10,000 back in two years, against 25 x 24 x ... a month: at which interest money today
// decides.
TEST_CASE("A discount rate may turn the verdict, up to a hundred per cent") {
  Deal deal;
  deal.own.purchase = 20'000 * yuan;
  deal.own.kept = {0.5};
  deal.rent.cards = 1;
  deal.rent.per_card = 1 * yuan_per_hour;
  deal.rent.billed = 500 * hour;  // 12,000 yuan in two years, against 10,000
  deal.horizon = 24 * month;
  deal.spread.fill(Range<double>::exactly(1));
  CHECK_FALSE(flip_of(deal, Lever::discount));  // no rate, nothing to move
  deal.discount_per_year = 0.01;
  const auto flip = flip_of(deal, Lever::discount);
  REQUIRE(flip);
  // The rate itself: 500 yuan in each month are worth as much as 20,000 now less 10,000 in two years.
  const double rate = flip->factor * 0.01;
  double rent = 0;
  for (int m = 1; m <= 24; ++m) rent += 500 / std::pow(1 + rate, m / 12.0);
  CHECK(rent == Approx(20'000 - 10'000 / std::pow(1 + rate, 2)).epsilon(1e-4));
  CHECK(flip->factor > 1);
  CHECK(flip->factor < 100);
}

TEST_CASE("A turning point lies in the range of an input or outside; the input that must move least comes first") {
  auto deal = round_deal();
  // The rent must fall to 0.47791 of itself.
  const auto in_range = [&](double low, double high) {
    deal.spread[static_cast<std::size_t>(Lever::rent_price)] = {low, 1, high};
    return flip_of(deal, Lever::rent_price)->in_range;
  };
  CHECK(in_range(0.47, 1));
  CHECK_FALSE(in_range(0.48, 1));
  deal.rent.per_card *= 0.4;  // 10,137.6 against 12,112: it must rise to 1.1947 times
  CHECK(in_range(1, 1.2));
  CHECK_FALSE(in_range(1, 1.19));
  const auto found = flips(round_deal());
  REQUIRE(found.size() == 4);
  for (std::size_t i = 1; i < found.size(); ++i)
    CHECK(std::abs(std::log(found[i - 1].factor)) <= std::abs(std::log(found[i].factor)));
  CHECK(found.back().lever == Lever::tariff);
}

TEST_CASE("The month of break-even is looked for as far as asked") {
  const auto deal = round_deal();
  CHECK(break_even_month(deal, 11) == 11);
  CHECK_FALSE(break_even_month(deal, 10));
  auto cheap = deal;
  cheap.own.purchase = 1 * yuan;
  CHECK(break_even_month(cheap) == 1);
  cheap.own.loaded_time = Seconds{};
  CHECK_FALSE(break_even_month(cheap));
  // Rent that reaches what owning costs to the fen: 2 x 4,928 = 9,856 + 2 x 72 = 10,000 in the second month.
  auto equal = deal;
  equal.own.tariff = YuanPerJoule{};
  equal.rent.per_card = 5000.0 / 352 * yuan_per_hour;
  CHECK(break_even_month(equal) == 2);
}

// Of eleven draws the second least is the tenth percentile, the second greatest the ninetieth. The rent alone is drawn, first of
// eight inputs, from a triangle.
TEST_CASE("Percentiles of draws are those of the sorted sums") {
  auto deal = round_deal();
  const Range<double> triangle{0.5, 1, 1.5};
  deal.spread[static_cast<std::size_t>(Lever::rent_price)] = triangle;
  EvenNumbers even{7};
  std::vector<double> rents;
  for (int i = 0; i < 11; ++i) {
    rents.push_back(25'344 * triangular(triangle, even.next()));
    for (int other = 1; other < levers; ++other) even.next();
  }
  const auto wins = std::count_if(rents.begin(), rents.end(), [](double rent) { return rent > 12'112; });
  std::sort(rents.begin(), rents.end());
  const auto draws = draw_deals(deal, 11, 7);
  CHECK(draws.count == 11);
  CHECK(draws.rent.low.in(yuan) == Approx(std::min(rents[1], 25'344.0)).epsilon(1e-5));
  CHECK(draws.rent.high.in(yuan) == Approx(std::max(rents[9], 25'344.0)).epsilon(1e-5));
  CHECK(draws.rent.likely.in(yuan) == Approx(25'344));
  CHECK(draws.buying_wins == Approx(static_cast<double>(wins) / 11));
  CHECK(draws.own.low.in(yuan) == Approx(12'112));
  CHECK(draws.own.high.in(yuan) == Approx(12'112));
  // Of two that cost the same neither is cheaper.
  auto equal = round_deal();
  equal.own.purchase = 25'344 * yuan;
  equal.own.kept = {0.0};
  equal.own.tariff = YuanPerJoule{};
  CHECK(draw_deals(equal, 5, 7).buying_wins == 0);
  // A range on one side only: the likely value is an end of it.
  deal.spread[static_cast<std::size_t>(Lever::rent_price)] = {1, 1, 3};
  CHECK(draw_deals(deal, 11, 7).rent.low.in(yuan) >= 25'344);
  deal.spread[static_cast<std::size_t>(Lever::rent_price)] = {0.2, 1, 1};
  CHECK(draw_deals(deal, 11, 7).rent.high.in(yuan) == Approx(25'344));
}

TEST_CASE("Bands of a tariff count where their shares make a day") {
  Tariff tariff;
  tariff.average = 0.9 * yuan_per_kWh;
  tariff.bands = {{"peak", 1 * yuan_per_kWh, 0.5}, {"valley", 0.4 * yuan_per_kWh, 0.4995}};
  CHECK(tariff_price(tariff, 6, BandChoice::cheapest_first).in(yuan_per_kWh) == Approx(0.4));
  tariff.bands[1].share = 0.498;
  CHECK(tariff_price(tariff, 6, BandChoice::cheapest_first).in(yuan_per_kWh) == Approx(0.9));
  tariff.bands[1].share = 0.5;
  CHECK(tariff_price(tariff, 0, BandChoice::cheapest_first).in(yuan_per_kWh) == Approx(0.9));
  CHECK(tariff_price(tariff, 16, BandChoice::cheapest_first).in(yuan_per_kWh) == Approx((12 * 0.4 + 4) / 16));
  CHECK(tariff_price(tariff, 0.5, BandChoice::cheapest_first).in(yuan_per_kWh) == Approx(0.4));
  tariff.bands.clear();
  CHECK(tariff_price(tariff, 6, BandChoice::cheapest_first).in(yuan_per_kWh) == Approx(0.9));
}

TEST_CASE("Hours and days of a schedule have their bounds, and a month of day and night its name") {
  const auto reads = [](const char* text) { return std::holds_alternative<RentSchedule>(parse_rent_schedule(text)); };
  for (const auto* good : {"0h x 0d", "24h x 31d", "24h*30d", "1.5h X 2d", " 24/7 "}) CHECK(reads(good));
  for (const auto* bad : {"-1h x 3d", "24.1h x 3d", "3h x -1d", "3h x 31.1d", "3h", "3 x 3d", "3h x 3", "h x d"})
    CHECK_FALSE(reads(bad));
  CHECK(std::get<RentSchedule>(parse_rent_schedule("24h x 31d")).days_per_month == Approx(30.4375));
  CHECK(std::get<RentSchedule>(parse_rent_schedule("24h x 30d")).days_per_month == 30);
  CHECK(to_text({24, 30.4375}) == "day and night");
  CHECK(to_text({24, 30}) == "24 h × 30 d a month");
  RentOffer offer;
  CHECK(billed_per_month(offer, {24, 31}) == month);
  offer.cards = 0;
  CHECK(billed_cards(offer, 3) == 3);
}

TEST_CASE("A stated rent may be off by a hundredth") {
  const RentSchedule asked{8, 22};  // 64 cards at 1.2 yuan an hour for three months: 40,550.4 yuan
  const auto behind = [&](double stated) { return schedule_behind(stated * yuan, 64, 1.2 * yuan_per_hour, asked, 3 * month); };
  CHECK(behind(40'550.4 * 1.009) == asked);
  CHECK(behind(40'550.4 * 0.991) == asked);
  CHECK_FALSE(behind(40'550.4 * 1.011));
  CHECK_FALSE(behind(40'550.4 * 0.989));
  CHECK(behind(64 * 1.2 * 24 * 22 * 3) == RentSchedule{24, 22});
  CHECK(behind(64 * 1.2 * 8 * 30 * 3) == RentSchedule{8, 30});
  CHECK(behind(64 * 1.2 * 730.5 * 3) == RentSchedule{24, 30.4375});
}
