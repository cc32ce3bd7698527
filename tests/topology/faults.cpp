// SPDX-License-Identifier: Apache-2.0
// What of a rig cannot exist, each fault alone in a rig that is right otherwise.
#include <catch2/catch.hpp>

#include "rigplan/json/cursor.h"
#include "rigplan/topology/contention.h"
#include "rigplan/topology/graph.h"
#include "rigplan/topology/rig.h"
#include "topology/small_catalog.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

std::string fault(const Rig& plan) {
  const auto found = find_fault(plan, small_catalog());
  return found ? found->message : std::string{};
}

/// Two cards of a kind in the first slots of the board "seven", and what is changed of it.
std::string fault_of(auto change, const std::string& card = "pro") {
  auto plan = rig("seven", "server", {{card, "PCIE1"}, {card, "PCIE2"}});
  change(plan, plan.nodes.front());
  return fault(plan);
}

}  // namespace

TEST_CASE("A rig needs machines, and several of them a network") {
  CHECK(fault_of([](Rig&, RigNode&) {}).empty());
  CHECK(fault_of([](Rig&, RigNode& node) { node.count = 0; }) == "a rig needs at least one of each node");
  CHECK(fault_of([](Rig&, RigNode& node) { node.count = 2; }) == "2 machines need a \"network\"");
  CHECK(fault_of([](Rig& plan, RigNode& node) {
          node.count = 2;
          plan.network = RigNetwork{};
        }).empty());
  CHECK(fault(Rig{}) == "a rig needs at least one node");
}

TEST_CASE("Ids must be in the catalog") {
  CHECK(fault_of([](Rig&, RigNode& node) { node.board = "sevne"; }).starts_with("there is no board \"sevne\""));
  CHECK(fault_of([](Rig&, RigNode& node) { node.cpu = "servre"; }).starts_with("there is no CPU \"servre\""));
  CHECK(fault_of([](Rig&, RigNode& node) { node.cards[1].gpu = "por"; }).starts_with("there is no card \"por\""));
  RigNode nowhere;
  nowhere.board = "sevne";
  CHECK_THROWS_AS(board_of(nowhere, small_catalog()), DataError);
}

TEST_CASE("Parts must be what they are used for") {
  CHECK(fault_of([](Rig&, RigNode& node) { node.cards[0].plug.via = {"nic-10"}; }) ==
        "\"nic-10\" in \"via\" is no riser, cable or redriver");
  CHECK(fault_of([](Rig&, RigNode& node) { node.nics.push_back({"riser3", {"PCIE3", {}}}); }) == "\"riser3\" is no NIC");
  CHECK(fault_of([](Rig&, RigNode& node) {
          node.adapters.push_back({"a", "riser3", {"PCIE3", {}}, {}});
        }) == "\"riser3\" is neither a split adapter nor a switch");
  CHECK(fault_of([](Rig&, RigNode& node) {
          node.adapters.push_back({"a", "switch5", {"PCIE3", {}}, {}});
        }).starts_with("\"switch5\" is neither a split adapter nor a switch"));
  CHECK(fault_of([](Rig&, RigNode& node) {
          node.adapters.push_back({"a", "switch4", {"PCIE3", {}}, {{"PCIE4", {}}}});
        }) == "\"switch4\" has 1 upstream port");
}

TEST_CASE("Adapters have ids of their own and hang on the board in the end") {
  CHECK(fault_of([](Rig&, RigNode& node) {
          node.adapters = {{"a", "switch4", {"PCIE3", {}}, {}}, {"a", "switch4", {"PCIE4", {}}, {}}};
        }) == "the adapter id \"a\" is used twice");
  CHECK(fault_of([](Rig&, RigNode& node) {
          node.adapters = {{"a", "switch4", {"b/0", {}}, {}}, {"b", "switch4", {"a/0", {}}, {}}};
        }) == "adapters are plugged in a circle: a -> b -> a");
  // One that hangs on a circle of others is not to blame for it.
  CHECK(
      fault_of([](Rig&, RigNode& node) {
        node.adapters = {{"c", "switch4", {"a/1", {}}, {}}, {"a", "switch4", {"b/0", {}}, {}}, {"b", "switch4", {"a/0", {}}, {}}};
      }) == "adapters are plugged in a circle: a -> b -> a");
  CHECK(fault_of([](Rig&, RigNode& node) {
          node.adapters = {{"a", "switch4", {"PCIE3", {}}, {}}, {"b", "switch4", {"a/0", {}}, {}}};
        }).empty());
}

