// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/collectives/prepare_links.h"

#include <catch2/catch.hpp>
#include <chrono>

#include "estimate/collectives/rigs.h"
#include "rigplan/estimate/collectives/prepare_fabric.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

GroupLinks links_of(const Rig& rig, PeerAssumption assumption = PeerAssumption::unknown_is_no) {
  static const auto catalog = round_catalog();
  const auto graph = build_graph(rig, catalog);
  return prepare_links(CardGroup{graph, all_cards(graph), assumption});
}

}  // namespace

TEST_CASE("the slowest hop of the ring is found and named") {
  auto rig = direct("peer", 4);
  rig.nodes.front().cards[2].plug.via = {"riser-x4"};
  const auto links = links_of(rig);
  CHECK(links.kind == LinkClass::pcie_peer);
  CHECK(links.edge.in(GB_per_s) == Approx(28.09 / 4).epsilon(1e-3));
  CHECK_THAT(links.bottleneck, Catch::Contains("PCIE3"));
}

TEST_CASE("cards that refuse peers stage through the host") {
  CHECK(links_of(direct("staged", 2)).kind == LinkClass::pcie_staged);
  CHECK(links_of(direct("staged", 2), PeerAssumption::always_yes).kind == LinkClass::pcie_peer);
}

TEST_CASE("the processor link stands apart, since its rate is a measured one") {
  const auto links = links_of(direct("peer", 8, "two"));
  CHECK(links.edge.in(GB_per_s) == Approx(28.09).epsilon(1e-3));
  CHECK(links.edge_limit.in(GB_per_s) == Approx(21));
  // All pairs: 16 flows each way over 21 GB/s, seven of them from each card.
  CHECK(links.exchange.in(GB_per_s) == Approx(7 * 21.0 / 16).epsilon(1e-3));
}

TEST_CASE("writes of one switch to several root ports collapse; a ring that leaves each switch once does not") {
  // Two switches of four: one other root port. 16 flows over an uplink of 28.09 GB/s, 7 from each card.
  const auto two = links_of(switched("peer", 2, 4));
  CHECK(two.exchange.in(GB_per_s) == Approx(7 * 28.09 / 16).epsilon(1e-3));
  // Four switches of four: three other root ports. 48 flows over an uplink, 15 from each card, and a tenth of that is left.
  const auto four = links_of(switched("peer", 4, 4));
  CHECK(four.exchange.in(GB_per_s) == Approx(0.1 * 15 * 28.09 / 48).epsilon(1e-3));
  CHECK(four.edge.in(GB_per_s) == Approx(28.09).epsilon(1e-3));
  CHECK_THAT(four.bottleneck, !Catch::Contains("collapse"));
  // Staged through the host nothing is written to a peer.
  CHECK(links_of(switched("staged", 4, 4)).exchange.in(GB_per_s) > 10 * 0.1);
}

TEST_CASE("a full mesh uses all links of a card at once") {
  const auto links = links_of(direct("mesh", 8));
  CHECK(links.kind == LinkClass::xgmi);
  CHECK(links.edge.in(GB_per_s) == Approx(7 * 64));
}

TEST_CASE("NVSwitch cards have their full rate for one peer and can sum in the switch") {
  const auto links = links_of(direct("module", 8));
  CHECK(links.kind == LinkClass::nvswitch);
  CHECK(links.edge.in(GB_per_s) == Approx(450));
  CHECK(links.in_switch_reduction);
}

TEST_CASE("machines meet over their NICs") {
  const auto links = links_of(networked(direct("peer", 4), 2, 2));
  CHECK(links.nodes == 2);
  CHECK(links.network.in(GB_per_s) == Approx(25));
  CHECK(links.transport == "rdma");
}

TEST_CASE("1,024 cards in 128 machines are prepared in under a second", "[slow]") {
  const auto catalog = round_catalog();
  const auto graph = build_graph(networked(direct("peer", 8), 128, 8), catalog);
  const auto calibration = built_in_calibration("collectives");
  const auto start = std::chrono::steady_clock::now();
  const auto fabric = prepare_fabric(graph, all_cards(graph), PeerAssumption::unknown_is_no, calibration);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  CHECK(fabric.nodes == 128);
  CHECK(fabric.all_reduce_bus > Bandwidth{});
#ifdef NDEBUG
  CHECK(took.count() < 1);
#else
  CHECK(took.count() < 10);
#endif
}
