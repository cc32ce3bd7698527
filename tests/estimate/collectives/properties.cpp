// SPDX-License-Identifier: Apache-2.0
#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>
#include <cmath>

#include "estimate/collectives/rigs.h"
#include "rigplan/estimate/collectives/prepare_fabric.h"
#include "rigplan/estimate/collectives/prepare_links.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

const Catalog& catalog() {
  static const auto one = round_catalog();
  return one;
}
const Calibration& calibration() {
  static const auto one = built_in_calibration("collectives");
  return one;
}

/// Two to eight cards in slots of their own, below switches, or on two sockets.
Rig any_rig() {
  const auto gpu = *rc::gen::element<std::string>("peer", "staged", "module", "mesh");
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      return direct(gpu, *rc::gen::inRange(2, 9));
    case 1:
      return direct(gpu, *rc::gen::inRange(2, 9), "two");
    default:
      return switched(gpu, 2, *rc::gen::inRange(1, 5), *rc::gen::element<std::string>("one", "two"));
  }
}

CollectiveOp any_op() { return static_cast<CollectiveOp>(*rc::gen::inRange(0, collective_ops)); }
Bytes any_size() { return std::pow(2, *rc::gen::inRange(0, 34)) * byte; }

Seconds library_time(const Rig& rig, CollectiveOp op, Bytes size, PeerAssumption assumption = PeerAssumption::unknown_is_no) {
  const auto graph = build_graph(rig, catalog());
  const CardGroup group{graph, all_cards(graph), assumption};
  return prepare_on_cards(prepare_links(group), calibration(), "nccl_tests").time(op, size).time;
}

Seconds wire_time(const Rig& rig, CollectiveOp op, Bytes size, PeerAssumption assumption = PeerAssumption::unknown_is_no) {
  const auto graph = build_graph(rig, catalog());
  const CardGroup group{graph, all_cards(graph), assumption};
  Seconds best{1e30};
  for (const auto& algorithm : collective_algorithms()) {
    for (const auto& schedule : algorithm.schedules(group, op)) best = std::min(best, transfer_cost(group, schedule).time(size));
  }
  return best;
}

void set_links(Rig& rig, PcieLink link) {
  for (auto& card : rig.nodes.front().cards) card.trained = link;
}

}  // namespace

TEST_CASE("more lanes or a faster generation never slow a collective", "[slow]") {
  rc::prop("wider is not slower", [] {
    auto narrow = any_rig();
    auto wide = narrow;
    const int lanes = *rc::gen::element(1, 2, 4, 8), generation = *rc::gen::inRange(1, 4);
    set_links(narrow, {generation, lanes});
    set_links(wide, *rc::gen::arbitrary<bool>() ? PcieLink{generation, 2 * lanes} : PcieLink{generation + 1, lanes});
    const auto op = any_op();
    const auto size = any_size();
    RC_ASSERT(wire_time(wide, op, size) <= 1.000001 * wire_time(narrow, op, size));
    RC_ASSERT(library_time(wide, op, size) <= 1.000001 * library_time(narrow, op, size));
  });
}

TEST_CASE("renumbering the cards changes nothing", "[slow]") {
  rc::prop("the order of the list does not matter", [] {
    auto rig = any_rig();
    auto shuffled = rig;
    auto& cards = shuffled.nodes.front().cards;
    // Small groups only: beyond, the search for a ring may end at another of several good orders.
    RC_PRE(cards.size() <= 8U);
    for (std::size_t i = 1; i < cards.size(); ++i)
      std::swap(cards[i], cards[static_cast<std::size_t>(*rc::gen::inRange<int>(0, static_cast<int>(i) + 1))]);
    const auto size = any_size();
    const auto op = *rc::gen::element(CollectiveOp::all_reduce, CollectiveOp::all_gather, CollectiveOp::all_to_all);
    const double ratio = library_time(shuffled, op, size) / library_time(rig, op, size);
    RC_ASSERT(ratio > 0.999999 && ratio < 1.000001);
  });
}

