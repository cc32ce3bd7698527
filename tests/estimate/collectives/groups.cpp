// SPDX-License-Identifier: Apache-2.0
// Groups of cards on their rigs: rings, ways to the host, fabrics and what writing to several root ports costs.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "estimate/collectives/rigs.h"
#include "estimate/collectives/write_collapse.h"
#include "estimate/round_calibration.h"
#include "rigplan/estimate/collectives/prepare_fabric.h"
#include "rigplan/estimate/collectives/prepare_links.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

struct Rack {
  Catalog catalog = round_catalog();
  RigGraph graph;
  CardGroup group;
  explicit Rack(const Rig& rig, std::vector<int> cards = {})
      : graph{build_graph(rig, catalog)}, group{graph, cards.empty() ? all_cards(graph) : std::move(cards), {}} {}
  bool next_to_each_other(int a, int b) const {
    const auto& ring = group.ring();
    const auto n = ring.size();
    for (std::size_t i = 0; i < n; ++i)
      if ((ring[i] == a && ring[(i + 1) % n] == b) || (ring[i] == b && ring[(i + 1) % n] == a)) return true;
    return false;
  }
};

constexpr double x16 = 28.087;

}  // namespace

// Four cards of which 0 and 2, 1 and 3 are bridged: a ring in the order of the slots would use no bridge.
TEST_CASE("a ring takes the bridges between cards that are not neighbours by slot") {
  auto rig = direct("paired", 4);
  rig.nodes.front().bridges = {{"bridge", {0, 2}, 0}, {"bridge", {1, 3}, 0}};
  const Rack rack{rig};
  CHECK(rack.next_to_each_other(0, 2));
  CHECK(rack.next_to_each_other(1, 3));
  const Rack plain{direct("paired", 4)};
  CHECK(plain.group.ring() == std::vector{0, 1, 2, 3});
}

TEST_CASE("a ring goes through one machine, socket and switch after the other") {
  auto rig = switched("peer", 2, 4, "two");
  std::swap(rig.nodes.front().cards[1].plug.slot, rig.nodes.front().cards[6].plug.slot);
  const Rack rack{rig};
  // Below the first switch now 0, 6, 2, 3.
  const auto& ring = rack.group.ring();
  const auto below_first = [](int card) { return card == 0 || card == 6 || card == 2 || card == 3; };
  int crossings = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) crossings += below_first(ring[i]) != below_first(ring[(i + 1) % ring.size()]);
  CHECK(crossings == 2);
  const Rack two{networked(direct("peer", 4), 2)};
  CHECK(two.group.machines() == std::vector<std::vector<int>>{{0, 1, 2, 3}, {4, 5, 6, 7}});
  auto order = two.group.ring();
  REQUIRE(order.size() == 8);
  CHECK(std::is_permutation(order.begin(), order.begin() + 4, two.group.machines()[0].begin()));
}

// The second socket's cards reach the first one's memory over the link of 21 GB/s and 0.2 us, and through a second processor,
// 0.45 us.
TEST_CASE("all cards of a machine share the memory of the first one's socket") {
  const Rack rack{direct("staged", 4, "two")};
  for (const bool towards : {true, false}) {
    const auto way = [&](int card) { return towards ? rack.group.route_to_host(card) : rack.group.route_from_host(card); };
    CHECK(bandwidth(rack.graph, way(0)).in(GB_per_s) == Approx(x16).epsilon(1e-3));
    CHECK(bandwidth(rack.graph, way(3)).in(GB_per_s) == Approx(21));
    CHECK((way(3).latency - way(0).latency).in(us) == Approx(0.2 + 0.45));
    CHECK(way(3).hops.size() == way(0).hops.size() + 1);
    CHECK(way(0).latency == way(1).latency);
  }
  // Ways out and in use the two directions of a card's link.
  CHECK(rack.group.route_to_host(0).hops.front().link != rack.group.route_from_host(0).hops.front().link);
  CHECK(rack.group.route_between(host_memory, 3).hops.size() == rack.group.route_from_host(3).hops.size());
  CHECK(rack.group.route_between(3, host_memory).hops.front().link == rack.group.route_to_host(3).hops.front().link);
  // A group of the far cards alone has its memory on their side.
  const Rack far{direct("staged", 4, "two"), {2, 3}};
  CHECK(bandwidth(far.graph, far.group.route_to_host(0)).in(GB_per_s) == Approx(x16).epsilon(1e-3));
}

