// SPDX-License-Identifier: Apache-2.0
// Bills of whole machines, what they sell for and what they draw, each part on its own.
#include <catch2/catch.hpp>

#include "economics/sample_catalog.h"
#include "rigplan/economics/host_kit.h"
#include "rigplan/economics/merit.h"
#include "rigplan/economics/power.h"
#include "rigplan/economics/purchase.h"
#include "rigplan/economics/rent_floor.h"
#include "rigplan/economics/resale.h"
#include "rigplan/economics/supplies.h"

using namespace rigplan;

namespace {

const PurchaseLine* line_of(const Purchase& bill, BillKind kind, bool assumed = false) {
  for (const auto& line : bill.lines)
    if (line.kind == kind && line.assumed == assumed) return &line;
  return nullptr;
}

Purchase bill_of(const Catalog& catalog, const Rig& rig) {
  const PriceBook prices{catalog};
  return purchase_of({catalog, prices, catalog.planning.entries.front()}, rig);
}

void add_part(Catalog& catalog, const std::string& id, auto what, double yuan_each) {
  Part part;
  part.id = part.name = id;
  part.what = what;
  catalog.parts.entries.push_back(part);
  PriceRow row;
  row.item = id;
  row.amount = {yuan_each, "CNY"};
  row.date = "2026-06";
  row.basis = PriceBasis::sold;
  catalog.prices.push_back(row);
}

}  // namespace

// Two machines that are alike: two cards on risers, one of them below a switch that hangs on a riser too, a bridge, two NICs, two
// supplies, and a switch for both.
TEST_CASE("A bill counts what hangs between slot and card, for every machine") {
  auto catalog = sample_catalog();
  add_part(catalog, "riser", Riser{}, 100);
  add_part(catalog, "split", Bifurcator{}, 40);
  add_part(catalog, "switch", PcieSwitch{}, 900);
  add_part(catalog, "bridge", BridgePart{}, 500);
  add_part(catalog, "nic", Nic{}, 300);
  add_part(catalog, "network-switch", NetworkSwitch{}, 2000);
  auto rig = sample_rig("card", 2);
  auto& node = rig.nodes.front();
  node.count = 2;
  node.cards[0].plug.via = {"riser"};
  node.cards[1].plug.via = {"riser", "split"};
  node.adapters.push_back({"sw0", "switch", {"PCIE1", {"riser"}}, {}});
  node.bridges.push_back({"bridge", {0, 1}, 0});
  node.bridges.push_back({"", {0, 1}, 0});  // the cards' own: nothing to buy
  node.nics = {{"nic", {}}, {"nic", {}}};
  node.psus = {"psu-1600", "psu-1600"};
  rig.network = RigNetwork{};
  rig.network->network_switch = "network-switch";
  const auto bill = bill_of(catalog, rig);
  double attached = 0, joined = 0;
  for (const auto& line : bill.lines) {
    if (line.kind == BillKind::attachment) attached += line.total()->likely.in(yuan);
    if (line.kind == BillKind::network) joined += line.total()->likely.in(yuan);
  }
  CHECK(attached == Approx(6 * 100 + 2 * 40 + 2 * 900));
  CHECK(joined == Approx(4 * 300 + 2000));
  CHECK(line_of(bill, BillKind::bridge)->count == 2);
  CHECK(line_of(bill, BillKind::card)->count == 4);
  CHECK(line_of(bill, BillKind::board)->count == 2);
  CHECK(line_of(bill, BillKind::supply)->count == 4);
  CHECK_FALSE(line_of(bill, BillKind::supply, true));
  CHECK(line_of(bill, BillKind::memory, true)->count == 4);
  CHECK(line_of(bill, BillKind::storage, true)->count == 2);
  CHECK(line_of(bill, BillKind::enclosure, true)->count == 2);
  CHECK(line_of(bill, BillKind::processor, true)->count == 2);
  CHECK(bill.unknown == 0);
}

TEST_CASE("From three machines on a switch and cables are counted as unknown unless the rig names them") {
  const auto catalog = sample_catalog();
  auto rig = sample_rig("card", 1);
  rig.nodes.front().count = 2;
  CHECK(line_of(bill_of(catalog, rig), BillKind::network, true) == nullptr);
  rig.nodes.push_back(rig.nodes.front());
  rig.nodes.back().count = 1;
  REQUIRE(line_of(bill_of(catalog, rig), BillKind::network, true));
  CHECK(line_of(bill_of(catalog, rig), BillKind::network, true)->count == 1);
  CHECK(bill_of(catalog, rig).unknown == 1);
}

