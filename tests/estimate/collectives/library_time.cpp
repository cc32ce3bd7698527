// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/collectives/library_time.h"

#include <catch2/catch.hpp>

#include "rigplan/estimate/collectives/group_fabric.h"

using namespace rigplan;

namespace {

GroupLinks nvswitch(int cards) {
  GroupLinks links;
  links.kind = LinkClass::nvswitch;
  links.cards = cards;
  links.edge = links.exchange = 450 * GB_per_s;
  links.in_switch_reduction = true;
  links.architecture = "sm_90";
  return links;
}

GroupLinks pcie(int cards, LinkClass kind = LinkClass::pcie_peer) {
  GroupLinks links;
  links.kind = kind;
  links.cards = cards;
  links.edge = links.exchange = 28.1 * GB_per_s;
  links.architecture = "sm_89";
  return links;
}

double micros(const GroupLinks& links, CollectiveOp op, Bytes size, std::string_view stack = "nccl_tests",
              ForcedMethod forced = {}) {
  return prepare_library(links, built_in_calibration("collectives"), stack).time(op, size, forced).time.in(us);
}

}  // namespace

TEST_CASE("published all-reduce times of eight H200 on NVSwitch") {
  // 512 B: 16.0 us; 1 GiB through the switch: 2 x 7/8 GiB over 482 GB/s = 3.90 ms; by the ring alone 367.6 GB/s = 5.11 ms.
  CHECK(micros(nvswitch(8), CollectiveOp::all_reduce, 512 * byte) == Approx(16.0).epsilon(0.25));
  CHECK(micros(nvswitch(8), CollectiveOp::all_reduce, GiB) == Approx(3900).epsilon(0.12));
  CHECK(micros(nvswitch(8), CollectiveOp::all_reduce, GiB, "nccl_tests", ForcedMethod::ring) == Approx(5110).epsilon(0.12));
}

TEST_CASE("the switch sums from five cards on") {
  const auto method = [](int cards) {
    return prepare_library(nvswitch(cards), built_in_calibration("collectives"), "nccl_tests")
        .time(CollectiveOp::all_reduce, GiB)
        .method;
  };
  CHECK(method(4) == CollectiveMethod::ring_bulk);
  CHECK(method(5) == CollectiveMethod::in_switch);
}

TEST_CASE("small messages take the low-latency protocol, large ones the bulk protocol") {
  const auto library = prepare_library(pcie(4), built_in_calibration("collectives"), "nccl_tests");
  CHECK(library.time(CollectiveOp::all_reduce, 4 * KiB).method == CollectiveMethod::ring_low_latency);
  CHECK(library.time(CollectiveOp::all_reduce, 64 * MiB).method == CollectiveMethod::ring_bulk);
}

TEST_CASE("a call that the host launches is never faster than the launch") {
  // Flat at 38 to 40 us on two H200 until the device needs more.
  CHECK(micros(nvswitch(2), CollectiveOp::all_reduce, 1 * KiB, "nccl_eager") == Approx(39).epsilon(0.1));
  CHECK(micros(nvswitch(2), CollectiveOp::all_reduce, 64 * KiB, "nccl_eager") == Approx(39).epsilon(0.1));
}

TEST_CASE("staging through the host is slower than peers at every size") {
  for (double size = 256; size < 3e9; size *= 8) {
    CHECK(micros(pcie(8, LinkClass::pcie_staged), CollectiveOp::all_reduce, size * byte) >
          0.8 * micros(pcie(8), CollectiveOp::all_reduce, size * byte));
  }
  CHECK(micros(pcie(8, LinkClass::pcie_staged), CollectiveOp::all_reduce, GiB) >
        1.3 * micros(pcie(8), CollectiveOp::all_reduce, GiB));
}

TEST_CASE("time grows with size for every operation and stack", "[slow]") {
  for (const auto stack : {"nccl_tests", "nccl_eager", "rccl", "oneccl", "gloo", "never heard of"}) {
    for (int op = 0; op < collective_ops; ++op) {
      double last = 0;
      for (double size = 1; size < 1e11; size *= 3) {
        const double time = micros(nvswitch(8), static_cast<CollectiveOp>(op), size * byte, stack);
        CHECK(time >= last);
        last = time;
      }
    }
  }
}

TEST_CASE("across machines the network decides") {
  auto links = nvswitch(16);
  links.nodes = 2;
  links.network = 400 * GB_per_s;
  links.transport = "efa2";
  // Published for 16 H100 in two machines of 32 x 100 Gbit/s: 4,608 us for 1 GiB.
  CHECK(micros(links, CollectiveOp::all_reduce, GiB, "nccl_tests_printed") == Approx(4608).epsilon(0.12));
  links.network = 12.5 * GB_per_s;
  CHECK(micros(links, CollectiveOp::all_reduce, GiB) > 80'000);
}

TEST_CASE("a fabric that is known by two figures joins them") {
  GroupFabric fabric;
  fabric.cards = 2;
  fabric.all_reduce_latency = 10 * us;
  fabric.all_reduce_bus = 20 * GB_per_s;
  // 2 x 1/2 x 200 kB over 20 GB/s = 10 us; two equal terms join to 2^(1/0.75) = 2.52 times one.
  CHECK(fabric.all_reduce(200 * kB).in(us) == Approx(25.2).epsilon(1e-2));
  fabric.cards = 1;
  CHECK(fabric.all_reduce(GiB) == Seconds{});
}
