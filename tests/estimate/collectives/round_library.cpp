// SPDX-License-Identifier: Apache-2.0
// Collectives with round constants: what a library takes, and what each algorithm would.
#include <catch2/catch.hpp>
#include <cmath>

#include "estimate/collectives/rigs.h"
#include "estimate/round_calibration.h"
#include "rigplan/estimate/collectives/algorithm_time.h"
#include "rigplan/estimate/collectives/copy_time.h"
#include "rigplan/estimate/collectives/prepare_fabric.h"
#include "rigplan/estimate/collectives/prepare_links.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

/// Ramps of 1: start and bytes simply add up. Shares are halves, quarters and the like.
Calibration constants(std::map<std::string, double> changed = {}) {
  std::map<std::string, double> values{{"link_efficiency", 0.5},
                                       {"stack_efficiency", 0.8},
                                       {"two_cards_both_ways", 0.7},
                                       {"two_cards_one_way", 0.9},
                                       {"old_host_both_ways", 0.6},
                                       {"other_operations", 0.5},
                                       {"hop_low_latency", 3},
                                       {"hop_bulk", 5},
                                       {"architecture_latency", 2},
                                       {"low_latency_share", 0.25},
                                       {"bulk_start", 7},
                                       {"exchange_steps", 4},
                                       {"in_switch_latency", 20},
                                       {"in_switch_efficiency", 0.5},
                                       {"network_efficiency", 0.5},
                                       {"network_hop", 9},
                                       {"network_low_latency_share", 0.25},
                                       {"network_bulk_latency", 1.5},
                                       {"stack_overhead", 2},
                                       {"architecture_overhead", 3},
                                       {"stack_floor", 0},
                                       {"push_efficiency", 0.5},
                                       {"push_start", 11},
                                       {"copy_start", 13},
                                       {"copy_efficiency", 0.4}};
  changed.merge(values);
  return round_calibration("collectives", changed);
}

GroupLinks round_links(int cards, LinkClass kind = LinkClass::pcie_peer) {
  GroupLinks links;
  links.kind = kind;
  links.cards = cards;
  links.edge = 10 * GB_per_s;
  links.exchange = 8 * GB_per_s;
  return links;
}

LibraryCost library(const GroupLinks& links, const std::map<std::string, double>& changed = {}) {
  return prepare_library(links, constants(changed), "nccl_tests");
}

double micros(const LibraryCost& cost, CollectiveOp op, Bytes size, ForcedMethod forced = {}) {
  return cost.time(op, size, forced).time.in(us);
}

using enum CollectiveOp;

}  // namespace

// Links at 0.5 x 0.8 and 0.6 of an old host: 2.4 GB/s. Four cards: 1.5 of the message, 625 us for 1 MB; six hops of 2 x 5 us and
// 7 for the start. With flags in the data a quarter of the rate, six hops of 2 x 3. The stack adds 2 x 3.
TEST_CASE("a ring of four with round constants") {
  const auto cost = library(round_links(4));
  CHECK(micros(cost, all_reduce, 1 * MB) == Approx(60 + 7 + 625 + 6));
  CHECK(cost.time(all_reduce, 1 * MB).method == CollectiveMethod::ring_bulk);
  CHECK(micros(cost, all_reduce, 8 * kB) == Approx(36 + 20 + 6));
  CHECK(cost.time(all_reduce, 8 * kB).method == CollectiveMethod::ring_low_latency);
  CHECK(cost.latency(all_reduce).in(us) == Approx(36));
  CHECK(cost.rate(all_reduce).in(GB_per_s) == Approx(1.6));
  // Other operations reach half of that: 0.75 of the message at 1.2 GB/s in three hops.
  for (const auto op : {all_gather, reduce_scatter}) CHECK(micros(cost, op, 1 * MB) == Approx(30 + 7 + 625 + 6));
  for (const auto op : {broadcast, reduce}) CHECK(micros(cost, op, 1 * MB) == Approx(30 + 7 + 1e3 / 1.2 + 6));
  // An exchange of 8 GB/s in 4 x log2(4) hops.
  CHECK(micros(cost, all_to_all, 1 * MB) == Approx(80 + 7 + 750 / 0.96 + 6));
  CHECK(micros(cost, send_receive, 1 * MB) == Approx(10 + 7 + 1e3 / 2.4 + 6));
}