// Two far cards write two messages over 21 GB/s between the sockets and read two; four cards on one socket whose memory gives 20
// GB/s write four and read four there.
TEST_CASE("through the host the link between sockets carries the far cards' messages, one memory those of all") {
  const auto seconds_per_gb = [](const CardGroup& group) {
    return transfer_cost(group, through_host_schedules(group, CollectiveOp::all_reduce).front()).seconds_per_byte * 1e9;
  };
  CHECK(seconds_per_gb(Rack{direct("staged", 4, "two")}.group) == Approx(4 / 21.0).epsilon(1e-3));
  auto catalog = round_catalog();
  catalog.cpus.entries.front().memory_bandwidth = 20 * GB_per_s;
  const auto graph = build_graph(direct("staged", 4), catalog);
  CHECK(seconds_per_gb(CardGroup{graph, all_cards(graph), {}}) == Approx(8 / 20.0).epsilon(1e-3));
}

TEST_CASE("an empty message takes one way after another: a star two, a broadcast through all a step each") {
  const Rack four{direct("peer", 4)};
  const double way = four.group.route_between(0, 1).latency.in(us);
  const auto latency = [&](const std::vector<Schedule>& schedules) {
    return transfer_cost(four.group, schedules.front()).latency.in(us);
  };
  CHECK(way > 0);
  CHECK(latency(star_schedules(four.group, CollectiveOp::all_reduce)) == Approx(2 * way));
  CHECK(latency(star_schedules(four.group, CollectiveOp::broadcast)) == Approx(way));
  CHECK(latency(halving_doubling_schedules(four.group, CollectiveOp::all_reduce)) == Approx(4 * way));
  CHECK(latency(ring_schedules(four.group, CollectiveOp::all_reduce)) == Approx(6 * way));
  CHECK(latency(ring_schedules(four.group, CollectiveOp::broadcast)) == Approx(3 * way));
  const auto& to_host = four.group.route_to_host(0);
  CHECK(latency(through_host_schedules(four.group, CollectiveOp::all_reduce)) ==
        Approx((to_host.latency + four.group.route_from_host(0).latency).in(us)));
}

TEST_CASE("the root of a broadcast through the host is the first card, which alone writes; of a reduction it alone reads") {
  const Rack four{direct("staged", 4)};
  const auto broadcast = through_host_schedules(four.group, CollectiveOp::broadcast).front();
  CHECK(broadcast.rounds[0].transfers.front().from == 0);
  CHECK(broadcast.rounds[0].transfers.front().to == host_memory);
  const auto reduce = through_host_schedules(four.group, CollectiveOp::reduce).front();
  CHECK(reduce.rounds[1].transfers.front().to == 0);
  CHECK(reduce.rounds[1].transfers.front().from == host_memory);
  const auto all = through_host_schedules(four.group, CollectiveOp::all_reduce).front();
  for (int card = 0; card < 4; ++card) CHECK(all.rounds[0].transfers[static_cast<std::size_t>(card)].from == card);
}

// Measured only where at least two cards below a switch write to cards below at least two other root ports.
TEST_CASE("writes collapse from two sources to two roots on") {
  const Rack six{switched("peer", 3, 2)};
  const auto kept = [&](std::vector<std::pair<int, int>> transfers) { return write_collapse(six.group, transfers); };
  CHECK(kept({{0, 2}}) == 1);
  CHECK(kept({{0, 2}, {0, 4}}) == 1);  // one source
  CHECK(kept({{0, 2}, {1, 3}}) == 1);  // one other root
  CHECK(kept({{0, 2}, {1, 4}}) == 0.1);
  CHECK(kept({{0, 1}, {1, 0}}) == 1);          // below one switch
  CHECK(kept({{0, 1}, {1, 4}, {0, 5}}) == 1);  // the other root alone
  CHECK(kept({{0, 2}, {2, 4}, {4, 0}}) == 1);  // each switch has one source
  const Rack staged{switched("staged", 3, 2)};
  CHECK(write_collapse(staged.group, std::vector<std::pair<int, int>>{{0, 2}, {1, 4}}) == 1);
  const Rack slots{direct("peer", 6)};
  CHECK(write_collapse(slots.group, std::vector<std::pair<int, int>>{{0, 2}, {1, 4}}) == 1);
  // Two such machines: each for itself.
  const Rack two{networked(switched("peer", 3, 2), 2)};
  CHECK(write_collapse(two.group, std::vector<std::pair<int, int>>{{6, 8}, {7, 10}}) == 0.1);
  CHECK(write_collapse(two.group, std::vector<std::pair<int, int>>{{0, 2}, {7, 10}}) == 1);
}

