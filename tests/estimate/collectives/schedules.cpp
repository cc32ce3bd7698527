// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/collectives/schedule.h"

#include <catch2/catch.hpp>

#include "estimate/collectives/rigs.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

// PCIe 4.0 x16: 16 lanes x 16 GT/s x 128/130 / 8 = 31.51 GB/s; x 256/280 payload x 0.975 flow control = 28.09 GB/s.
constexpr double x16 = 28.087;

struct Bench {
  Catalog catalog = round_catalog();
  RigGraph graph;
  CardGroup group;
  explicit Bench(const Rig& rig, PeerAssumption assumption = PeerAssumption::unknown_is_no)
      : graph{build_graph(rig, catalog)}, group{graph, all_cards(graph), assumption} {}
  double gb_per_s(const std::vector<Schedule>& schedules) const {
    double best = 0;
    for (const auto& schedule : schedules) best = std::max(best, 1e-9 / transfer_cost(group, schedule).seconds_per_byte);
    return best;
  }
};

}  // namespace

TEST_CASE("a ring moves 2(n-1)/n of the message over every card's link") {
  // Four cards with links of their own: 6/4 of the message at 28.09 GB/s.
  const Bench bench{direct("peer", 4)};
  CHECK(bench.gb_per_s(ring_schedules(bench.group, CollectiveOp::all_reduce)) == Approx(x16 / 1.5).epsilon(1e-3));
  CHECK(bench.gb_per_s(ring_schedules(bench.group, CollectiveOp::all_gather)) == Approx(x16 / 0.75).epsilon(1e-3));
  CHECK(transfer_cost(bench.group, ring_schedules(bench.group, CollectiveOp::all_reduce).front()).steps == 6);
}

TEST_CASE("a ring crosses a shared uplink once in each direction, whatever the order of the slots") {
  // Two switches of four cards: the uplinks are as wide as a card's link, so the ring loses nothing.
  const Bench bench{switched("peer", 2, 4)};
  CHECK(bench.gb_per_s(ring_schedules(bench.group, CollectiveOp::all_reduce)) == Approx(x16 / 1.75).epsilon(1e-3));
  // Cards listed in turn below one switch and the other: the searched order is as good.
  const auto catalog = round_catalog();
  auto rig = switched("peer", 2, 4);
  std::swap(rig.nodes.front().cards[1].plug.slot, rig.nodes.front().cards[4].plug.slot);
  std::swap(rig.nodes.front().cards[3].plug.slot, rig.nodes.front().cards[6].plug.slot);
  const Bench mixed{rig};
  CHECK(mixed.gb_per_s(ring_schedules(mixed.group, CollectiveOp::all_reduce)) == Approx(x16 / 1.75).epsilon(1e-3));
}

TEST_CASE("one-shot loads a shared uplink p(n-p) times") {
  // Two switches of four: 4 x 4 flows of the whole message each way over one uplink of 28.09 GB/s.
  const Bench bench{switched("peer", 2, 4)};
  CHECK(bench.gb_per_s(one_shot_schedules(bench.group, CollectiveOp::all_reduce)) == Approx(x16 / 16).epsilon(1e-3));
  // In slots of their own each card receives seven times the message.
  const Bench own{direct("peer", 8)};
  CHECK(own.gb_per_s(one_shot_schedules(own.group, CollectiveOp::all_reduce)) == Approx(x16 / 7).epsilon(1e-3));
}

TEST_CASE("two-shot moves the bytes of a ring in two steps") {
  const Bench bench{direct("peer", 4)};
  const auto schedules = two_shot_schedules(bench.group, CollectiveOp::all_reduce);
  CHECK(bench.gb_per_s(schedules) == Approx(x16 / 1.5).epsilon(1e-3));
  CHECK(transfer_cost(bench.group, schedules.front()).steps == 2);
}