// Modules of 32 GiB, two in the kit.
TEST_CASE("Memory is bought in whole modules, as much as the rig says or the kit has") {
  const auto catalog = sample_catalog();
  auto rig = sample_rig("card", 1);
  const auto modules = [&](double gib) {
    rig.nodes.front().memory = gib * GiB;
    return line_of(bill_of(catalog, rig), BillKind::memory, true)->count;
  };
  CHECK(line_of(bill_of(catalog, rig), BillKind::memory, true)->count == 2);
  CHECK(modules(64) == 2);
  CHECK(modules(65) == 3);
  CHECK(modules(96) == 3);
  CHECK(modules(16) == 1);
  auto small = catalog;
  small.hosts.entries.front().memory_count = 1;
  rig.nodes.front().memory.reset();
  CHECK(line_of(bill_of(small, rig), BillKind::memory, true)->count == 1);
  CHECK(line_of(bill_of(catalog, sample_rig("passive", 1)), BillKind::cooling, true)->count == 1);
}

TEST_CASE("A processor is the rig's, or the kit's for each socket, or none where the board includes it") {
  auto catalog = sample_catalog();
  auto rig = sample_rig("card", 1);
  catalog.hosts.entries.front().cpus = 2;
  catalog.hosts.entries.front().cooler = "duct";
  CHECK(line_of(bill_of(catalog, rig), BillKind::processor, true)->count == 2);
  CHECK(line_of(bill_of(catalog, rig), BillKind::cooling, true)->count == 2);
  rig.nodes.front().cpu = "cpu";
  CHECK(line_of(bill_of(catalog, rig), BillKind::processor, false)->count == 2);
  CHECK(line_of(bill_of(catalog, rig), BillKind::processor, true) == nullptr);
  // Without a kit as many as the board has sockets.
  catalog.hosts.entries.clear();
  catalog.boards.entries.front().sockets = 4;
  CHECK(line_of(bill_of(catalog, rig), BillKind::processor, false)->count == 4);
  catalog.boards.entries.front().includes_cpu = true;
  CHECK(line_of(bill_of(catalog, rig), BillKind::processor, false) == nullptr);
  rig.nodes.front().board = "no such board";
  CHECK(line_of(bill_of(catalog, rig), BillKind::processor, false)->count == 1);
}

TEST_CASE("Spares are whole cards, a reserve has a range, and old prices are counted") {
  auto catalog = sample_catalog();
  const auto spares = [&](int cards) {
    const auto bill = bill_of(catalog, sample_rig("card", cards));
    const auto* line = line_of(bill, BillKind::spare, true);
    return line ? line->count : 0;
  };
  CHECK(spares(9) == 0);
  CHECK(spares(10) == 1);
  CHECK(spares(19) == 1);
  CHECK(spares(20) == 2);
  const auto bill = bill_of(catalog, sample_rig("card", 2));
  CHECK(bill.stale == 1);  // the frame of February 2025 is older than 540 days
  CHECK(bill.newest == "2026-06");
  CHECK(bill.oldest == "2025-02");
  // Cards between 500 and 1,200 yuan: 4,900 to 6,300 without the supply of 100.
  for (auto& row : catalog.prices) {
    if (row.item == "psu-1000") row.amount.amount = 100;
    if (row.item == "card") row.low = 500, row.high = 1200;
  }
  const auto wide = bill_of(catalog, sample_rig("card", 2));
  const auto* reserve = line_of(wide, BillKind::reserve, true);
  REQUIRE(reserve);
  CHECK(reserve->each->low < reserve->each->likely);
  CHECK(reserve->each->likely < reserve->each->high);
  const auto* cards = line_of(wide, BillKind::card);
  // A tenth of everything, at the low and the high end as well.
  CHECK((100 * yuan + reserve->each->low) / wide.total.low == Approx(0.1));
  CHECK((100 * yuan + reserve->each->high) / wide.total.high == Approx(0.1));
  CHECK((wide.total.high - wide.total.low).in(yuan) ==
        Approx((2 * (cards->each->high - cards->each->low) + reserve->each->high - reserve->each->low).in(yuan)));
}

