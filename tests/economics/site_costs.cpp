// SPDX-License-Identifier: Apache-2.0
// What a rig takes beside its bill: feeds, distribution, network, failures and labour.
#include "rigplan/economics/site_costs.h"

#include <catch2/catch.hpp>

#include "economics/sample_catalog.h"
#include "rigplan/economics/feeds.h"
#include "rigplan/economics/network_parts.h"
#include "rigplan/economics/operation.h"

using namespace rigplan;

namespace {

/// The sample catalog with two circuits, a strip for each of two, a switch, a card and a cable of 10 Gbit/s.
Catalog site_catalog() {
  auto catalog = sample_catalog();
  const auto price = [&](std::string item, double low, double likely, double high) {
    PriceRow row;
    row.item = std::move(item);
    row.amount = {likely, "CNY"};
    row.low = low, row.high = high;
    row.condition = Condition::fresh;
    row.date = "2026-06";
    row.basis = PriceBasis::retail;
    row.source = {"a shop", "2026-06"};
    catalog.prices.push_back(row);
  };
  const auto circuit = [&](std::string id, double volts, int phases, Watts continuous) {
    Circuit entry;
    entry.id = entry.name = std::move(id);
    entry.volts = volts, entry.phases = phases, entry.continuous = continuous;
    catalog.circuits.entries.push_back(entry);
  };
  const auto part = [&](std::string id, auto what) {
    Part entry;
    entry.id = entry.name = std::move(id);
    entry.what = what;
    catalog.parts.entries.push_back(entry);
  };
  circuit("usual", 220, 1, 2000 * watt);
  circuit("strong", 220, 1, 4000 * watt);
  circuit("three", 380, 3, 8000 * watt);
  price("usual", 300, 500, 1000);
  price("strong", 600, 900, 2000);
  price("three", 1000, 2000, 5000);
  part("strip", OtherPart{.kind = "cable", .size = {}, .pieces = 1, .fits = "usual", .cards = 0});
  part("big-strip", OtherPart{.kind = "cable", .size = {}, .pieces = 1, .fits = "strong", .cards = 0});
  part("cord-10g", OtherPart{.kind = "cable", .size = {}, .pieces = 1, .fits = "10 Gbit/s", .cards = 0});
  part("switch-4", NetworkSwitch{.ports = 4, .port_rate = 10 * Gbit_per_s});
  part("nic-10g", Nic{.rate = 10 * Gbit_per_s, .ports = 1, .rdma = false, .pcie = {}});
  price("strip", 50, 100, 200);
  price("big-strip", 150, 300, 500);
  price("cord-10g", 50, 100, 150);
  price("switch-4", 500, 1000, 2000);
  price("nic-10g", 100, 200, 400);
  auto& planning = catalog.planning.entries.front();
  planning.circuit = "usual";
  planning.labour = {.supported = 1, .community = 3, .ended = 6, .rented = 0.5};
  planning.labour_price = 80 * yuan_per_hour;
  planning.labour_spread = {0.5, 1, 2};
  planning.failures_per_year_used = {0.1, 0.2, 0.4};
  return catalog;
}

std::vector<SiteCost> costs_of(const Catalog& catalog, const Rig& rig) {
  const PriceBook prices{catalog};
  const BillContext bill{catalog, prices, catalog.planning.entries.front()};
  const auto whole = with_supplies(bill, rig);
  return site_costs(bill, whole, purchase_of(bill, whole), 24 * month);
}

const SiteCost* find(const std::vector<SiteCost>& costs, const std::string& name) {
  const auto found = std::ranges::find(costs, name, &SiteCost::name);
  return found == costs.end() ? nullptr : &*found;
}

Rig several(int machines) {
  auto rig = sample_rig("card", 2);
  rig.nodes.front().count = machines;
  return rig;
}

}  // namespace

// 5 kW of a usual circuit of 2 kW: three of them, of which one is there, at 2 x 500; two strong ones at 2 x 900; one of three
// phases at 2,000. 9 kW are more than the largest single-phase circuit: two of three phases.
TEST_CASE("feeds are the cheapest way to the power beside the circuit that is there") {
  const auto catalog = site_catalog();
  const PriceBook prices{catalog};
  const auto& defaults = catalog.planning.entries.front();
  const auto feeds = [&](double watts) { return choose_feeds(catalog, prices, defaults, watts * watt); };
  CHECK_FALSE(feeds(2000));
  REQUIRE(feeds(3900));
  CHECK(feeds(3900)->circuit->id == "usual");
  CHECK(feeds(3900)->count == 1);
  REQUIRE(feeds(9000));
  CHECK(feeds(9000)->circuit->id == "three");
  CHECK(feeds(9000)->count == 2);
}