// Both ways 0.7 of one way and 0.6 of an old host; one way 0.9.
TEST_CASE("two cards: both ways at once, or one way alone") {
  const auto cost = library(round_links(2));
  CHECK(cost.rate(all_reduce).in(GB_per_s) == Approx(10 * 0.4 * 0.42));
  CHECK(cost.rate(all_gather).in(GB_per_s) == Approx(10 * 0.4 * 0.42 * 0.5 / 0.5));
  CHECK(cost.rate(send_receive).in(GB_per_s) == Approx(10 * 0.4 * 0.9));
  for (const auto op : {broadcast, reduce}) CHECK(cost.rate(op).in(GB_per_s) == Approx(10 * 0.4 * 0.9 * 0.5));
  // Three already go round: 4/3 of the message.
  CHECK(library(round_links(3)).rate(all_reduce).in(GB_per_s) == Approx(2.4 / (4 / 3.0)));
  CHECK(library(round_links(3)).rate(broadcast).in(GB_per_s) == Approx(1.2));
  CHECK(library(round_links(1)).time(all_reduce, 1 * MB).time == Seconds{});
  CHECK(library(round_links(1)).rate(all_reduce) == Bandwidth{});
  CHECK(library(round_links(1)).time(all_reduce, 1 * MB).method == CollectiveMethod::nothing);
}

TEST_CASE("a processor link that a ring crosses carries its measured rate and no more") {
  auto links = round_links(4);
  links.edge_limit = 2 * GB_per_s;
  CHECK(library(links).rate(all_reduce).in(GB_per_s) == Approx(2 / 1.5));
  links.edge_limit = 3 * GB_per_s;  // the links themselves reach 2.4
  CHECK(library(links).rate(all_reduce).in(GB_per_s) == Approx(2.4 / 1.5));
}

// S (1 + 1/8) at half of 10 GB/s and 2 x 20 us, from five cards on.
TEST_CASE("a switch that sums takes the message once") {
  auto links = round_links(8, LinkClass::nvswitch);
  links.in_switch_reduction = true;
  const auto cost = library(links);
  CHECK(micros(cost, all_reduce, 1 * MB) == Approx(40 + 225 + 6));
  CHECK(cost.time(all_reduce, 1 * MB).method == CollectiveMethod::in_switch);
  CHECK(cost.rate(all_reduce).in(GB_per_s) == Approx(5 / 1.125));
  CHECK(cost.time(all_reduce, 1 * MB, ForcedMethod::ring).method == CollectiveMethod::ring_bulk);
  CHECK(cost.time(all_gather, 1 * MB).method == CollectiveMethod::ring_bulk);
  links.cards = 5;
  CHECK(library(links).time(all_reduce, 1 * MB).method == CollectiveMethod::in_switch);
  links.cards = 4;
  CHECK(library(links).time(all_reduce, 1 * MB).method == CollectiveMethod::ring_bulk);
  // A slow switch is not used, nor counted as the rate.
  links.cards = 8;
  CHECK(library(links, {{"in_switch_efficiency", 0.01}}).rate(all_reduce).in(GB_per_s) == Approx(2.4 / 1.75));
}