TEST_CASE("What the owner states is counted by its kind, or as other") {
  const auto catalog = sample_catalog();
  auto rig = sample_rig("card", 1);
  rig.bill = {{.item = "shipping", .count = 3, .price = 50 * yuan},
              {.item = "dimm", .count = 4, .price = {}},
              {.item = "drive", .count = 1, .price = 1 * yuan},
              {.item = "frame", .count = 1, .price = 2 * yuan},
              {.item = "duct", .count = 1, .price = 3 * yuan}};
  const auto bill = bill_of(catalog, rig);
  CHECK(line_of(bill, BillKind::other)->total()->likely.in(yuan) == 150);
  CHECK(line_of(bill, BillKind::other)->name == "shipping");
  CHECK(line_of(bill, BillKind::memory)->count == 4);
  CHECK_FALSE(line_of(bill, BillKind::memory, true));
  CHECK_FALSE(line_of(bill, BillKind::storage, true));
  CHECK_FALSE(line_of(bill, BillKind::enclosure, true));
  CHECK_FALSE(line_of(bill, BillKind::cooling, true));
  const char* names[] = {"cards",  "spare cards", "board",   "processor", "memory",  "power supply", "attachment",
                         "bridge", "network",     "cooling", "enclosure", "storage", "reserve",      "other"};
  for (int kind = 0; kind < 14; ++kind) CHECK(to_text(static_cast<BillKind>(kind)) == names[kind]);
}

TEST_CASE("Supplies are filled in where a rig names none, as many as it needs") {
  const auto catalog = sample_catalog();
  const PriceBook prices{catalog};
  const BillContext context{catalog, prices, catalog.planning.entries.front()};
  // 150 + 5 x 250 W at a fifth free are 1,750: two small ones, which have twelve leads for ten plugs.
  CHECK(with_supplies(context, sample_rig("card", 5)).nodes.front().psus == std::vector<std::string>{"psu-1000", "psu-1000"});
  auto named = sample_rig("card", 5);
  named.nodes.front().psus = {"psu-1600"};
  CHECK(with_supplies(context, named).nodes.front().psus == std::vector<std::string>{"psu-1600"});
  CHECK(with_supplies(context, sample_rig("card", 40)).nodes.front().psus.empty());
}

TEST_CASE("Of supplies that cost the same fewer are bought, and the first by name; server supplies and unpriced ones never") {
  auto catalog = sample_catalog();
  add_part(catalog, "server",
           Psu{.power = 3000 * watt, .rating = "gold", .pcie_8pin = 20, .hpwr = 0, .eps = 2, .form = PsuForm::server}, 1);
  Part free_part;
  free_part.id = "no-price";
  free_part.what = Psu{.power = 3000 * watt, .rating = "gold", .pcie_8pin = 20, .hpwr = 0, .eps = 2, .form = PsuForm::atx};
  catalog.parts.entries.push_back(free_part);
  const SupplyNeed need{.sustained = 1200 * watt, .pcie_8pin = 4, .hpwr = 0, .eps = 1};
  const auto choice = [&](int most = 4) { return choose_supplies(catalog, PriceBook{catalog}, need, 0.2, most); };
  CHECK(choice()->part->id == "psu-1600");  // 1,000 yuan, against two small ones at 1,400
  add_part(catalog, "psu-1500",
           Psu{.power = 1500 * watt, .rating = "gold", .pcie_8pin = 9, .hpwr = 0, .eps = 2, .form = PsuForm::atx}, 1000);
  CHECK(choice()->part->id == "psu-1500");
  add_part(catalog, "a-pair",
           Psu{.power = 800 * watt, .rating = "gold", .pcie_8pin = 9, .hpwr = 0, .eps = 2, .form = PsuForm::atx}, 500);
  CHECK(choice()->part->id == "psu-1500");
  catalog.prices.back().amount.amount = 499;
  CHECK(choice()->part->id == "a-pair");
  CHECK(choice()->count == 2);
  CHECK(choice(1)->part->id == "psu-1500");
  CHECK_FALSE(choose_supplies(catalog, PriceBook{catalog}, {.sustained = 9000 * watt, .pcie_8pin = 4, .hpwr = 0, .eps = 1}, 0.2));
}

