// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/purchase.h"

#include <catch2/catch.hpp>

#include "economics/sample_catalog.h"

using namespace rigplan;

namespace {

const PurchaseLine* line_of(const Purchase& bill, BillKind kind) {
  for (const auto& line : bill.lines)
    if (line.kind == kind) return &line;
  return nullptr;
}

Purchase bill_of(const Catalog& catalog, const Rig& rig) {
  const PriceBook prices{catalog};
  return purchase_of({catalog, prices, catalog.planning.entries.front()}, rig);
}

}  // namespace

TEST_CASE("A bill counts the whole machine, not only its cards") {
  const auto catalog = sample_catalog();
  const auto bill = bill_of(catalog, sample_rig("card", 2));
  // 2 cards 1,200; board 2,000; processor 1,000; 2 modules 800; drive 300; frame 500; supply: 650 W at 80 % is 813 W, so one of
  // 1,000 W at 700. Sum 6,500. Supplies and cooling are 700, more than a tenth of the whole: no reserve.
  CHECK(bill.total.likely.in(yuan) == Approx(6500));
  CHECK(bill.unknown == 0);
  CHECK(line_of(bill, BillKind::reserve) == nullptr);
  REQUIRE(line_of(bill, BillKind::supply) != nullptr);
  CHECK(line_of(bill, BillKind::supply)->item == "psu-1000");
  CHECK(line_of(bill, BillKind::supply)->assumed);
  CHECK_FALSE(line_of(bill, BillKind::board)->assumed);
  CHECK(bill.oldest == "2025-02");  // the frame
}

TEST_CASE("Supplies, cooling and cabling are lifted to a tenth of the bill") {
  auto catalog = sample_catalog();
  for (auto& row : catalog.prices)
    if (row.item == "psu-1000") row.amount.amount = 100;
  const auto bill = bill_of(catalog, sample_rig("card", 2));
  // Without reserve 5,900, of which supplies 100: (0.1 x 5,900 - 100) / 0.9 = 544.4, and (100 + 544.4) / 6,444.4 = 10 %.
  REQUIRE(line_of(bill, BillKind::reserve) != nullptr);
  CHECK(line_of(bill, BillKind::reserve)->each->likely.in(yuan) == Approx(544.44).epsilon(1e-4));
  CHECK((100 * yuan + line_of(bill, BillKind::reserve)->each->likely) / bill.total.likely == Approx(0.1));
}

TEST_CASE("A part without a price is unknown and counted, never zero and never left out") {
  const auto catalog = sample_catalog();
  const auto bill = bill_of(catalog, sample_rig("unpriced", 1));
  CHECK(bill.unknown == 1);
  const auto* cards = line_of(bill, BillKind::card);
  REQUIRE(cards != nullptr);
  CHECK_FALSE(cards->each.has_value());
  CHECK_FALSE(cards->total().has_value());
}

TEST_CASE("A machine whose board has no kit says that processor, memory and supplies are unknown") {
  const auto catalog = sample_catalog();
  auto rig = sample_rig("card", 20);
  rig.nodes.front().board = "other-board";
  const auto bill = bill_of(catalog, rig);
  CHECK_FALSE(line_of(bill, BillKind::processor)->each.has_value());
  CHECK_FALSE(line_of(bill, BillKind::memory)->each.has_value());
  // 20 x 250 W at 80 % is 6,250 W: four supplies of 1,600 W carry it, but 40 plugs need five of them.
  CHECK_FALSE(line_of(bill, BillKind::supply)->each.has_value());
}

TEST_CASE("Used cards get one spare for every ten, new ones none") {
  auto catalog = sample_catalog();
  CHECK(line_of(bill_of(catalog, sample_rig("card", 9)), BillKind::spare) == nullptr);
  const auto ten = bill_of(catalog, sample_rig("card", 10));
  REQUIRE(line_of(ten, BillKind::spare) != nullptr);
  CHECK(line_of(ten, BillKind::spare)->count == 1);
  for (auto& row : catalog.prices) row.condition = Condition::fresh;
  CHECK(line_of(bill_of(catalog, sample_rig("card", 10)), BillKind::spare) == nullptr);
}

TEST_CASE("Every passive card gets a fan, and a stated price or part replaces what would be assumed") {
  const auto catalog = sample_catalog();
  auto rig = sample_rig("passive", 3);
  const auto plain = bill_of(catalog, rig);
  REQUIRE(line_of(plain, BillKind::cooling) != nullptr);
  CHECK(line_of(plain, BillKind::cooling)->count == 3);

  rig.bill = {{.item = "passive", .count = 1, .price = 450 * yuan}, {.item = "psu-1600", .count = 2, .price = {}}};
  const auto bill = bill_of(catalog, rig);
  const auto* cards = line_of(bill, BillKind::card);
  CHECK(cards->count == 3);  // the rig has three; the line only states what one cost
  CHECK(cards->each->likely.in(yuan) == 450);
  CHECK(cards->stated);
  const auto* supplies = line_of(bill, BillKind::supply);
  CHECK(supplies->item == "psu-1600");
  CHECK(supplies->count == 2);
  CHECK_FALSE(supplies->assumed);
}

TEST_CASE("Machines that are alike are bought as often as they stand there") {
  const auto catalog = sample_catalog();
  auto rig = sample_rig("card", 2);
  const auto one = bill_of(catalog, rig).total.likely;
  rig.nodes.front().count = 2;
  CHECK(bill_of(catalog, rig).total.likely.in(yuan) == Approx(2 * one.in(yuan)));
}