// Two machines of four, 5 GB/s of NICs at a half: the message once over them, 400 us for 1 MB, less than inside. 36 us inside and
// two hops of 9; one and a half times that before bulk.
TEST_CASE("machines: the slower of network and links, and the latencies of both") {
  auto links = round_links(8);
  links.nodes = 2;
  links.network = 5 * GB_per_s;
  const auto cost = library(links);
  CHECK(cost.latency(all_reduce).in(us) == Approx(36 + 18));
  CHECK(micros(cost, all_reduce, 1 * MB) == Approx(81 + 625 + 6));
  CHECK(cost.time(all_reduce, 1 * MB).method == CollectiveMethod::nodes_bulk);
  CHECK(micros(cost, all_reduce, 1 * kB) == Approx(54 + 1.6 + 6));
  CHECK(cost.time(all_reduce, 1 * kB).method == CollectiveMethod::nodes_low_latency);
  CHECK(cost.rate(all_reduce).in(GB_per_s) == Approx(1.6));
  links.network = 1 * GB_per_s;
  CHECK(library(links).rate(all_reduce).in(GB_per_s) == Approx(0.5));
  // Four machines of four: a tree of two levels, up and down; others pass three machines one after another.
  links.cards = 16;
  links.nodes = 4;
  CHECK(library(links).latency(all_reduce).in(us) == Approx(36 + 36));
  CHECK(library(links).latency(all_gather).in(us) == Approx(18 + 27));
  CHECK(library(links).latency(send_receive).in(us) == Approx(6 + 9));
  // Over the NICs of a machine: 2 x 3/4 of an all-reduce, 3/4 of an exchange or gather, all of a broadcast.
  CHECK(library(links).rate(all_reduce).in(GB_per_s) == Approx(0.5 / 1.5));
  for (const auto op : {all_to_all, all_gather}) CHECK(library(links).rate(op).in(GB_per_s) == Approx(0.5 / 0.75));
  CHECK(library(links).rate(broadcast).in(GB_per_s) == Approx(0.5));
  // One card in each machine: nothing inside.
  links.cards = 4;
  CHECK(library(links).latency(all_reduce).in(us) == Approx(36));
  CHECK(library(links).rate(all_reduce).in(GB_per_s) == Approx(0.5 / 1.5));
  // Switches that sum in each machine: the lesser of what they and the links take inside.
  auto switched = round_links(16, LinkClass::nvswitch);
  switched.nodes = 2;
  switched.network = 1000 * GB_per_s;
  switched.in_switch_reduction = true;
  CHECK(library(switched).rate(all_reduce).in(GB_per_s) == Approx(5 / 1.125));
}

// 8 GB/s at a half to three others: 4 GB/s for 3 messages; over direct links twice 3/4 of it in two steps, with 2 x 3 us between
// them.
TEST_CASE("kernels of engines: one shot for small, two for large messages, a star by copies") {
  const auto nvlink = library(round_links(4, LinkClass::nvlink)), pcie = library(round_links(4));
  CHECK(micros(nvlink, all_reduce, 10 * kB, ForcedMethod::one_shot) == Approx(11 + 7.5));
  CHECK(micros(nvlink, all_reduce, 100 * kB, ForcedMethod::one_shot) == Approx(17 + 37.5));
  CHECK(nvlink.time(all_reduce, 100 * kB, ForcedMethod::one_shot).method == CollectiveMethod::two_shot);
  CHECK(micros(pcie, all_reduce, 100 * kB, ForcedMethod::one_shot) == Approx(11 + 75));
  CHECK(pcie.time(all_reduce, 100 * kB, ForcedMethod::one_shot).method == CollectiveMethod::one_shot);
  for (const auto kind : {LinkClass::nvswitch, LinkClass::xgmi})
    CHECK(library(round_links(4, kind)).time(all_reduce, 1 * MB, ForcedMethod::one_shot).method == CollectiveMethod::two_shot);
  // Three messages to the hub and back at 5 GB/s, two starts of a copy.
  CHECK(micros(pcie, all_reduce, 100 * kB, ForcedMethod::star) == Approx(26 + 120));
  CHECK(pcie.time(all_reduce, 100 * kB, ForcedMethod::star).method == CollectiveMethod::star);
}

// Exponent 1/2: (sqrt a + sqrt a)^2 = 4 a. The floor of a host that launches each call: 100 and 100 join to 100 x 2^(1/8).
TEST_CASE("start and bytes join by the ramp, and the host's floor nearly as a maximum") {
  // 67 us of start; 107.2 kB take as long at 1.6 GB/s.
  CHECK(micros(library(round_links(4), {{"node_ramp", 0.5}, {"low_latency_share", 1e-6}}), all_reduce, 107.2 * kB) ==
        Approx(4 * 67 + 6));
  CHECK(micros(library(round_links(4), {{"stack_floor", 62}}), all_reduce, 8 * kB) == Approx(62 * std::pow(2, 1 / 8.0)));
  auto links = round_links(8);
  links.nodes = 2;
  links.network = 5 * GB_per_s;
  // 81 us of start; 129.6 kB take as long.
  CHECK(micros(library(links, {{"network_ramp", 0.5}, {"network_low_latency_share", 1e-6}}), all_reduce, 129.6 * kB) ==
        Approx(4 * 81 + 6));
}

