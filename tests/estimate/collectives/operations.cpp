// SPDX-License-Identifier: Apache-2.0
// Each algorithm for the operations beside all-reduce, and the sizes of groups at which it stops.
#include <catch2/catch.hpp>

#include "estimate/collectives/rigs.h"
#include "rigplan/estimate/collectives/schedule.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

constexpr double x16 = 28.087;  ///< GB/s of PCIe 4.0 x16, as in schedules.cpp

struct Table {
  Catalog catalog = round_catalog();
  RigGraph graph;
  CardGroup group;
  explicit Table(const Rig& rig) : graph{build_graph(rig, catalog)}, group{graph, all_cards(graph), {}} {}
  /// What of the message a second of a card's link moves, by the best of these schedules; 0: none.
  double messages(const std::vector<Schedule>& schedules) const {
    double best = 0;
    for (const auto& schedule : schedules) best = std::max(best, 1e-9 / transfer_cost(group, schedule).seconds_per_byte / x16);
    return best;
  }
  int steps(const std::vector<Schedule>& schedules) const { return transfer_cost(group, schedules.front()).steps; }
};

}  // namespace

// Four cards: three edges, so one chunk takes three turns of the whole message, four chunks 6/4 and sixteen 18/16.
TEST_CASE("a message runs along the ring in chunks, from the root and to the root") {
  const Table four{direct("peer", 4)};
  for (const auto op : {CollectiveOp::broadcast, CollectiveOp::reduce}) {
    const auto schedules = ring_schedules(four.group, op);
    REQUIRE(schedules.size() == 3);
    CHECK(four.messages({schedules[0]}) == Approx(1 / 3.0).epsilon(1e-3));
    CHECK(four.messages({schedules[1]}) == Approx(4 / 6.0).epsilon(1e-3));
    CHECK(four.messages({schedules[2]}) == Approx(16 / 18.0).epsilon(1e-3));
    CHECK(transfer_cost(four.group, schedules[2]).steps == 18);
  }
  // The first edge of a broadcast begins at the front of the ring, that of a reduction at its end.
  const auto first = ring_schedules(four.group, CollectiveOp::broadcast)[0].rounds.front().transfers.front();
  CHECK(first.from == four.group.ring().front());
  CHECK(ring_schedules(four.group, CollectiveOp::reduce)[0].rounds.back().transfers.front().to == four.group.ring().front());
  CHECK(four.messages(ring_schedules(four.group, CollectiveOp::reduce_scatter)) == Approx(4 / 3.0).epsilon(1e-3));
  CHECK(four.steps(ring_schedules(four.group, CollectiveOp::reduce_scatter)) == 3);
  CHECK(ring_schedules(four.group, CollectiveOp::all_to_all).empty());
}

TEST_CASE("the root of a star moves n-1 messages once, and the hub of an all-reduce is sought among up to sixteen cards") {
  const Table four{direct("peer", 4)};
  CHECK(four.messages(star_schedules(four.group, CollectiveOp::broadcast)) == Approx(1 / 3.0).epsilon(1e-3));
  CHECK(four.messages(star_schedules(four.group, CollectiveOp::reduce)) == Approx(1 / 3.0).epsilon(1e-3));
  CHECK(star_schedules(four.group, CollectiveOp::broadcast).size() == 1);
  CHECK(star_schedules(four.group, CollectiveOp::all_reduce).size() == 4);
  CHECK(star_schedules(four.group, CollectiveOp::all_gather).empty());
  const Table sixteen{switched("peer", 4, 4)}, twenty{switched("peer", 4, 5)};
  CHECK(star_schedules(sixteen.group, CollectiveOp::all_reduce).size() == 16);
  CHECK(star_schedules(twenty.group, CollectiveOp::all_reduce).size() == 1);
  const Table two{direct("peer", 2)};
  CHECK(two.messages(star_schedules(two.group, CollectiveOp::all_reduce)) == Approx(1 / 2.0).epsilon(1e-3));
}

TEST_CASE("in one shot each pair moves its part at once") {
  const Table four{direct("peer", 4)};
  const auto messages = [&](CollectiveOp op) { return four.messages(one_shot_schedules(four.group, op)); };
  CHECK(messages(CollectiveOp::send_receive) == Approx(1).epsilon(1e-3));
  CHECK(messages(CollectiveOp::broadcast) == Approx(1 / 3.0).epsilon(1e-3));
  CHECK(messages(CollectiveOp::all_gather) == Approx(4 / 3.0).epsilon(1e-3));
  CHECK(messages(CollectiveOp::all_to_all) == Approx(4 / 3.0).epsilon(1e-3));
  CHECK(messages(CollectiveOp::reduce) == 0);
  CHECK(messages(CollectiveOp::reduce_scatter) == 0);
  CHECK(four.steps(one_shot_schedules(four.group, CollectiveOp::all_reduce)) == 1);
  CHECK(four.messages(two_shot_schedules(four.group, CollectiveOp::reduce_scatter)) == Approx(4 / 3.0).epsilon(1e-3));
  CHECK(four.steps(two_shot_schedules(four.group, CollectiveOp::reduce_scatter)) == 1);
  CHECK(two_shot_schedules(four.group, CollectiveOp::broadcast).empty());
}

