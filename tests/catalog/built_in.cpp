// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "catalog/shipped.h"

using namespace rigplan;

static const Catalog& built_in() { return shipped_catalog(); }

static const Gpu& card(std::string_view name) {
  const auto* found = built_in().gpus.find(name);
  INFO(name);
  REQUIRE(found);
  return *found;
}

TEST_CASE("the built-in catalog has at least a hundred cards, each with its own id") {
  const auto ids = built_in().gpus.ids();
  CHECK(ids.size() >= 100);
  CHECK(std::set<std::string>(ids.begin(), ids.end()).size() == ids.size());
}

TEST_CASE("every figure of a card says where it was found, and every card says what planning needs") {
  for (const auto& gpu : built_in().gpus.entries) {
    INFO(gpu.id);
    CHECK(gpu.figures.size() >= 6);
    for (const auto& figure : gpu.figures) {
      INFO(figure.field);
      REQUIRE(!figure.sources.empty());
      CHECK(!figure.sources.all().front().where.empty());
      for (const auto& other : figure.also) CHECK(!other.sources.empty());
    }
    CHECK((gpu.peaks.fp32 || gpu.peaks.fp16_vector || gpu.peaks.fp16_matrix || gpu.peaks.int8));
    CHECK(built_in().architectures.find(gpu.architecture)->vendor == gpu.vendor);
  }
}

TEST_CASE("cards that sources disagree on show both statements") {
  const auto* power = find_figure(card("radeon-pro-vii"), "board_power");
  REQUIRE(power);
  CHECK(power->value == "250 W");
  REQUIRE(power->also.size() == 1);
  CHECK(power->also.front().value == "300 W");
}

TEST_CASE("a claimed accelerator stands beside its maker's figures, marked as disputed") {
  CHECK(card("mi450-claimed-003").disputed);
  CHECK(card("mi450-claimed-003").vram == 192 * GiB);
  CHECK_FALSE(card("mi455x").disputed);
  CHECK(card("mi455x").vram == 432 * GiB);
}

TEST_CASE("a card is found by id, name and alias, without regard to case") {
  CHECK(card("RTX-3090").id == "rtx-3090");
  CHECK(card("GeForce RTX 3080 10GB").id == "rtx-3080-10gb");
  CHECK(card("rtx-3080").id == "rtx-3080-10gb");
  CHECK(built_in().gpus.find("rtx-30900") == nullptr);
}

TEST_CASE("connectors, links and bridges are read from their texts") {
  const auto& vii = card("radeon-pro-vii");  // "1x 8-pin + 1x 6-pin", one Infinity Fabric link of 84 GB/s each way
  CHECK(vii.power_8pin == 1);
  CHECK(vii.power_6pin == 1);
  CHECK(vii.display_outputs);
  REQUIRE(vii.pcie);
  CHECK(*vii.pcie == PcieLink{4, 16});
  REQUIRE(vii.peer_ports);
  CHECK(vii.peer_ports->kind == PeerLinkKind::xgmi);
  CHECK(vii.peer_ports->per_link == 84 * GB_per_s);
  CHECK(vii.peer_ports->max_cards == 2);
  const auto& p40 = card("p40");
  CHECK(p40.power_eps == 1);
  CHECK_FALSE(p40.display_outputs);
  CHECK_FALSE(p40.peer_ports);
}

TEST_CASE("hazards of a card and of its chip are codes") {
  const auto carries = [](const std::vector<std::string>& codes, std::string_view code) {
    return std::find(codes.begin(), codes.end(), code) != codes.end();
  };
  CHECK(carries(card("p40").warnings, "W_EPS_CONNECTOR"));
  CHECK(carries(card("p40").warnings, "W_PASSIVE_COOLING"));
  CHECK(carries(built_in().architectures.find("sm_61")->warnings, "W_FP16_CRIPPLED"));
  CHECK(carries(built_in().architectures.find("gfx906")->warnings, "W_ROCM_EOL"));
  CHECK(carries(card("cmp-170hx-8gb").warnings, "W_LINK_LOCKED_GEN1"));
  CHECK(carries(card("rx-7900-xtx").warnings, "W_RCCL_RDNA3"));
}

TEST_CASE("every warning is explained in full") {
  CHECK(built_in().warnings.entries.size() >= 76);
  for (const auto& warning : built_in().warnings.entries) {
    INFO(warning.id);
    CHECK(!warning.title.empty());
    CHECK(!warning.meaning.empty());
    CHECK(!warning.check.empty());
  }
}

TEST_CASE("one chip has one word of one engine") {
  std::set<std::pair<std::string, std::string>> seen;
  for (const auto& row : built_in().support) {
    INFO(row.id);
    CHECK(seen.emplace(row.engine, row.architecture).second);
  }
}