TEST_CASE("what passes through host memory is never better than the same cards with peer access") {
  auto calibration = constants();
  calibration.terms.at("link_efficiency").offsets = {{"link:pcie_peer", std::log(0.5)}};
  const auto rate = [&](LinkClass kind) {
    return prepare_library(round_links(4, kind), calibration, "nccl_tests").rate(all_reduce).in(GB_per_s);
  };
  CHECK(rate(LinkClass::pcie_peer) == Approx(0.8));
  CHECK(rate(LinkClass::pcie_staged) == Approx(0.8));
  calibration.terms.at("link_efficiency").offsets = {{"link:pcie_staged", std::log(0.25)}};
  CHECK(rate(LinkClass::pcie_staged) == Approx(0.4));
}

TEST_CASE("levels of a group's links") {
  auto calibration = constants();
  auto links = round_links(4);
  links.architecture = "sm_90";
  links.transport = "rdma";
  const auto start = [&](const char* level, const GroupLinks& of) {
    calibration.terms.at("push_start").offsets = {{level, std::log(2)}};
    return prepare_library(of, calibration, "nccl_tests").one_shot_start;
  };
  for (const auto* level : {"link:pcie_peer", "arch:sm_90", "stack:nccl_tests", "transport:rdma", "pcie"})
    CHECK(start(level, links) == Approx(22));
  CHECK(start("link:pcie_peer|host:pcie3", links) == Approx(11));
  links.old_host = true;
  CHECK(start("link:pcie_peer|host:pcie3", links) == Approx(22));
  CHECK(start("nvlink", links) == Approx(11));
  links.kind = LinkClass::pcie_staged;
  CHECK(start("pcie", links) == Approx(22));
  for (const auto kind : {LinkClass::nvlink, LinkClass::nvswitch}) {
    links.kind = kind;
    CHECK(start("nvlink", links) == Approx(22));
    CHECK(start("nvlink|arch:sm_90", links) == Approx(22));
    CHECK(start("pcie", links) == Approx(11));
  }
}

TEST_CASE("over a bridge a library adds no more than over the PCIe beside it") {
  auto calibration = constants({{"stack_floor", 10}});
  calibration.terms.at("stack_overhead").offsets = {{"link:nvlink", std::log(5)}, {"link:nvswitch", std::log(5)}};
  calibration.terms.at("stack_floor").offsets = {{"link:nvlink", std::log(3)}};
  CHECK(prepare_on_cards(round_links(2, LinkClass::nvlink), calibration, "nccl_tests").overhead == Approx(6));
  CHECK(prepare_on_cards(round_links(2, LinkClass::nvlink), calibration, "nccl_tests").floor == Approx(10));
  CHECK(prepare_on_cards(round_links(2, LinkClass::nvswitch), calibration, "nccl_tests").overhead == Approx(30));
  calibration.terms.at("stack_overhead").offsets = {{"link:nvlink", std::log(0.5)}};
  CHECK(prepare_on_cards(round_links(2, LinkClass::nvlink), calibration, "nccl_tests").overhead == Approx(3));
  CHECK(default_stack(Vendor::amd) == "rccl");
  CHECK(default_stack(Vendor::intel) == "oneccl");
  CHECK(default_stack(Vendor::nvidia) == "nccl_tests");
}

TEST_CASE("methods have the names of their algorithms and protocols") {
  using enum CollectiveMethod;
  const std::tuple<CollectiveMethod, const char*, const char*> names[] = {{nothing, "none", "none"},
                                                                          {ring_low_latency, "ring", "low latency"},
                                                                          {ring_bulk, "ring", "bulk"},
                                                                          {in_switch, "in-switch", "bulk"},
                                                                          {nodes_low_latency, "hierarchical", "low latency"},
                                                                          {nodes_bulk, "hierarchical", "bulk"},
                                                                          {one_shot, "one-shot", "bulk"},
                                                                          {two_shot, "two-shot", "bulk"},
                                                                          {star, "star", "bulk"}};
  for (const auto& [method, algorithm, protocol] : names) {
    CHECK(algorithm_of(method) == algorithm);
    CHECK(protocol_of(method) == protocol);
  }
}