TEST_CASE("a machine hangs on the smallest strip that carries it, or on as few of the largest as do") {
  const auto catalog = site_catalog();
  CHECK(choose_strips(catalog, 1500 * watt).part->id == "strip");
  CHECK(choose_strips(catalog, 3000 * watt).part->id == "big-strip");
  CHECK(choose_strips(catalog, 3000 * watt).count == 1);
  CHECK(choose_strips(catalog, 7000 * watt).count == 2);
}

// Four ports: up to 4 links one switch. 6 links: leaves with 2 down and 2 up, 3 of them; 6 cables up take 2 spines: 5 switches.
// 8 links: 4 leaves and 2 spines. Each spine has a port for each leaf, so that 4 leaves are the most.
TEST_CASE("switches join links in one layer, then in two without loss, and not beyond") {
  REQUIRE(switch_layout(4, 4));
  CHECK(switch_layout(4, 4)->switches == 1);
  CHECK(switch_layout(4, 4)->cables == 0);
  CHECK(switch_layout(4, 6)->switches == 5);
  CHECK(switch_layout(4, 6)->cables == 6);
  CHECK(switch_layout(4, 8)->switches == 6);
  CHECK_FALSE(switch_layout(4, 9));
}

TEST_CASE("what the rig names is not counted again, and what it leaves open is") {
  const auto catalog = site_catalog();
  auto rig = several(3);
  rig.network = RigNetwork{.network_switch = {}, .rate = 10 * Gbit_per_s};
  const auto open = costs_of(catalog, rig);
  REQUIRE(find(open, "network switches"));
  CHECK(find(open, "network switches")->amount->likely.in(yuan) == Approx(1000));
  CHECK(find(open, "network cables")->amount->likely.in(yuan) == Approx(3 * 100));
  CHECK(find(open, "network cards")->amount->likely.in(yuan) == Approx(3 * 200));
  CHECK(find(open, "network cards")->source == "a shop, 2026-06");
  rig.network->network_switch = "switch-4";
  rig.bill = {{.item = "cord-10g", .count = 3, .price = {}}};
  const auto named = costs_of(catalog, rig);
  CHECK_FALSE(find(named, "network switches"));
  CHECK_FALSE(find(named, "network cables"));
  // Two machines need one cable and no switch.
  auto two = several(2);
  two.network = RigNetwork{.network_switch = {}, .rate = 10 * Gbit_per_s};
  const auto pair = costs_of(catalog, two);
  CHECK_FALSE(find(pair, "network switches"));
  CHECK(find(pair, "network cables")->count.likely == 1);
}

// Ten machines of two cards: no support row, so 3 h a month each, 24 months: 720 h [360, 1440] at 80 yuan. 20 cards of 600 yuan,
// 10, 20 and 40 % a year over two years: 4, 8 and 16 fail; 2 spares are in the bill (a tenth): 2, 6 and 14 are bought.
TEST_CASE("labour goes with the machines, failures with the cards beyond the spares") {
  const auto catalog = site_catalog();
  const auto costs = costs_of(catalog, several(10));
  const auto* labour = find(costs, "software upkeep");
  REQUIRE(labour);
  CHECK(labour->count.low == Approx(360));
  CHECK(labour->count.likely == Approx(720));
  CHECK(labour->amount->high.in(yuan) == Approx(1440 * 80));
  const auto* failures = find(costs, "cards that fail");
  REQUIRE(failures);
  CHECK(failures->count.likely == Approx(8));
  CHECK(failures->amount->low.in(yuan) == Approx(2 * 600));
  CHECK(failures->amount->likely.in(yuan) == Approx(6 * 600));
  CHECK(failures->amount->high.in(yuan) == Approx(14 * 600));
  const auto total = total_of(costs);
  Yuan sum;
  for (const auto& cost : costs)
    if (cost.amount) sum += cost.amount->likely;
  CHECK(total.likely.in(yuan) == Approx(sum.in(yuan)));
}

TEST_CASE("one machine on its circuit has nothing beside its bill worth telling; several have") {
  const auto catalog = site_catalog();
  const PriceBook prices{catalog};
  const BillContext bill{catalog, prices, catalog.planning.entries.front()};
  CHECK_FALSE(has_site_costs(bill, sample_rig("card", 2)));
  CHECK(has_site_costs(bill, several(2)));
  CHECK(has_site_costs(bill, sample_rig("card", 8)));  // 8 x 250 W and 150 W
}