TEST_CASE("the processor link limits a ring over two sockets") {
  // 21 GB/s between the sockets against 28.09 GB/s of the slots.
  const Bench bench{direct("peer", 8, "two")};
  CHECK(bench.gb_per_s(ring_schedules(bench.group, CollectiveOp::all_reduce)) == Approx(21 / 1.75).epsilon(1e-3));
}

TEST_CASE("halving-doubling takes 2 log2 n steps and the bytes of a ring") {
  const Bench bench{direct("peer", 8)};
  const auto schedules = halving_doubling_schedules(bench.group, CollectiveOp::all_reduce);
  CHECK(transfer_cost(bench.group, schedules.front()).steps == 6);
  CHECK(bench.gb_per_s(schedules) == Approx(x16 / 1.75).epsilon(1e-3));
  // Six cards: two hand their data to partners first and get the sum last.
  const Bench six{direct("peer", 6)};
  CHECK(transfer_cost(six.group, halving_doubling_schedules(six.group, CollectiveOp::all_reduce).front()).steps == 6);
}

TEST_CASE("two trees together use both directions of the links") {
  // With many chunks every inner card sends and receives the message about once for each tree half, twice with the way down:
  // 1/2 x (2 up + 2 down) at most; never better than the bound 2(n-1)/n, never worse than a star.
  const Bench bench{direct("peer", 8)};
  const double tree = bench.gb_per_s(double_tree_schedules(bench.group, CollectiveOp::all_reduce));
  CHECK(tree <= x16 / 1.75 * 1.001);
  CHECK(tree > x16 / 14);
}

TEST_CASE("the hub of a star receives n-1 messages and sends as many") {
  const Bench bench{direct("peer", 4)};
  CHECK(bench.gb_per_s(star_schedules(bench.group, CollectiveOp::all_reduce)) == Approx(x16 / 6).epsilon(1e-3));
}

TEST_CASE("hierarchical all-reduce sends 2(k-1)/k of the message over each machine's NIC") {
  // Two machines of four with one 100 Gbit/s NIC: 12.5 GB/s for one message; inside 2 x 3/4 at 28.09 GB/s.
  const Bench bench{networked(direct("peer", 4), 2)};
  const double expected = 1 / (1 / 12.5 + 1.5 / x16);
  CHECK(bench.gb_per_s(hierarchical_schedules(bench.group, CollectiveOp::all_reduce)) == Approx(expected).epsilon(2e-3));
}

TEST_CASE("a switch that sums takes the message once each way") {
  // 18 links of 25 GB/s = 450 GB/s for 1 + 1/8 of the message.
  Rig rig = direct("module", 8);
  const Bench bench{rig};
  CHECK(bench.gb_per_s(in_switch_schedules(bench.group, CollectiveOp::all_reduce)) == Approx(450 / 1.125).epsilon(1e-3));
  const Bench pcie{direct("peer", 8)};
  CHECK(in_switch_schedules(pcie.group, CollectiveOp::all_reduce).empty());
}

TEST_CASE("through the host every card writes and reads the message once") {
  const Bench bench{direct("staged", 4)};
  CHECK(bench.gb_per_s(through_host_schedules(bench.group, CollectiveOp::all_reduce)) == Approx(x16 / 2).epsilon(1e-3));
}

TEST_CASE("no algorithm beats the bounds of latency and bandwidth") {
  // Without sums in the switch each card receives at least 2(n-1)/n of the message.
  for (const int n : {2, 3, 4, 6, 8}) {
    const Bench bench{direct("peer", n)};
    const double one_hop = bench.group.route_between(0, 1).latency.in(us);
    for (const auto& algorithm : collective_algorithms()) {
      INFO(algorithm.name << " with " << n << " cards");
      for (const auto& schedule : algorithm.schedules(bench.group, CollectiveOp::all_reduce)) {
        const auto cost = transfer_cost(bench.group, schedule);
        CHECK(1e-9 / cost.seconds_per_byte <= x16 / (2.0 * (n - 1) / n) * 1.001);
        if (algorithm.name != "through host") CHECK(cost.latency.in(us) >= one_hop * 0.999);
      }
    }
  }
}