namespace {

// PCIe 4.0 x16 as in schedules.cpp, in bytes a microsecond.
constexpr double x16 = 28'087;

struct Algorithms {
  Catalog catalog = round_catalog();
  RigGraph graph;
  CardGroup group;
  std::vector<AlgorithmTime> list;
  explicit Algorithms(const Rig& rig, CollectiveOp op = all_reduce)
      : graph{build_graph(rig, catalog)},
        group{graph, all_cards(graph), {}},
        list{prepare_algorithms(group, prepare_links(group), op, constants(), "nccl_tests")} {}
  const AlgorithmTime* find(std::string_view name) const {
    for (const auto& algorithm : list)
      if (algorithm.algorithm == name) return &algorithm;
    return nullptr;
  }
};

}  // namespace

TEST_CASE("each algorithm with the constants of its kind, on four cards with peer access") {
  const Algorithms four{direct("peer", 4)};
  // Six hops of 2 x 5 us and 7; 1.5 messages at half of the rate; with flags six of 2 x 3 and a quarter of that.
  const auto* ring = four.find("ring");
  REQUIRE(ring);
  CHECK(ring->start == Approx(67));
  CHECK(ring->per_byte == Approx(1.5 / x16 / 0.5).epsilon(1e-3));
  CHECK(ring->low_latency_start == Approx(36));
  CHECK(ring->low_latency_per_byte == Approx(4 * 1.5 / x16 / 0.5).epsilon(1e-3));
  CHECK(ring->time(1 * MB).in(us) == Approx(67 + 3e6 / x16).epsilon(1e-3));
  CHECK(ring->time(1 * kB).in(us) == Approx(36 + 12e3 / x16).epsilon(1e-3));
  // One launch, and a flag of 2 x 3 us for the second step.
  const auto *one = four.find("one-shot"), *two = four.find("two-shot");
  REQUIRE((one && two));
  CHECK(one->start == Approx(11));
  CHECK(one->per_byte == Approx(3 / x16 / 0.5).epsilon(1e-3));
  CHECK(one->low_latency_per_byte == 0);
  CHECK(one->time(10 * kB).in(us) == Approx(11 + 60e3 / x16).epsilon(1e-3));  // what is pushed begins at once
  CHECK(two->start == Approx(17));
  CHECK(two->per_byte == Approx(1.5 / x16 / 0.5).epsilon(1e-3));
  // Two copies, to the host and back.
  const auto* host = four.find("through host");
  REQUIRE(host);
  CHECK(host->start == Approx(26));
  CHECK(host->per_byte == Approx(2 / x16 / 0.4).epsilon(1e-3));
  CHECK_FALSE(four.find("in-switch"));
  CHECK_FALSE(four.find("hierarchical"));
  CHECK(four.find("star"));
  CHECK(fastest(four.list, 1 * kB) == one);
  CHECK(fastest(four.list, 100 * MB)->per_byte <= two->per_byte);
  CHECK(fastest({}, 1 * kB) == nullptr);
}

TEST_CASE("without peer access nothing is written into a peer's memory") {
  const Algorithms staged{direct("staged", 4)};
  CHECK_FALSE(staged.find("one-shot"));
  CHECK_FALSE(staged.find("two-shot"));
  CHECK(staged.find("ring"));
  CHECK(staged.find("through host"));
}

// A switch that sums: 2 x 20 us, the message and an eighth of it at half of 450 GB/s.
TEST_CASE("in the switch") {
  const Algorithms modules{direct("module", 8)};
  const auto* sum = modules.find("in-switch");
  REQUIRE(sum);
  CHECK(sum->start == Approx(40));
  CHECK(sum->per_byte == Approx(1.125 / 450e3 / 0.5));
}

