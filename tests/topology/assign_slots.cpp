// SPDX-License-Identifier: Apache-2.0
#include "rigplan/topology/assign_slots.h"

#include <catch2/catch.hpp>

#include "rigplan/json/data_error.h"
#include "rigplan/topology/slot_plan.h"
#include "topology/small_catalog.h"

using namespace rigplan;
using namespace rigplan::test;

TEST_CASE("Open slots are filled from the processor first, and what is plugged stays") {
  const auto catalog = small_catalog();
  const auto full = with_slots(rig("desk", "desktop", {{"pro", ""}, {"pro", ""}, {"pro", ""}}), catalog);
  CHECK(full.nodes[0].cards[0].plug.slot == "TOP");
  CHECK(full.nodes[0].cards[1].plug.slot == "MID");
  CHECK(full.nodes[0].cards[2].plug.slot == "LOW");
  const auto kept = with_slots(rig("desk", "desktop", {{"pro", "LOW"}, {"pro", ""}}), catalog);
  CHECK(kept.nodes[0].cards[0].plug.slot == "LOW");
  CHECK_THROWS_AS(with_slots(rig("desk", "desktop", {{"pro", ""}, {"pro", ""}, {"pro", ""}, {"pro", ""}}), catalog), DataError);
}

TEST_CASE("Cards stay together on one socket where it has room") {
  const auto full = with_slots(rig("two", "server", {{"pro", "B1"}, {"pro", ""}}), small_catalog());
  CHECK(full.nodes[0].cards[1].plug.slot == "B2");
}

TEST_CASE("The best placement of two cards avoids the chipset; the worst one costs what the uplink costs") {
  const auto catalog = small_catalog();
  Traffic traffic;
  traffic.assumption = PeerAssumption::always_yes;
  const auto plan = plan_slots(rig("desk", "desktop", {{"pro", ""}, {"pro", ""}}), catalog, traffic);
  CHECK(plan.complete);
  CHECK(plan.tried == 3);  // three ways to leave one of three slots empty
  CHECK(plan.best.rig.nodes[0].cards[0].plug.slot != "LOW");
  CHECK(plan.best.rig.nodes[0].cards[1].plug.slot != "LOW");
  // 4.0 x8 against 4.0 x4.
  CHECK(plan.worst.time / plan.best.time == Approx(2).epsilon(0.001));
}

TEST_CASE("An M.2 connector is planned for a card only when nothing else is left") {
  auto catalog = small_catalog();
  catalog.boards.entries[1].slots[1].physical_lanes = 4;  // MID becomes a small connector
  const auto two = plan_slots(rig("desk", "desktop", {{"pro", ""}, {"pro", ""}}), catalog, {});
  CHECK(two.tried == 1);
  CHECK(two.best.rig.nodes[0].cards[1].plug.slot == "LOW");
  CHECK(plan_slots(rig("desk", "desktop", {{"pro", ""}, {"pro", ""}, {"pro", ""}}), catalog, {}).tried == 1);
}

TEST_CASE("A NIC leaves its slot to a card that needs it") {
  auto plan = rig("desk", "desktop", {{"pro", "TOP"}, {"pro", "LOW"}});
  plan.nodes[0].nics = {{"nic-10", {"MID", {}}}};
  plan.nodes[0].cards[1].trained = PcieLink{2, 1};  // seen in the slot that it leaves
  const auto planned = plan_slots(plan, small_catalog(), {});
  CHECK(planned.best.rig.nodes[0].nics[0].plug.slot == "LOW");
  CHECK_FALSE(planned.best.rig.nodes[0].cards[1].trained);
}

TEST_CASE("Four like cards in seven like slots have one placement") {
  const auto plan = plan_slots(rig("seven", "server", {{"pro", ""}, {"pro", ""}, {"pro", ""}, {"pro", ""}}), small_catalog(), {});
  CHECK(plan.tried == 1);
  CHECK(plan.best.time == plan.worst.time);
}