// One native plug, and nine leads: of three plugs two hang on eight leads of one supply, of four three on twelve of two.
TEST_CASE("Native 12VHPWR plugs are used first; leads that nobody states do not limit") {
  auto catalog = sample_catalog();
  catalog.parts.entries.clear();
  add_part(catalog, "native",
           Psu{.power = 3000 * watt, .rating = "gold", .pcie_8pin = 9, .hpwr = 1, .eps = 2, .form = PsuForm::atx}, 1000);
  const auto count = [&](int plugs, int eps = 1) {
    return choose_supplies(catalog, PriceBook{catalog}, {.sustained = 600 * watt, .pcie_8pin = 0, .hpwr = plugs, .eps = eps}, 0.2)
        ->count;
  };
  CHECK(count(1) == 1);
  CHECK(count(3) == 1);
  CHECK(count(4) == 2);
  CHECK(count(0, 11) == 1);
  CHECK(count(0, 12) == 2);
  std::get<Psu>(catalog.parts.entries.front().what) =
      Psu{.power = 3000 * watt, .rating = "gold", .pcie_8pin = 0, .hpwr = 0, .eps = 0, .form = PsuForm::atx};
  CHECK(count(9, 9) == 1);
  // A supply whose processor plugs nobody states has one: the second hangs on one of two leads.
  const auto leads = [&](int eights, int eps, int most = 4) -> int {
    std::get<Psu>(catalog.parts.entries.front().what).pcie_8pin = 2;
    const auto choice = choose_supplies(catalog, PriceBook{catalog},
                                        {.sustained = 600 * watt, .pcie_8pin = eights, .hpwr = 0, .eps = eps}, 0.2, most);
    return choice ? choice->count : 0;
  };
  CHECK(leads(2, 1) == 1);
  CHECK(leads(1, 2) == 1);
  CHECK(leads(2, 2) == 2);
  // Nobody joins more than sixteen.
  CHECK(leads(32, 1, 20) == 16);
  CHECK(leads(33, 1, 20) == 0);
}

TEST_CASE("Power of a rig counts every machine, a card's own idle draw, and hosts that nobody knows") {
  auto catalog = sample_catalog();
  auto rig = sample_rig("card", 2);
  rig.nodes.front().count = 3;
  rig.nodes.front().psus = {"psu-1000", "psu-1600", "dimm", "no such part"};
  const auto& defaults = catalog.planning.entries.front();
  const auto power = rig_power(catalog, defaults, rig);
  CHECK(power.cards == 6);
  CHECK(power.cards_unknown == 0);
  CHECK(power.cards_rated.in(watt) == 1500);
  CHECK(power.cards_idle.in(watt) == Approx(150));
  CHECK(power.host_idle.in(watt) == 180);
  CHECK(power.host_busy.in(watt) == 450);
  CHECK(power.supplies_rated.in(watt) == 3 * 2600);
  CHECK(power.efficiency == catalog.efficiencies.find("gold"));
  CHECK(supply_margin(power) == Approx(1 - 1950 / 7800.0));
  CHECK(supply_margin({}) == 1);
  catalog.gpus.entries.front().idle_power = 9 * watt;
  CHECK(rig_power(catalog, defaults, rig).cards_idle.in(watt) == Approx(54));
  rig.nodes.front().board = "other";
  CHECK(rig_power(catalog, defaults, rig).hosts_unknown == 3);
  CHECK(rig_power(catalog, defaults, rig).host_busy == Watts{});
  rig.nodes.front().cards.front().gpu = "unpriced";
  CHECK(rig_power(catalog, defaults, rig).cards_unknown == 3);
  CHECK(rig_power(catalog, defaults, rig).cards == 6);
  // A cap is all that is known of a card without a figure.
  CardPlace capped;
  capped.power_cap = 100 * watt;
  CHECK(card_power(Gpu{}, capped) == 100 * watt);
  CHECK(card_power(Gpu{}, {}) == Watts{});
  CHECK(host_kit_of(catalog, "board") == &catalog.hosts.entries.front());
  CHECK(host_kit_of(catalog, "other") == nullptr);
}