// Hops of one way between two cards: 0.5 of the nominal rate here, and 2 us.
TEST_CASE("a fabric knows the slowest boundary between neighbours in card order") {
  const auto calibration = round_calibration(
      "collectives", {{"link_efficiency", 0.5}, {"hop_low_latency", 2}, {"stack_overhead", 100}, {"stack_floor", 100}});
  const auto fabric_of = [&](const Rig& rig, const std::vector<int>& cards) {
    const auto catalog = round_catalog();
    const auto graph = build_graph(rig, catalog);
    return prepare_fabric(graph, cards, PeerAssumption::unknown_is_no, calibration);
  };
  const auto four = fabric_of(direct("peer", 4), {0, 1, 2, 3});
  CHECK(four.cards == 4);
  CHECK(four.nodes == 1);
  CHECK(four.kind == LinkClass::pcie_peer);
  CHECK(four.hop_bandwidth.in(GB_per_s) == Approx(x16 / 2).epsilon(1e-3));
  CHECK(four.hop_latency.in(us) == Approx(2));
  CHECK(four.all_reduce_latency.in(us) == Approx(6 * 2));
  CHECK(four.all_reduce_bus.in(GB_per_s) == Approx(x16 / 2).epsilon(1e-3));
  // What a stack adds to a call is counted by who asks.
  CHECK(four.library.overhead == 0);
  CHECK(four.library.floor == 0);
  // The third card has four lanes: a quarter of the rate for both of its boundaries.
  auto narrow = direct("peer", 4);
  narrow.nodes.front().cards[2].plug.via = {"riser-x4"};
  CHECK(fabric_of(narrow, {0, 1, 2, 3}).hop_bandwidth.in(GB_per_s) == Approx(x16 / 8).epsilon(1e-3));
  CHECK(fabric_of(narrow, {0, 1, 3}).hop_bandwidth.in(GB_per_s) == Approx(x16 / 2).epsilon(1e-3));
  // In bridged pairs, six cards in an order that leaves no bridge between neighbours, and one that does not cross machines.
  auto bridged = direct("paired", 2);
  bridged.nodes.front().bridges = {{"bridge", {0, 1}, 0}};
  CHECK(fabric_of(bridged, {0, 1}).hop_bandwidth.in(GB_per_s) == Approx(56 / 2.0));
  // Cards of two machines alternately: each boundary crosses the network of 12.5 GB/s.
  const auto apart = networked(direct("peer", 8), 2);
  CHECK(fabric_of(apart, {0, 8, 1, 9, 2, 10}).hop_bandwidth.in(GB_per_s) == Approx(12.5));
  CHECK(fabric_of(apart, {0, 1, 2, 3, 4, 5}).hop_bandwidth.in(GB_per_s) == Approx(x16 / 2).epsilon(1e-3));
  // Twelve machines of two: the boundary between the first two stands for all others.
  CHECK(fabric_of(networked(direct("peer", 2), 12),
                  {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23})
            .hop_bandwidth.in(GB_per_s) == Approx(12.5));
  std::vector<int> forty_eight(48);
  std::iota(forty_eight.begin(), forty_eight.end(), 0);
  CHECK(fabric_of(networked(direct("peer", 4), 12), forty_eight).hop_bandwidth.in(GB_per_s) == Approx(12.5));
  const auto alone = fabric_of(direct("peer", 4), {2});
  CHECK(alone.cards == 1);
  CHECK(alone.kind == LinkClass::none);
  CHECK(alone.hop(1 * GB) == Seconds{});
}