TEST_CASE("Pairs that talk end up on one socket") {
  const auto catalog = small_catalog();
  Traffic traffic;
  traffic.assumption = PeerAssumption::always_yes;
  traffic.between.assign(4, std::vector<Bytes>(4));
  for (const auto& [a, b] : {std::pair{0, 2}, std::pair{1, 3}})
    traffic.between[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] =
        traffic.between[static_cast<std::size_t>(b)][static_cast<std::size_t>(a)] = 1 * MiB;
  const auto plan = plan_slots(rig("two", "server", {{"pro", ""}, {"pro", ""}, {"pro", ""}, {"pro", ""}}), catalog, traffic);
  const auto socket = [&](const Rig& one, std::size_t card) { return one.nodes[0].cards[card].plug.slot[0]; };
  CHECK(socket(plan.best.rig, 0) == socket(plan.best.rig, 2));
  CHECK(socket(plan.best.rig, 1) == socket(plan.best.rig, 3));
  CHECK(plan.worst.time > plan.best.time);
}

TEST_CASE("Groups that talk decide which pairs get the bridges") {
  // Cards 0 and 2 talk, and 1 and 3; the file puts the bridges on 0 and 1 and on 2 and 3. Each pair then moves 1 MiB each way
  // over its own four NVLinks of 14 GB/s. As the file has it, four flows pass twice through host memory of 200 GB/s.
  const auto catalog = small_catalog();
  auto wrong = rig("seven", "server", {{"pair", "PCIE1"}, {"pair", "PCIE2"}, {"pair", "PCIE3"}, {"pair", "PCIE4"}});
  wrong.nodes[0].bridges = {{"nvlink-2", {0, 1}, 0}, {"nvlink-2", {2, 3}, 0}};
  Traffic traffic;
  traffic.groups = {0, 1, 0, 1};
  const auto plan = plan_slots(wrong, catalog, traffic);
  CHECK(plan.complete);
  REQUIRE(plan.best.rig.nodes[0].bridges.size() == 2);
  CHECK(plan.best.rig.nodes[0].bridges[0].cards == std::vector<int>{0, 2});
  CHECK(plan.best.rig.nodes[0].bridges[1].cards == std::vector<int>{1, 3});
  CHECK(plan.best.time.in(us) == Approx((MiB / (56 * GB_per_s)).in(us)).epsilon(1e-4));
  REQUIRE(plan.present);
  CHECK(plan.present->time.in(us) == Approx((4 * 2 * MiB / (200 * GB_per_s)).in(us)).epsilon(1e-4));
  CHECK(plan.worst.time >= plan.present->time);
  // The bridged pairs end up without a card between them.
  const auto slot_of = [&](int card) { return plan.best.rig.nodes[0].cards[static_cast<std::size_t>(card)].plug.slot; };
  CHECK(std::abs(slot_of(0).back() - slot_of(2).back()) == 1);
}

TEST_CASE("A rig of flags uses slots, then splits, then switches, then another machine") {
  const auto catalog = small_catalog();
  const auto slots_of = [](const Rig& plan) {
    std::vector<std::string> slots;
    for (const auto& card : plan.nodes[0].cards) slots.push_back(card.plug.slot);
    return slots;
  };
  const auto four = rig_of(catalog, "pro", 4, "seven");
  CHECK(slots_of(four) == std::vector<std::string>{"PCIE1", "PCIE2", "PCIE3", "PCIE4"});
  CHECK(four.nodes[0].cpu == "server");
  CHECK(four.nodes[0].adapters.empty());

  const auto nine = rig_of(catalog, "pro", 9, "seven");
  CHECK(nine.cards() == 9);
  CHECK(nine.nodes.size() == 1);
  CHECK(nine.nodes[0].adapters.size() == 2);
  CHECK(nine.nodes[0].adapters[0].part == "split-x8x8");
  CHECK_FALSE(find_fault(nine, catalog));

  const auto hundred = rig_of(catalog, "pro", 100, "seven");
  CHECK(hundred.cards() == 100);
  CHECK(hundred.network.has_value());
  CHECK_FALSE(find_fault(hundred, catalog));

  CHECK(rig_of(catalog, "pro", 3, "desk").nodes[0].cards[2].plug.slot == "LOW");
  CHECK(rig_of(catalog, "pro", 2, "").nodes[0].board == "seven");
  CHECK_THROWS_AS(rig_of(catalog, "prp", 2, ""), DataError);
  CHECK_THROWS_AS(rig_of(catalog, "pro", 0, ""), DataError);
}