// Six cards of 250 W that idle at 25: never less under load than idle.
TEST_CASE("Phases draw their share of the rated power, and the wall the loss of the supplies") {
  const auto catalog = sample_catalog();
  RigPower power;
  power.host_idle = 60 * watt;
  power.host_busy = 100 * watt;
  power.cards_rated = 1000 * watt;
  power.cards_idle = 300 * watt;
  power.supplies_rated = 1000 * watt;
  power.efficiency = catalog.efficiencies.find("gold");
  const auto one_of_four = dc_power(power, catalog.planning.entries.front(), 0.25),
             all = dc_power(power, catalog.planning.entries.front(), 1);
  CHECK(one_of_four.decode.in(watt) == Approx(100 + 300));                                             // 0.25 x 0.6 + 0.75 x 0.2
  CHECK(one_of_four.prefill.in(watt) == Approx(100 + 375));                                            // 0.25 x 0.9 + 0.75 x 0.2
  CHECK(dc_power(power, catalog.planning.entries.front(), 0.1).decode.in(watt) == Approx(100 + 300));  // not less than idle
  CHECK(all.prefill.in(watt) == Approx(1000));
  CHECK(all.peak.in(watt) == Approx(1100));
  // 350 W are 35 % of the rating: 0.91.
  CHECK(wall_power(power, 350 * watt).in(watt) == Approx(350 / 0.91));
  const auto wall = wall_power(power, all);
  CHECK(wall.idle.in(watt) == Approx(360 / (0.90 + 0.02 * 16 / 30)));
  CHECK(wall.decode.in(watt) == Approx(700 / (0.92 - 0.04 * 0.4)));
  CHECK(wall.prefill.in(watt) == Approx(1000 / 0.88));
  CHECK(wall.training.in(watt) == Approx(1050 / 0.88));
  CHECK(wall.peak.in(watt) == Approx(1100 / 0.88));
  CHECK(supply_efficiency(power.efficiency, 350 * watt, Watts{}) == 1);
  EfficiencyCurve shortened = *power.efficiency;
  shortened.points.push_back({2, 0.1});
  shortened.points.pop_back();  // what is no longer on the curve counts no more
  CHECK(supply_efficiency(&shortened, 1500 * watt, 1000 * watt) == 0.88);
  const EfficiencyCurve empty;
  CHECK(supply_efficiency(&empty, 350 * watt, 1000 * watt) == 1);
}

TEST_CASE("Circuits that carry nothing are left out, and even an idle machine needs one") {
  Circuit none, some;
  some.continuous = 1000 * watt;
  const Circuit circuits[] = {none, some};
  REQUIRE(circuits_needed(circuits, Watts{}).size() == 1);
  CHECK(circuits_needed(circuits, Watts{}).front().count == 1);
  CHECK(circuits_needed(circuits, 1000 * watt).front().count == 1);
  CHECK(circuits_needed(circuits, 1001 * watt).front().count == 2);
}

// A card of 16 GiB and 100 TFLOP/s without matrix units elsewhere; offers in money that nobody can change do not count.
TEST_CASE("A floor takes vector rates where there are no matrix units, and needs both memory and arithmetic") {
  auto catalog = sample_catalog();
  catalog.gpus.entries.clear();
  const auto add = [&](const char* id, double gib, double tflops, double price, const char* currency = "CNY") {
    Gpu gpu;
    gpu.id = gpu.name = id;
    gpu.vram = gib * GiB;
    if (tflops > 0) gpu.peaks.fp16_vector = tflops * TFLOP_per_s;
    catalog.gpus.entries.push_back(gpu);
    RentOffer offer;
    offer.gpu = id;
    offer.per_card_hour = {price, currency};
    if (price > 0) catalog.rent.entries.push_back(offer);
  };
  add("asked", 16, 100, 0);
  add("foreign", 16, 100, 0.01, "XYZ");
  CHECK_FALSE(rent_floor(catalog, "asked"));
  add("no-rate", 32, 0, 4);
  CHECK_FALSE(rent_floor(catalog, "asked"));
  add("slow", 64, 50, 20);  // 40 yuan for as much arithmetic, 5 for as much memory
  CHECK(rent_floor(catalog, "asked")->per_card.in(yuan_per_hour) == Approx(2));
  CHECK(rent_floor(catalog, "asked")->offer->gpu == "no-rate");
  add("other", 8, 25, 0);  // a quarter of the arithmetic and half of the memory of the asked one
  CHECK(rent_floor(catalog, "other")->per_card.in(yuan_per_hour) == Approx(1));
  CHECK_FALSE(rent_floor(catalog, "no-rate"));
  catalog.rent.entries.push_back(catalog.rent.entries.back());
  catalog.rent.entries.back().per_card_hour.amount = 30;
  CHECK(rent_range(catalog, "slow")->per_card.likely.in(yuan_per_hour) == Approx(30));  // of two the dearer
  CHECK_FALSE(rent_range(catalog, "foreign"));
}