TEST_CASE("direct exchanges end at 64 cards, halving at 1,024") {
  const Table most{networked(direct("peer", 8), 8)}, more{networked(direct("peer", 5), 13)};  // 64 and 65
  CHECK(one_shot_schedules(most.group, CollectiveOp::all_reduce).size() == 1);
  CHECK(two_shot_schedules(most.group, CollectiveOp::all_reduce).size() == 1);
  CHECK(star_schedules(most.group, CollectiveOp::all_reduce).size() == 1);
  CHECK(double_tree_schedules(most.group, CollectiveOp::all_reduce).size() == 3);
  CHECK(one_shot_schedules(more.group, CollectiveOp::all_reduce).empty());
  CHECK(two_shot_schedules(more.group, CollectiveOp::all_reduce).empty());
  CHECK(star_schedules(more.group, CollectiveOp::all_reduce).empty());
  CHECK(double_tree_schedules(more.group, CollectiveOp::all_reduce).empty());
  CHECK_FALSE(halving_doubling_schedules(more.group, CollectiveOp::all_reduce).empty());
}

// Eight cards: halves, quarters and eighths one way, 7/8 of the message in three steps.
TEST_CASE("halving alone scatters, doubling alone gathers, for powers of two only") {
  const Table eight{direct("peer", 8)}, six{direct("peer", 6)};
  for (const auto op : {CollectiveOp::reduce_scatter, CollectiveOp::all_gather}) {
    CHECK(eight.messages(halving_doubling_schedules(eight.group, op)) == Approx(8 / 7.0).epsilon(1e-3));
    CHECK(eight.steps(halving_doubling_schedules(eight.group, op)) == 3);
    CHECK(halving_doubling_schedules(six.group, op).empty());
  }
  // The first step of a scatter moves half of the message over half of the ring; the first of a gather an eighth to the next.
  const auto scatter = halving_doubling_schedules(eight.group, CollectiveOp::reduce_scatter).front().rounds.front();
  CHECK(scatter.transfers.front().share == 0.5);
  CHECK(scatter.transfers.front().to == eight.group.ring()[4]);
  const auto gather = halving_doubling_schedules(eight.group, CollectiveOp::all_gather).front().rounds.front();
  CHECK(gather.transfers.front().share == 0.125);
  CHECK(gather.transfers.front().to == eight.group.ring()[1]);
  // Six cards hand two whole messages over, work on four, and hand two back: 1 + 3/2 + 1.
  CHECK(six.messages(halving_doubling_schedules(six.group, CollectiveOp::all_reduce)) == Approx(1 / 3.5).epsilon(0.3));
}

TEST_CASE("trees need three cards; one way takes half of the turns of both") {
  const Table two{direct("peer", 2)}, seven{direct("peer", 7)};
  CHECK(double_tree_schedules(two.group, CollectiveOp::all_reduce).empty());
  CHECK(double_tree_schedules(seven.group, CollectiveOp::all_gather).empty());
  // The in-order tree of seven has the depth 2: two rounds up, two down, for a single chunk.
  CHECK(seven.steps(double_tree_schedules(seven.group, CollectiveOp::all_reduce)) == 4);
  CHECK(seven.steps(double_tree_schedules(seven.group, CollectiveOp::broadcast)) == 2);
  CHECK(seven.steps(double_tree_schedules(seven.group, CollectiveOp::reduce)) == 2);
  const auto chunks = double_tree_schedules(seven.group, CollectiveOp::reduce);
  CHECK(chunks[1].rounds.size() == 2 + 3);
  CHECK(chunks[2].rounds.size() == 2 + 15);
  // Each of six cards sends a half in each of the two trees, in halves of a chunk's share.
  double moved = 0;
  for (const auto& round : chunks[1].rounds)
    for (const auto& transfer : round.transfers) moved += transfer.share;
  CHECK(moved == Approx(6));
}