// Two machines of four. A ring passes the network in each of its 14 steps; hierarchically in two of eight.
TEST_CASE("steps over the network take its hops, those inside theirs") {
  const Algorithms apart{networked(direct("peer", 4), 2)};
  const auto *ring = apart.find("ring"), *two_levels = apart.find("hierarchical"), *one = apart.find("one-shot");
  REQUIRE((ring && two_levels && one));
  CHECK(ring->start == Approx(7 + 14 * 9));
  CHECK(ring->low_latency_start == Approx(14 * 9));
  CHECK(two_levels->start == Approx(6 * 10 + 7 + 2 * 9));
  CHECK(two_levels->low_latency_start == Approx(6 * 6 + 2 * 9));
  CHECK(one->start == Approx(11 + 9));
  CHECK_FALSE(apart.find("through host"));
}

TEST_CASE("start and bytes of an algorithm join by its ramp") {
  AlgorithmTime time;
  time.start = 9;
  time.per_byte = 0.001;
  time.ramp = 0.5;
  CHECK(time.time(16 * kB).in(us) == Approx(49));  // (3 + 4)^2
  CHECK(time.time(Bytes{}).in(us) == Approx(9));
  time.start = 0.25;
  CHECK(time.time(250 * byte).in(us) == Approx(1));  // (1/2 + 1/2)^2
  time.start = 9;
  time.low_latency_start = 1;
  time.low_latency_per_byte = 0.003;
  CHECK(time.time(1 * kB).in(us) == Approx(4));
  CHECK(time.time(16 * kB).in(us) == Approx(49));
  CHECK(time.time(15.9 * kB).in(us) == Approx(48.7));
  time.start = 0;
  CHECK(time.time(16 * kB).in(us) == Approx(16));
}

// 10 GB/s: 0.8 of it, 1.6 times that both ways, half where peers are read, and the other conditions each by their factor.
TEST_CASE("a copy reaches its share by direction, way and who makes it") {
  auto calibration = constants({{"copy_efficiency", 0.8},
                                {"copy_both_ways", 1.6},
                                {"copy_read", 0.5},
                                {"copy_virtual_machine", 0.9},
                                {"copy_all_at_once", 0.7},
                                {"copy_by_kernel", 0.6},
                                {"copy_hop", 0.25}});
  const auto rate = [&](auto change) {
    CopyLink link;
    link.kind = LinkClass::pcie_peer;
    link.nominal = 10 * GB_per_s;
    link.architecture = "sm_90";
    change(link);
    return copy_bandwidth(link, calibration).in(GB_per_s);
  };
  CHECK(rate([](CopyLink&) {}) == Approx(8));
  CHECK(rate([](CopyLink& l) { l.direction = CopyDirection::both_ways; }) == Approx(12.8));
  CHECK(rate([](CopyLink& l) { l.direction = CopyDirection::read; }) == Approx(4));
  CHECK(rate([](CopyLink& l) { l.virtual_machine = true; }) == Approx(7.2));
  CHECK(rate([](CopyLink& l) { l.all_at_once = true; }) == Approx(5.6));
  CHECK(rate([](CopyLink& l) { l.kernel_copy = true; }) == Approx(4.8));
  CHECK(rate([](CopyLink& l) { l.hops = 2; }) == Approx(2));
  CHECK(rate([](CopyLink& l) { l.hops = 3; }) == Approx(0.5));
  const auto with = [&](const char* level, auto change) {
    calibration.terms.at("copy_efficiency").offsets = {{level, std::log(0.5)}};
    return rate(change);
  };
  CHECK(with("link:pcie_peer", [](CopyLink&) {}) == Approx(4));
  CHECK(with("arch:sm_90", [](CopyLink&) {}) == Approx(4));
  CHECK(with("link:pcie_peer|host:pcie3", [](CopyLink&) {}) == Approx(8));
  CHECK(with("link:pcie_peer|host:pcie3", [](CopyLink& l) { l.old_host = true; }) == Approx(4));
  CHECK(with("link:host", [](CopyLink& l) { l.host = true; }) == Approx(4));
  CHECK(with("link:host|host:pcie3", [](CopyLink& l) { l.host = l.old_host = true; }) == Approx(8));
  CHECK(with("link:host|to:card", [](CopyLink& l) { l.host = true; }) == Approx(8));
  CHECK(with("link:host|to:card", [](CopyLink& l) { l.host = l.to_card = true; }) == Approx(4));
  CHECK(with("link:host|to:card", [](CopyLink& l) { l.to_card = true; }) == Approx(8));
}