TEST_CASE("machines with fewer NICs or without RDMA decide the network") {
  const auto links_of = [](const Rig& rig, std::vector<int> cards = {}) {
    return prepare_links(Rack{rig, std::move(cards)}.group);
  };
  auto rig = networked(direct("peer", 2), 1, 2);
  rig.nodes.push_back(networked(direct("peer", 2), 1, 1).nodes.front());
  rig.nodes.back().id = "other";
  CHECK(links_of(rig).network.in(GB_per_s) == Approx(12.5));
  CHECK(links_of(rig).transport == "rdma");
  CHECK(links_of(rig).bottleneck == "network of the nodes");
  CHECK(links_of(rig).edge.in(GB_per_s) == Approx(x16).epsilon(1e-3));
  std::swap(rig.nodes.front(), rig.nodes.back());
  CHECK(links_of(rig).network.in(GB_per_s) == Approx(12.5));
  // One card in each machine: the network alone joins them, and the first card's chip stands for all.
  auto mixed = networked(direct("peer", 1), 1);
  mixed.nodes.push_back(networked(direct("paired", 1), 1).nodes.front());
  mixed.nodes.back().id = "other";
  const auto apart = links_of(mixed);
  CHECK(apart.kind == LinkClass::network_rdma);
  CHECK(apart.architecture == "sm_90");
  CHECK(apart.edge == Bandwidth{});
  mixed.network->rdma = false;
  CHECK(links_of(mixed).kind == LinkClass::network_tcp);
  CHECK(links_of(mixed).transport == "tcp");
  // Switches that carry a quarter of what two machines send together leave each an eighth of 25 GB/s.
  auto narrow = networked(direct("peer", 2), 2);
  narrow.network->oversubscription = 4;
  CHECK(links_of(narrow).network.in(GB_per_s) == Approx(3.125));
  narrow.network->oversubscription = 1;
  CHECK(links_of(narrow).network.in(GB_per_s) == Approx(12.5));
  // Four NICs of 12.5 GB/s are more than the slots of the cards.
  CHECK(links_of(networked(direct("peer", 4), 2, 4)).network.in(GB_per_s) == Approx(50));
  CHECK(links_of(networked(direct("peer", 4), 2, 4)).bottleneck != "network of the nodes");
}

// Sockets joined at 21 GB/s, cards at 28, NICs at 25 together: the link between the sockets is the slowest.
TEST_CASE("a network between what sockets and what cards carry does not limit") {
  CHECK(prepare_links(Rack{networked(direct("peer", 4, "two"), 2, 2)}.group).bottleneck != "network of the nodes");
  CHECK(prepare_links(Rack{networked(direct("peer", 4, "two"), 2, 1)}.group).bottleneck == "network of the nodes");
  CHECK(prepare_links(Rack{networked(direct("peer", 4), 2, 2)}.group).bottleneck == "network of the nodes");
}

// Three machines of four: 2 x 2/3 of the message over each NIC, 2 x 3/4 inside.
TEST_CASE("three machines pass parts round") {
  const Rack three{networked(direct("peer", 4), 3)};
  const auto schedules = hierarchical_schedules(three.group, CollectiveOp::all_reduce);
  REQUIRE(schedules.size() == 1);
  CHECK(transfer_cost(three.group, schedules.front()).seconds_per_byte * 1e9 == Approx(4 / 3.0 / 12.5 + 1.5 / x16).epsilon(2e-3));
  CHECK(transfer_cost(three.group, schedules.front()).steps == 3 + 4 + 3);
}

TEST_CASE("machines of two cards are levels as well, machines of unequal size are not") {
  const Rack pairs{networked(direct("peer", 2), 2)};
  CHECK(hierarchical_schedules(pairs.group, CollectiveOp::all_reduce).size() == 1);
  CHECK(hierarchical_schedules(Rack{networked(direct("peer", 4), 2), {0, 1, 2, 4, 5}}.group, CollectiveOp::all_reduce).empty());
}

TEST_CASE("cards of the second machine reach its own memory as those of the first do theirs") {
  const Rack two{networked(direct("staged", 4, "two"), 2)};
  for (int card = 0; card < 4; ++card) {
    CHECK(two.group.route_to_host(card + 4).latency == two.group.route_to_host(card).latency);
    CHECK(two.group.route_to_host(card + 4).hops.size() == two.group.route_to_host(card).hops.size());
  }
}

TEST_CASE("the weakest machine decides the links inside") {
  auto rig = networked(direct("peer", 2), 1);
  auto narrow = networked(direct("peer", 2), 1).nodes.front();
  narrow.id = "narrow";
  narrow.cards[1].plug.via = {"riser-x4"};
  rig.nodes.push_back(narrow);
  CHECK(prepare_links(Rack{rig}.group).edge.in(GB_per_s) == Approx(x16 / 4).epsilon(1e-3));
  std::swap(rig.nodes.front(), rig.nodes.back());
  CHECK(prepare_links(Rack{rig}.group).edge.in(GB_per_s) == Approx(x16 / 4).epsilon(1e-3));
}

