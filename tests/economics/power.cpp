// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/power.h"

#include <catch2/catch.hpp>

#include "economics/sample_catalog.h"
#include "rigplan/economics/supplies.h"

using namespace rigplan;

TEST_CASE("DC power by phase adds host and cards; a layer split keeps one card busy and the others waiting") {
  const auto catalog = sample_catalog();
  const auto& defaults = catalog.planning.entries.front();
  const auto power = rig_power(catalog, defaults, sample_rig("card", 4));
  CHECK(power.cards_rated.in(watt) == 1000);
  // Idle: 60 + 4 x 10 % x 250. Decode, all busy: 150 + 60 % x 1,000. Peak: 150 + 1,000.
  const auto all = dc_power(power, defaults, 1);
  CHECK(all.idle.in(watt) == Approx(160));
  CHECK(all.decode.in(watt) == Approx(750));
  CHECK(all.training.in(watt) == Approx(1100));
  CHECK(all.peak.in(watt) == Approx(1150));
  // One of four: (0.25 x 60 % + 0.75 x 20 %) x 1,000 = 300.
  CHECK(dc_power(power, defaults, 0.25).decode.in(watt) == Approx(450));
}

TEST_CASE("A power cap lowers a card, and a card without stated power is counted as unknown") {
  const auto catalog = sample_catalog();
  auto rig = sample_rig("card", 2);
  rig.nodes.front().cards[0].power_cap = 190 * watt;
  rig.nodes.front().cards[1].power_cap = 400 * watt;  // above what the board draws: no effect
  CHECK(rig_power(catalog, catalog.planning.entries.front(), rig).cards_rated.in(watt) == 440);
  const auto unknown = rig_power(catalog, catalog.planning.entries.front(), sample_rig("unpriced", 3));
  CHECK(unknown.cards_unknown == 3);
  CHECK(unknown.cards_rated == Watts{});
}

TEST_CASE("Efficiency of a supply is read between the points of its curve and held beyond them") {
  const auto catalog = sample_catalog();
  const auto* gold = catalog.efficiencies.find("gold");
  const auto at = [&](double load) { return supply_efficiency(gold, load * watt, 1000 * watt); };
  CHECK(at(200) == Approx(0.90));
  CHECK(at(350) == Approx(0.91));  // halfway from 0.90 at 20 % to 0.92 at 50 %
  CHECK(at(750) == Approx(0.90));
  CHECK(at(50) == Approx(0.90));
  CHECK(at(1200) == Approx(0.88));
  CHECK(supply_efficiency(nullptr, 500 * watt, 1000 * watt) == 1);
}

TEST_CASE("Supplies are chosen by rating with margin and by leads, cheapest first") {
  const auto catalog = sample_catalog();
  const PriceBook prices{catalog};
  const auto choice = [&](double watts, int leads) {
    return choose_supplies(catalog, prices, {.sustained = watts * watt, .pcie_8pin = leads, .hpwr = 0, .eps = 1}, 0.2);
  };
  // 800 W is exactly what 1,000 W leave at a margin of a fifth; one watt more needs the larger one.
  CHECK(choice(800, 4)->part->id == "psu-1000");
  CHECK(choice(801, 4)->part->id == "psu-1600");
  // 7 leads do not come out of the small one (6), though its rating would do.
  CHECK(choice(500, 6)->part->id == "psu-1000");
  CHECK(choice(500, 7)->part->id == "psu-1600");
  CHECK_FALSE(choice(6000, 4).has_value());  // 7,500 W: five supplies of 1,600 W, and four are the most
}

TEST_CASE("A 12VHPWR plug hangs on four 8-pin leads where the supply has none of its own") {
  const auto catalog = sample_catalog();
  const PriceBook prices{catalog};
  const SupplyNeed two_plugs{.sustained = 700 * watt, .pcie_8pin = 0, .hpwr = 2, .eps = 1};
  const auto choice = choose_supplies(catalog, prices, two_plugs, 0.2);
  CHECK(choice->part->id == "psu-1600");  // 8 leads of 9; the small one has 6
}

TEST_CASE("Circuits: as many as carry the load all day, fewest first") {
  Circuit small, large;
  small.id = "10 A";
  small.continuous = 1760 * watt;
  large.id = "16 A";
  large.continuous = 2820 * watt;
  const Circuit circuits[] = {large, small};
  const auto at = [&](double watts) { return circuits_needed(circuits, watts * watt); };
  CHECK(at(1760).front().circuit->id == "10 A");  // both carry it alone; the smaller comes first
  CHECK(at(1761).front().circuit->id == "16 A");
  CHECK(at(2821).front().count == 2);
}