TEST_CASE("through the host a gather writes parts and reads all, a scatter the reverse, a root does its part alone") {
  const Table four{direct("staged", 4)};
  const auto messages = [&](CollectiveOp op) { return four.messages(through_host_schedules(four.group, op)); };
  CHECK(messages(CollectiveOp::all_gather) == Approx(1 / 1.25).epsilon(1e-3));
  CHECK(messages(CollectiveOp::reduce_scatter) == Approx(1 / 1.25).epsilon(1e-3));
  CHECK(messages(CollectiveOp::broadcast) == Approx(1 / 2.0).epsilon(1e-3));
  CHECK(messages(CollectiveOp::reduce) == Approx(1 / 2.0).epsilon(1e-3));
  CHECK(through_host_schedules(four.group, CollectiveOp::broadcast).front().rounds[0].transfers.size() == 1);
  CHECK(through_host_schedules(four.group, CollectiveOp::broadcast).front().rounds[1].transfers.size() == 4);
  CHECK(through_host_schedules(four.group, CollectiveOp::reduce).front().rounds[0].transfers.size() == 4);
  CHECK(through_host_schedules(four.group, CollectiveOp::reduce).front().rounds[1].transfers.size() == 1);
  CHECK(through_host_schedules(four.group, CollectiveOp::send_receive).empty());
  const Table apart{networked(direct("peer", 2), 2)};
  CHECK(through_host_schedules(apart.group, CollectiveOp::all_reduce).empty());
}

// Two machines of four with a NIC of 12.5 GB/s: a gather sends a half of the message over it and 3/4 inside.
TEST_CASE("over machines a gather and a scatter cross the network with one part for each position") {
  const Table apart{networked(direct("peer", 4), 2)};
  const double expected = 1 / (0.5 / 12.5 + 0.75 / x16) / x16;
  CHECK(apart.messages(hierarchical_schedules(apart.group, CollectiveOp::all_gather)) == Approx(expected).epsilon(2e-3));
  CHECK(apart.messages(hierarchical_schedules(apart.group, CollectiveOp::reduce_scatter)) == Approx(expected).epsilon(2e-3));
  CHECK(hierarchical_schedules(apart.group, CollectiveOp::broadcast).empty());
  const Table together{direct("peer", 4)}, single{networked(direct("peer", 1), 4)};
  CHECK(hierarchical_schedules(together.group, CollectiveOp::all_reduce).empty());
  CHECK(hierarchical_schedules(single.group, CollectiveOp::all_reduce).empty());
}

TEST_CASE("a switch sums for three cards and more") {
  const Table two{direct("module", 2)}, three{direct("module", 3)};
  CHECK(in_switch_schedules(two.group, CollectiveOp::all_reduce).empty());
  REQUIRE(in_switch_schedules(three.group, CollectiveOp::all_reduce).size() == 1);
  CHECK(in_switch_schedules(three.group, CollectiveOp::all_reduce).front().switched_share == Approx(4 / 3.0));
  CHECK(in_switch_schedules(three.group, CollectiveOp::all_gather).empty());
}

TEST_CASE("the busiest link of a schedule is the narrowest that it uses") {
  auto rig = direct("peer", 4);
  rig.nodes.front().cards[2].plug.via = {"riser-x4"};
  const Table table{rig};
  const auto cost = transfer_cost(table.group, ring_schedules(table.group, CollectiveOp::all_reduce).front());
  REQUIRE(cost.bottleneck >= 0);
  CHECK_THAT(table.graph.link_name(cost.bottleneck), Catch::Contains("PCIE3"));
  CHECK(cost.seconds_per_byte == Approx(4 * 1.5 / (x16 * 1e9)).epsilon(1e-3));
  // A message of 1 MB takes its latencies and its time on that link.
  CHECK(cost.time(1 * MB).in(us) == Approx(cost.latency.in(us) + 4 * 1.5 / x16 * 1e3).epsilon(1e-3));
}

TEST_CASE("operations are found by several spellings, and have their share and steps on a ring") {
  CHECK(collective_from_text("all_reduce") == CollectiveOp::all_reduce);
  CHECK(collective_from_text("sendrecv") == CollectiveOp::send_receive);
  CHECK_FALSE(collective_from_text("sum"));
  CHECK(ring_share(CollectiveOp::all_reduce, 4) == Approx(1.5));
  CHECK(ring_share(CollectiveOp::all_to_all, 4) == Approx(0.75));
  CHECK(ring_share(CollectiveOp::broadcast, 4) == 1);
  CHECK(ring_share(CollectiveOp::all_reduce, 1) == 0);
  CHECK(ring_share(CollectiveOp::all_reduce, 2) == 1);
  CHECK(ring_steps(CollectiveOp::all_reduce, 4) == 6);
  CHECK(ring_steps(CollectiveOp::all_gather, 4) == 3);
  CHECK(ring_steps(CollectiveOp::send_receive, 4) == 1);
  CHECK(ring_steps(CollectiveOp::all_reduce, 1) == 0);
}