// The second of four cards on like wires refuses peers: its two hops are staged, the other two are not.
TEST_CASE("of hops that are equally wide the one through the host gives a ring its kind") {
  auto rig = direct("peer", 4);
  rig.nodes.front().cards[1].peer_over_pcie = PeerOverPcie::no;
  CHECK(prepare_links(Rack{rig}.group).kind == LinkClass::pcie_staged);
  CHECK(prepare_links(Rack{rig}.group).edge.in(GB_per_s) == Approx(x16).epsilon(1e-3));
  // Pairs on bridges of 56 GB/s: the ways between them, through the host, are the slower hops.
  auto pairs = direct("paired", 4);
  pairs.nodes.front().bridges = {{"bridge", {0, 1}, 0}, {"bridge", {2, 3}, 0}};
  CHECK(prepare_links(Rack{pairs}.group).kind == LinkClass::pcie_staged);
  CHECK(prepare_links(Rack{pairs, {0, 1}}.group).kind == LinkClass::nvlink);
  CHECK(prepare_links(Rack{pairs, {0, 1}}.group).edge.in(GB_per_s) == Approx(56));
}

// Halves there and back: one message over each card's link in two steps.
TEST_CASE("two cards halve and double, too") {
  const Rack two{direct("peer", 2)};
  const auto schedules = halving_doubling_schedules(two.group, CollectiveOp::all_reduce);
  REQUIRE(schedules.size() == 1);
  CHECK(transfer_cost(two.group, schedules.front()).steps == 2);
  CHECK(1e-9 / transfer_cost(two.group, schedules.front()).seconds_per_byte == Approx(x16).epsilon(1e-3));
}

// What each card sends and receives in one phase, as shares of the message.
TEST_CASE("every card takes its part in an exchange, in a tree and in a sum") {
  for (const int n : {2, 3, 5, 8}) {
    CAPTURE(n);
    const Rack rack{direct("peer", n)};
    const auto sums = [&](const std::vector<Round>& rounds) {
      std::vector<double> sent(static_cast<std::size_t>(n)), received(static_cast<std::size_t>(n));
      for (const auto& round : rounds)
        for (const auto& transfer : round.transfers) {
          sent[static_cast<std::size_t>(transfer.from)] += transfer.share;
          received[static_cast<std::size_t>(transfer.to)] += transfer.share;
        }
      return std::pair{sent, received};
    };
    const auto part = static_cast<double>(n - 1);
    for (const auto op : {CollectiveOp::all_reduce, CollectiveOp::reduce_scatter}) {
      const auto [sent, received] = sums(two_shot_schedules(rack.group, op).front().rounds);
      for (const double share : sent) CHECK(share == Approx(part / n));
      for (const double share : received) CHECK(share == Approx(part / n));
    }
    const auto [sent, received] = sums(one_shot_schedules(rack.group, CollectiveOp::all_reduce).front().rounds);
    for (const double share : sent) CHECK(share == Approx(part));
    for (const double share : received) CHECK(share == Approx(part));
    CHECK(through_host_schedules(rack.group, CollectiveOp::all_reduce).front().rounds[0].transfers.size() ==
          static_cast<std::size_t>(n));
    // Each edge of a chain carries the message once, in however many chunks.
    for (const auto& schedule : ring_schedules(rack.group, CollectiveOp::broadcast)) {
      double all = 0;
      for (const double share : sums(schedule.rounds).first) all += share;
      CHECK(all == Approx(part));
    }
    if (n < 3) continue;
    // In a reduction each card but the root of each tree sends its half once, and all of the message arrives there.
    for (const auto& schedule : double_tree_schedules(rack.group, CollectiveOp::reduce)) {
      const auto [up, down] = sums(schedule.rounds);
      double all = 0;
      for (const double share : up) {
        all += share;
        CHECK((share == Approx(1) || share == Approx(0.5)));
      }
      CHECK(all == Approx(part));
    }
  }
}

TEST_CASE("lanes of the third generation and before make an old host") {
  const auto old = [](int generation) {
    const auto catalog = round_catalog({generation, 16});
    const auto graph = build_graph(direct("peer", 2), catalog);
    return prepare_links(CardGroup{graph, {0, 1}, {}}).old_host;
  };
  CHECK(old(2));
  CHECK(old(3));
  CHECK_FALSE(old(4));
  CHECK_FALSE(old(5));
  CHECK_FALSE(prepare_links(Rack{direct("module", 2)}.group).old_host);  // joined by other links
}