TEST_CASE("removing peer-to-peer access never helps", "[slow]") {
  rc::prop("staging is not faster", [] {
    const auto rig = any_rig();
    const auto op = any_op();
    const auto size = any_size();
    RC_ASSERT(wire_time(rig, op, size, PeerAssumption::always_no) >=
              0.999999 * wire_time(rig, op, size, PeerAssumption::always_yes));
    RC_ASSERT(library_time(rig, op, size, PeerAssumption::always_no) >=
              0.999999 * library_time(rig, op, size, PeerAssumption::always_yes));
  });
}

TEST_CASE("an added fabric of direct links never slows a collective", "[slow]") {
  rc::prop("modules on a switch against the same cards on PCIe", [] {
    const int n = *rc::gen::inRange(2, 9);
    const auto op = any_op();
    const auto size = any_size();
    RC_ASSERT(wire_time(direct("module", n), op, size) <= 1.000001 * wire_time(direct("peer", n), op, size));
    RC_ASSERT(wire_time(direct("mesh", n), op, size) <= 1.000001 * wire_time(direct("peer", n), op, size));
  });
}

TEST_CASE("an added bridge never slows a collective", "[slow]") {
  rc::prop("pairs with and without their bridges", [] {
    const int n = 2 * *rc::gen::inRange(1, 5);
    auto bridged = direct("paired", n);
    const int bridges = *rc::gen::inRange(1, n / 2 + 1);
    for (int i = 0; i < bridges; ++i) bridged.nodes.front().bridges.push_back({"bridge", {2 * i, 2 * i + 1}, 0});
    const auto op = any_op();
    const auto size = any_size();
    const auto assumption = *rc::gen::element(PeerAssumption::always_no, PeerAssumption::always_yes);
    RC_ASSERT(wire_time(bridged, op, size, assumption) <= 1.000001 * wire_time(direct("paired", n), op, size, assumption));
    RC_ASSERT(library_time(bridged, op, size, assumption) <= 1.000001 * library_time(direct("paired", n), op, size, assumption));
  });
}

TEST_CASE("no time beats one way's latency or what a card's links carry", "[slow]") {
  rc::prop("bounds of latency and bandwidth", [] {
    const auto rig = any_rig();
    const auto graph = build_graph(rig, catalog());
    const CardGroup group{graph, all_cards(graph), PeerAssumption::unknown_is_no};
    Seconds nearest{1e9};
    Bandwidth widest;
    for (int a = 0; a < group.size(); ++a) {
      const auto& node = graph.node(0);
      const auto device = static_cast<std::size_t>(node.cards[static_cast<std::size_t>(a)]);
      auto out = node.links[static_cast<std::size_t>(node.upward[device])].bandwidth;
      for (const auto id : node.peer_out[device]) out += node.links[static_cast<std::size_t>(id)].bandwidth;
      widest = std::max(widest, out);
      for (int b = 0; b < group.size(); ++b)
        if (a != b) nearest = std::min(nearest, group.route_between(a, b).latency);
    }
    // Every card must send its (n-1)/n of an exchange, at the latest over all links that it has.
    const int n = group.size();
    const auto size = any_size();
    const auto op = *rc::gen::element(CollectiveOp::all_reduce, CollectiveOp::all_gather, CollectiveOp::all_to_all);
    const auto least = static_cast<double>(n - 1) / n * size / widest;
    for (const auto time : {wire_time(rig, op, size), library_time(rig, op, size)}) {
      RC_ASSERT(time >= 0.999999 * nearest);
      RC_ASSERT(time >= 0.999999 * least);
    }
  });
}

TEST_CASE("what a library takes never beats the wires", "[slow]") {
  rc::prop("library time is above the bound of bandwidth", [] {
    const auto rig = any_rig();
    const auto graph = build_graph(rig, catalog());
    const CardGroup group{graph, all_cards(graph), PeerAssumption::unknown_is_no};
    const auto links = prepare_links(group);
    const auto size = any_size();
    // A switch that sums needs S(1 + 1/n) each way instead of 2(n-1)/n S.
    const double share = links.in_switch_reduction ? 1 : ring_share(CollectiveOp::all_reduce, links.cards);
    const auto bound = share * size / links.edge;
    RC_ASSERT(prepare_library(links, calibration(), "nccl_tests").time(CollectiveOp::all_reduce, size).time >= bound);
  });
}
