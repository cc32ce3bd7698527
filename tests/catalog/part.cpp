// SPDX-License-Identifier: Apache-2.0
#include "rigplan/catalog/part.h"

#include <catch2/catch.hpp>
#include <set>

#include "catalog/shipped.h"

using namespace rigplan;

namespace {

Catalog read_part(const std::string& fields) {
  const std::vector<CatalogFile> files{{"parts.json", R"({"schema": "rigplan/parts/1", "sources": {"shop": {"where": "a shop"}},
    "parts": [{"id": "part", "source": "shop", )" + fields +
                                                          "}]}"}};
  return read_catalog(files);
}

template <class T>
const T& as(const char* id) {
  const auto* part = shipped_catalog().parts.find(id);
  REQUIRE(part);
  REQUIRE(std::holds_alternative<T>(part->what));
  return std::get<T>(part->what);
}

}  // namespace

TEST_CASE("each type of part is read into what it is") {
  CHECK(
      std::get<Riser>(read_part(R"("type": "riser", "link": "PCIe 2.0 x1", "usb_cable": true)").parts.entries[0].what).usb_cable);
  CHECK(std::get<Bifurcator>(read_part(R"("type": "bifurcator", "lanes": 16, "ports": [8, 8])").parts.entries[0].what).ports ==
        std::vector<int>{8, 8});
  const auto catalog = read_part(R"("type": "memory", "size": "16 GiB", "fits": "DDR4 RDIMM")");
  CHECK(std::get<OtherPart>(catalog.parts.entries[0].what).kind == "memory");
  CHECK(std::get<OtherPart>(catalog.parts.entries[0].what).size == 16 * GiB);
}

TEST_CASE("parts that cannot be are refused") {
  CHECK_THROWS_WITH(read_part(R"("link": "PCIe 2.0 x1")"), Catch::Contains("has no \"type\""));
  CHECK_THROWS_WITH(read_part(R"("type": "rizer", "link": "PCIe 2.0 x1")"), Catch::Contains("expected one of riser"));
  CHECK_THROWS_WITH(read_part(R"("type": "bifurcator", "lanes": 8, "ports": [8, 8])"), Catch::Contains("has 16 lanes"));
  CHECK_THROWS_WITH(read_part(R"("type": "bifurcator", "lanes": 16, "ports": [16])"), Catch::Contains("expected at least 2"));
  CHECK_THROWS_WITH(read_part(R"("type": "psu", "power": "1600", "rating": "80 PLUS Gold", "form": "atx")"),
                    Catch::Contains("has no unit"));
  CHECK_THROWS_WITH(read_part(R"("type": "psu", "power": "16 kW", "rating": "80 PLUS Gold", "form": "atx")"),
                    Catch::Contains("expected 50 W"));
  CHECK_THROWS_WITH(read_part(R"("type": "riser", "link": "PCIe 2.0 x1", "power": "5 W")"),
                    Catch::Contains("unknown key \"power\""));
}

TEST_CASE("memory fits by generation and kind of module") {
  CHECK(memory_fits("DDR4 RDIMM", "DDR4-3200 RDIMM"));
  CHECK_FALSE(memory_fits("DDR4 UDIMM", "DDR4-3200 RDIMM"));
  CHECK_FALSE(memory_fits("DDR5 RDIMM", "DDR4-3200 RDIMM"));
  CHECK_FALSE(memory_fits("DDR4 RDIMM", "DDR4-2666 UDIMM"));
}

TEST_CASE("every kind of board finds memory, and every supply its efficiency") {
  const auto& catalog = shipped_catalog();
  std::set<std::string> wanted;
  for (const auto& board : catalog.boards.entries)
    if (!board.memory_type.empty()) wanted.insert(board.memory_type);
  for (const auto& type : wanted) {
    CAPTURE(type);
    const auto& parts = catalog.parts.entries;
    CHECK(std::any_of(parts.begin(), parts.end(), [&](const Part& part) {
      const auto* other = std::get_if<OtherPart>(&part.what);
      return other && other->kind == "memory" && other->size && memory_fits(other->fits, type);
    }));
  }
  for (const auto& part : catalog.parts.entries)
    if (const auto* psu = std::get_if<Psu>(&part.what)) {
      CAPTURE(part.id);
      CHECK(catalog.efficiencies.find(psu->rating));
    }
}

TEST_CASE("bridges name cards of the catalog that have such ports") {
  const auto& catalog = shipped_catalog();
  for (const auto& part : catalog.parts.entries)
    if (const auto* bridge = std::get_if<BridgePart>(&part.what))
      for (const auto& id : bridge->fits) {
        CAPTURE(part.id, id);
        const auto* gpu = catalog.gpus.find(id);
        REQUIRE(gpu);
        REQUIRE(gpu->peer_ports);
        CHECK(gpu->peer_ports->kind == bridge->kind);
        CHECK((gpu->peer_ports->max_cards == 0 || bridge->cards <= gpu->peer_ports->max_cards));
      }
}

TEST_CASE("parts that the examples name") {
  CHECK(as<Riser>("mining-riser-x1").link == PcieLink{2, 1});
  CHECK(as<Bifurcator>("bifurcation-x16-4x4").ports == std::vector<int>{4, 4, 4, 4});
  CHECK(as<PcieSwitch>("asm2824-card").upstream == PcieLink{3, 8});
  CHECK(as<PcieSwitch>("asm2824-card").ports.size() == 4);
  CHECK(as<Nic>("nic-1g").rate == 1 * Gbit_per_s);
  CHECK(as<Nic>("connectx-6-hdr").rdma);
  CHECK(as<Psu>("super-flower-leadex-platinum-1600w").power == 1600 * watt);
  CHECK(as<BridgePart>("xgmi-bridge-radeon-pro-vii").cards == 2);
}

TEST_CASE("a network card does not claim more than its slot carries") {
  for (const auto& part : shipped_catalog().parts.entries)
    if (const auto* nic = std::get_if<Nic>(&part.what); nic && nic->pcie) {
      CAPTURE(part.id);
      // Gigabytes a second and lane: 0.25, 0.5, then 128/130 of 8, 16, 32 Gbit/s, and 7.56 at generation 6.
      constexpr double per_lane[] = {0.25, 0.5, 0.985, 1.969, 3.938, 7.563, 15.13};
      CHECK(nic->rate.in(GB_per_s) <= 1.01 * per_lane[nic->pcie->generation - 1] * nic->pcie->lanes);
    }
}