TEST_CASE("A part sells by its class and condition; a condition that nobody knows takes the lower value") {
  const auto catalog = sample_catalog();
  const auto& defaults = catalog.planning.entries.front();
  const auto unknown = value_kept(defaults, Condition::unknown, 12 * month);
  CHECK(unknown.low == Approx(0.5));
  CHECK(unknown.likely == Approx(0.6));
  CHECK(unknown.high == Approx(0.9));
  CHECK(value_kept(defaults, Condition::used, 12 * month).high == Approx(0.9));
  CHECK(value_kept(defaults, Condition::fresh, 12 * month).high == Approx(0.8));
  const auto class_of = [&](BillKind kind, Condition condition = Condition::used, const char* item = "card") {
    PurchaseLine line;
    line.kind = kind;
    line.item = item;
    line.condition = condition;
    return resale_class(catalog, line);
  };
  for (const auto kind : {BillKind::card, BillKind::spare}) {
    CHECK(class_of(kind) == "used-card");
    CHECK(class_of(kind, Condition::fresh) == "new-card");
    CHECK(class_of(kind, Condition::used, "no such card") == "used-card");
  }
  for (const auto kind : {BillKind::board, BillKind::processor, BillKind::memory, BillKind::network})
    CHECK(class_of(kind) == "platform");
  for (const auto kind : {BillKind::supply, BillKind::enclosure, BillKind::storage, BillKind::bridge})
    CHECK(class_of(kind) == "supply");
  for (const auto kind : {BillKind::cooling, BillKind::attachment, BillKind::reserve, BillKind::other})
    CHECK(class_of(kind).empty());
}

TEST_CASE("A curve that ends at nothing stays there, one without points keeps all") {
  const ResaleCurve curve{"x", {{12 * month, {0, 0.5, 1}}, {24 * month, {0, 0.25, 1}}}};
  CHECK(value_kept(curve, 18 * month).low == 0);
  CHECK(value_kept(curve, 18 * month).high == 1);
  CHECK(value_kept(curve, 18 * month).likely == Approx(0.353553));
  CHECK(value_kept(ResaleCurve{}, 18 * month).likely == 1);
  // Nothing loses more than all of its value, or wins some.
  PlanningDefaults defaults;
  defaults.loss_per_year_used = {-0.1, 0.5, 1.2};
  CHECK(value_kept(defaults, Condition::used, 12 * month).low == 0);
  CHECK(value_kept(defaults, Condition::used, 12 * month).high == 1);
  CHECK(value_kept(ResaleCurve{"x", {{12 * month, {0.2, 0.5, 0.8}}}}, 24 * month).likely == Approx(0.25));
}

TEST_CASE("Nothing is divided by a yield of nothing, and no merit comes from a cost of nothing") {
  Cost cost;
  cost.purchase = {900 * yuan, 1000 * yuan, 1200 * yuan};
  cost.energy = {100 * yuan, 200 * yuan, 400 * yuan};
  cost.upkeep = {10 * yuan, 20 * yuan, 30 * yuan};
  CHECK(cost.total().low.in(yuan) == Approx(1010));
  CHECK(cost.total().likely.in(yuan) == Approx(1220));
  CHECK(cost.total().high.in(yuan) == Approx(1630));
  Yield yield;
  yield.usable = Range<FlopRate>::exactly(2 * TFLOP_per_s);
  const auto merit = merit_of(cost, yield);
  CHECK(merit.per_usable_rate->likely.in(yuan_per_TFLOP_per_s) == Approx(610));
  CHECK(merit.purchase_per_usable_rate->likely.in(yuan_per_TFLOP_per_s) == Approx(500));
  CHECK_FALSE(merit.purchase_per_peak_rate);
  CHECK_FALSE(merit.per_token);
  CHECK_FALSE(merit.per_token_rate);
  CHECK_FALSE(merit.purchase_per_vram);
  CHECK_FALSE(merit_of({}, yield).per_usable_rate);
  Cost given;  // a rig for nothing costs its power
  given.energy = Range<Yuan>::exactly(100 * yuan);
  CHECK(given.total().low.in(yuan) == 100);
  CHECK(given.total().high.in(yuan) == 100);
  yield.usable.low = FlopRate{};
  CHECK_FALSE(merit_of(cost, yield).per_usable_rate);
}
