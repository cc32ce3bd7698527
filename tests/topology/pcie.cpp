// SPDX-License-Identifier: Apache-2.0
#include "rigplan/topology/pcie.h"

#include <catch2/catch.hpp>

using namespace rigplan;

TEST_CASE("A PCIe lane carries what its line code leaves", "[bad-input-68]") {
  // 5 GT/s x 8/10 / 8 bits; 8 GT/s x 128/130 / 8; 64 GT/s x 236/256 / 8.
  CHECK(pcie_lane_rate(1).in(GB_per_s) == Approx(0.25));
  CHECK(pcie_lane_rate(2).in(GB_per_s) == Approx(0.5));
  CHECK(pcie_lane_rate(3).in(GB_per_s) == Approx(0.98462).epsilon(1e-5));
  CHECK(pcie_lane_rate(5).in(GB_per_s) == Approx(3.93846).epsilon(1e-5));
  CHECK(pcie_lane_rate(6).in(GB_per_s) == Approx(7.375));
  CHECK(pcie_lane_rate(7).in(GB_per_s) == Approx(14.75));
}

TEST_CASE("Packet headers cost more of small payloads") {
  CHECK(write_efficiency(128) == Approx(128.0 / 152));
  CHECK(write_efficiency(256) == Approx(256.0 / 280));
  CHECK(read_efficiency(256) == Approx(256.0 / 276));
}

TEST_CASE("Links carry what copies between cards were measured to reach") {
  // Measured one way: 3.0 x16 13.4-14.3, 4.0 x16 25.5-29.0, 5.0 x16 55-57, 4.0 x8 13.2, 4.0 x4 6.5-6.6 and 3.0 x4 3.5 GB/s.
  CHECK(pcie_bandwidth({3, 16}).in(GB_per_s) == Approx(13.9).epsilon(0.04));
  CHECK(pcie_bandwidth({4, 16}).in(GB_per_s) == Approx(27.2).epsilon(0.07));
  CHECK(pcie_bandwidth({5, 16}).in(GB_per_s) == Approx(56.0).epsilon(0.02));
  CHECK(pcie_bandwidth({4, 8}).in(GB_per_s) == Approx(13.6).epsilon(0.05));
  CHECK(pcie_bandwidth({4, 4}).in(GB_per_s) == Approx(6.8).epsilon(0.05));
  CHECK(pcie_bandwidth({3, 4}).in(GB_per_s) == Approx(3.5).epsilon(0.01));
  CHECK(pcie_bandwidth({3, 0}) == Bandwidth{});
}

TEST_CASE("A link trains to the lesser generation and width of its ends") {
  CHECK(train({4, 16}, {3, 16}) == PcieLink{3, 16});
  CHECK(train({3, 16}, {4, 8}) == PcieLink{3, 8});
}

TEST_CASE("Link texts of files and people are read, others are not", "[bad-input-76]") {
  CHECK(parse_pcie_link("PCIe 4.0 x16") == PcieLink{4, 16});
  CHECK(parse_pcie_link("3.0 x4") == PcieLink{3, 4});
  CHECK(parse_pcie_link("Gen5 x8") == PcieLink{5, 8});
  CHECK(parse_pcie_link("4.0 x12") == PcieLink{4, 12});
  CHECK_FALSE(parse_pcie_link("4.0 x3"));
  CHECK_FALSE(parse_pcie_link("4.0 x0"));
  CHECK_FALSE(parse_pcie_link("8.0 x16"));
  CHECK_FALSE(parse_pcie_link("x16"));
  CHECK_FALSE(parse_pcie_link("4.0 x16 "));
}

TEST_CASE("Transfer rates name their generation", "[bad-input-68][bad-input-69]") {
  CHECK(pcie_generation_at(2.5) == 1);
  CHECK(pcie_generation_at(16.0) == 4);
  CHECK(pcie_generation_at(64) == 6);
  CHECK(pcie_generation_at(128) == 7);
  CHECK_FALSE(pcie_generation_at(0));
  CHECK_FALSE(pcie_generation_at(10));
}
