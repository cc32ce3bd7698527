// SPDX-License-Identifier: Apache-2.0
// What a machine asks of its supplies, and the least that a card-hour should cost.
#include <catch2/catch.hpp>

#include "economics/sample_catalog.h"
#include "rigplan/economics/rent_floor.h"
#include "rigplan/economics/supplies.h"

using namespace rigplan;

namespace {

void add_gpu(Catalog& catalog, const std::string& id, double gib, double tflops) {
  Gpu gpu;
  gpu.id = gpu.name = id;
  gpu.vram = gib * GiB;
  gpu.peaks.fp16_matrix = tflops * TFLOP_per_s;
  catalog.gpus.entries.push_back(gpu);
}

void add_offer(Catalog& catalog, const std::string& gpu, double yuan_an_hour) {
  RentOffer offer;
  offer.id = gpu + std::to_string(yuan_an_hour);
  offer.gpu = gpu;
  offer.per_card_hour = {yuan_an_hour, "CNY"};
  catalog.rent.entries.push_back(offer);
}

/// The asked card has 16 GiB and 100 TFLOP/s.
Catalog with_offers() {
  auto catalog = sample_catalog();
  add_gpu(catalog, "asked", 16, 100);
  add_gpu(catalog, "large", 32, 50);
  add_gpu(catalog, "fast", 8, 200);
  add_offer(catalog, "large", 4);
  return catalog;
}

}  // namespace

// The large card: 4 yuan for twice the memory, 2 for as much; for half of the arithmetic, 8 for as much.
TEST_CASE("A card-hour should cost no less than memory or arithmetic cost elsewhere") {
  auto catalog = with_offers();
  CHECK(rent_floor(catalog, "asked")->per_card.in(yuan_per_hour) == Approx(2));
  // The fast one asks 3 yuan for twice the arithmetic: 1.5 for as much, less than the memory of the large one.
  add_offer(catalog, "fast", 3);
  CHECK(rent_floor(catalog, "asked")->per_card.in(yuan_per_hour) == Approx(1.5));
  CHECK(rent_floor(catalog, "asked")->offer->gpu == "fast");
  // At 5 yuan it would be 2.5: the memory of the large one is less.
  catalog.rent.entries.back().per_card_hour.amount = 5;
  CHECK(rent_floor(catalog, "asked")->per_card.in(yuan_per_hour) == Approx(2));
  CHECK(rent_floor(catalog, "asked")->offer->gpu == "large");
}

TEST_CASE("Offers of the card itself and of disputed ones set no floor") {
  auto catalog = with_offers();
  add_offer(catalog, "asked", 0.1);
  CHECK(rent_floor(catalog, "asked")->per_card.in(yuan_per_hour) == Approx(2));
  catalog.gpus.entries[catalog.gpus.entries.size() - 2].disputed = true;  // the large one
  CHECK_FALSE(rent_floor(catalog, "asked"));
  CHECK_FALSE(rent_floor(catalog, "no such card"));
}

TEST_CASE("A range of rents is the cheapest, the middle and the dearest offer of one card") {
  auto catalog = with_offers();
  for (const double price : {9.0, 2.0, 5.0}) add_offer(catalog, "fast", price);
  const auto range = rent_range(catalog, "fast");
  REQUIRE(range);
  CHECK(range->count == 3);
  CHECK(range->per_card.low.in(yuan_per_hour) == Approx(2));
  CHECK(range->per_card.likely.in(yuan_per_hour) == Approx(5));
  CHECK(range->per_card.high.in(yuan_per_hour) == Approx(9));
  CHECK_FALSE(rent_range(catalog, "asked"));
}

// Three cards of 250 W with an 8-pin and a 6-pin plug each, and a host of 150 W with one processor plug.
TEST_CASE("A machine needs the watts of host and cards, a lead for each plug, and processor plugs") {
  auto catalog = sample_catalog();
  auto rig = sample_rig("card", 3);
  const auto need = supply_need(catalog, rig.nodes.front());
  CHECK(need.sustained.in(watt) == Approx(900));
  CHECK(need.pcie_8pin == 6);
  CHECK(need.hpwr == 0);
  CHECK(need.eps == 1);
  rig.nodes.front().cards[0].power_cap = 100 * watt;
  CHECK(supply_need(catalog, rig.nodes.front()).sustained.in(watt) == Approx(750));
  catalog.gpus.entries.front().power_eps = 1;
  catalog.gpus.entries.front().power_12vhpwr = 2;
  catalog.hosts.entries.front().cpus = 2;
  CHECK(supply_need(catalog, rig.nodes.front()).eps == 2 + 3);
  CHECK(supply_need(catalog, rig.nodes.front()).hpwr == 6);
}

// The small supply has two processor plugs and six 8-pin leads: four more processor plugs hang on four of them.
TEST_CASE("Processor plugs beyond the supply's own hang on 8-pin leads") {
  const auto catalog = sample_catalog();
  const PriceBook prices{catalog};
  const auto choice = [&](int eps, int leads) {
    return choose_supplies(catalog, prices, {.sustained = 300 * watt, .pcie_8pin = leads, .hpwr = 0, .eps = eps}, 0.2)->part->id;
  };
  CHECK(choice(6, 2) == "psu-1000");
  CHECK(choice(6, 3) == "psu-1600");
  CHECK(choice(2, 6) == "psu-1000");
}

// 3,900 W at a fifth free are 4,875: four large ones at 4,000 yuan or five small ones, which are more than four.
TEST_CASE("Several equal supplies are bought where one is too small, the cheapest set of them") {
  const auto catalog = sample_catalog();
  const PriceBook prices{catalog};
  const auto choice = [&](double watts) {
    return choose_supplies(catalog, prices, {.sustained = watts * watt, .pcie_8pin = 2, .hpwr = 0, .eps = 1}, 0.2);
  };
  CHECK(choice(3900)->part->id == "psu-1600");
  CHECK(choice(3900)->count == 4);
  // 1,500 W want 1,875: two small ones at 1,400 yuan, or two large ones at 2,000.
  CHECK(choice(1500)->part->id == "psu-1000");
  CHECK(choice(1500)->count == 2);
}