TEST_CASE("Modules sit on sites, cards in slots") {
  auto catalog = small_catalog();
  catalog.gpus.entries[6].form = CardForm::sxm;
  const auto message = [&](const Rig& plan) {
    const auto found = find_fault(plan, catalog);
    return found ? found->message : std::string{};
  };
  CHECK(message(rig("seven", "server", {{"module", "PCIE1"}})) == "module is a module, and \"PCIE1\" is a slot");
  // The socket, and the lanes of the processor: two slots of 16 lanes against 16 of a small one.
  CHECK(message(rig("seven", "desktop", {{"pro", "PCIE1"}})) == "seven has the socket A, but desktop needs B");
  CHECK(message(rig("seven", "few-lanes", {{"pro", "PCIE1"}})).empty());
  CHECK(message(rig("seven", "few-lanes", {{"pro", "PCIE1"}, {"pro", "PCIE2"}})) ==
        "the occupied slots of cpu0 need 32 lanes, but few-lanes has 16");
}

TEST_CASE("A bridge joins cards that are there, of one kind, with connectors for it") {
  const auto bridged = [](const std::string& card, BridgePlace bridge) {
    return fault_of([&](Rig&, RigNode& node) { node.bridges = {bridge}; }, card);
  };
  CHECK(bridged("pair", {"nvlink-2", {0, 1}, 0}).empty());
  CHECK(bridged("pair", {"riser3", {0, 1}, 0}) == "\"riser3\" is no bridge");
  CHECK(bridged("pair", {"nvlink-2", {0}, 0}) == "a bridge joins two cards or more");
  CHECK(bridged("pair", {"nvlink-2", {0, 0}, 0}) == "a bridge cannot join a card to itself");
  CHECK(bridged("pair", {"nvlink-2", {0, 1, 2}, 0}) == "nvlink-2 joins 2 cards, found 3");
  CHECK(bridged("pair", {"nvlink-2", {0, 2}, 0}) == "there is no card 2; the node has 2");
  CHECK(bridged("pair", {"nvlink-2", {-1, 1}, 0}) == "there is no card -1; the node has 2");
  CHECK(bridged("pro", {"nvlink-2", {0, 1}, 0}) == "card 0 (pro) has no connector for a bridge");
  CHECK(bridged("pair", {"xgmi-4", {0, 1}, 0}) == "xgmi-4 does not fit the connector of pair");
  CHECK(bridged("mesh", {"xgmi-4", {0, 1}, 0}) == "xgmi-4 does not fit mesh; it fits ring");
  CHECK(bridged("pair", {"", {0, 1}, 5}) == "pair has 4 links, found 5");
  CHECK(bridged("pair", {"", {0, 1}, 4}).empty());
  CHECK(fault_of(
            [](Rig&, RigNode& node) {
              node.bridges = {{"", {0, 1}, 3}, {"", {0, 1}, 2}};
            },
            "pair") == "card 0 (pair) has 4 links, and the bridges before this one take them");
  CHECK(fault_of([](Rig&, RigNode& node) { node.bridges = {{"", {0, 1}, 2}, {"", {0, 1}, 2}}; }, "pair").empty());
  CHECK(fault_of(
            [](Rig&, RigNode& node) {
              node.cards[1].gpu = "mesh";
              node.bridges = {{"", {0, 1}, 0}};
            },
            "pair") == "a bridge joins cards of one kind");
}

// Two cards that send to two others over slots of their own, and two that send to one: there the slot is shared.
TEST_CASE("Transfers that start together are over when the slowest is") {
  const auto catalog = small_catalog();
  const auto graph =
      build_graph(rig("seven", "server", {{"pro", "PCIE1"}, {"pro", "PCIE2"}, {"pro", "PCIE3"}, {"pro", "PCIE4"}}), catalog);
  const auto way = [&](int from, int to) { return route(graph, from, to, PeerAssumption::always_yes); };
  const std::vector<Route> apart{way(0, 2), way(1, 3)}, together{way(0, 2), way(1, 2)};
  const auto one = transfer_time(graph, way(0, 2), 1 * GB);
  CHECK(step_time(graph, apart, 1 * GB).in(ms) == Approx(one.in(ms)));
  CHECK((step_time(graph, together, 1 * GB) - way(0, 2).latency).in(ms) == Approx(2 * (one - way(0, 2).latency).in(ms)));
  CHECK(step_time(graph, {}, 1 * GB) == Seconds{});
  CHECK(fair_shares(graph, together)[0] == fair_shares(graph, together)[1]);
}
