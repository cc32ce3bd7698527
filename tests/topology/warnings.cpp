// SPDX-License-Identifier: Apache-2.0
#include "rigplan/topology/warnings.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <set>
#include <sstream>

#include "rigplan/json/cursor.h"
#include "rigplan/json/json_file.h"
#include "rigplan/topology/copy.h"
#include "topology/small_catalog.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

using Codes = std::set<std::string>;

const Catalog& shipped() {
  static const auto catalog = read_catalog(built_in_catalog_files());
  return catalog;
}

RigGraph graph_of(const std::string& path) {
  std::ifstream stream{RIGPLAN_SOURCE_DIR "/" + path};
  std::stringstream text;
  text << stream.rdbuf();
  const auto file = JsonFile::parse(path, text.str(), JsonComments::allowed);
  return build_graph(read_rig(Cursor{file}, shipped()), shipped());
}

Codes codes_of(const RigGraph& graph) {
  Codes codes;
  for (const auto& warning : topology_warnings(graph)) codes.insert(warning.code);
  return codes;
}
Codes codes_of(const Rig& plan) {
  static const auto catalog = small_catalog();
  return codes_of(build_graph(plan, catalog));
}
bool has(const Codes& found, const Codes& wanted) {
  std::string missing;
  for (const auto& code : wanted)
    if (!found.contains(code)) missing += code + " ";
  INFO("missing: " << missing);
  CHECK(missing.empty());
  return missing.empty();
}

}  // namespace

TEST_CASE("Build reports get the warnings that would have helped") {
  // Four RTX 3090 on X399: 11 token/s until the card left the slot of the chipset, then 24.7.
  CHECK(has(codes_of(graph_of("examples/four-3090-x399.json")),
            {"W_CHIPSET_SLOT", "W_LINK_DOWNTRAINED", "W_SLOT_PHYSICAL_VS_ELECTRICAL"}));
  CHECK(has(codes_of(graph_of("examples/two-3090-x570.json")), {"W_CHIPSET_SLOT", "W_UPLINK_SHARED", "W_NO_P2P"}));
  CHECK(has(codes_of(graph_of("tests/data/rigs/3x3090-chipset-uplink.json")), {"W_CHIPSET_SLOT"}));
  CHECK(has(codes_of(graph_of("tests/data/rigs/16xpro6000-collapse.json")), {"W_SWITCH_MULTIROOT"}));
  CHECK(has(codes_of(graph_of("tests/data/rigs/mi50-p2p-off.json")), {"W_NO_P2P", "W_VBIOS", "W_ABOVE4G"}));
  CHECK(has(codes_of(graph_of("tests/data/rigs/mi50-vbios-table.json")), {"W_NO_P2P", "W_VBIOS", "W_FAKE_CARD"}));
  CHECK(has(codes_of(graph_of("tests/data/rigs/gpu-x1-gen1-4th.json")), {"W_LANES_X1", "W_MIXED_VRAM"}));
  CHECK(has(codes_of(graph_of("tests/data/rigs/32xl40s-one-nic.json")), {"W_NIC_PER_SWITCH", "W_NET_BW"}));
  CHECK(has(codes_of(graph_of("tests/data/rigs/p2p-latency-15us.json")), {"W_DRIVER_PATCH", "W_NO_P2P"}));
}

TEST_CASE("Three cards that all train to 4.0 x8 differ by half where the chipset's uplink is on the way", "[bad-input-73]") {
  const auto graph = graph_of("tests/data/rigs/3x3090-chipset-uplink.json");
  // Measured with peers: 13.17 GB/s for the pair on the processor, about 6.5 for a pair with the chipset.
  const auto fast = copy_rate(graph, route(graph, 0, 1, PeerAssumption::always_yes));
  const auto slow = copy_rate(graph, route(graph, 0, 2, PeerAssumption::always_yes));
  CHECK(fast.likely.in(GB_per_s) == Approx(13.17).epsilon(0.06));
  CHECK(slow.likely.in(GB_per_s) == Approx(6.5).epsilon(0.06));
}

TEST_CASE("A copy of a few bytes takes 15 us through the host and 1 us between peers") {
  const auto graph = graph_of("tests/data/rigs/p2p-latency-15us.json");
  // Measured: 15.23 and 1.01 us.
  CHECK(copy_latency(route(graph, 0, 1, PeerAssumption::always_no)).in(us) == Approx(15.23).epsilon(0.1));
  CHECK(copy_latency(route(graph, 0, 1, PeerAssumption::always_yes)).in(us) == Approx(1.01).epsilon(0.1));
}

TEST_CASE("Cards of gfx906 read a peer's memory at a seventh of what the way carries") {
  auto plan = rig_of(shipped(), "mi50-16gb", 2, "asrock-rack-romed8-2t");
  for (auto& card : plan.nodes[0].cards) card.peer_over_pcie = PeerOverPcie::yes;
  const auto graph = build_graph(plan, shipped());
  const auto way = route(graph, 0, 1, PeerAssumption::unknown_is_no);
  REQUIRE(read_rate(graph, way, 1));
  // Measured on such cards: reads 3.8 to 3.9 GB/s, writes 22.9 to 23.2.
  CHECK(read_rate(graph, way, 1)->likely.in(GB_per_s) == Approx(3.85).epsilon(0.03));
  CHECK(copy_rate(graph, way).low < 23 * GB_per_s);
  CHECK(copy_rate(graph, way).high > 23 * GB_per_s);
  CHECK_FALSE(read_rate(graph, route(graph, 0, 1, PeerAssumption::always_no), 1));
}

TEST_CASE("A sound machine is told nothing about its links") {
  auto plan = rig("seven", "server", {{"pro", "PCIE1"}, {"pro", "PCIE2"}});
  plan.nodes[0].host.above_4g = true;
  CHECK(codes_of(plan).empty());
}

TEST_CASE("Each warning appears for its cause and not without it") {
  auto plan = rig("seven", "server", {{"pro", "PCIE1"}, {"pro", "PCIE2"}});
  plan.nodes[0].host.above_4g = true;
  SECTION("unequal width") {
    plan.nodes[0].cards[1].plug.via = {"usb-riser"};
    CHECK(codes_of(plan) == Codes{"W_LANES_X1", "W_UNEQUAL_WIDTH", "W_RISER_AER"});
  }
  SECTION("trained down") {
    plan.nodes[0].cards[1].trained = PcieLink{4, 8};
    CHECK(codes_of(plan) == Codes{"W_LINK_DOWNTRAINED", "W_UNEQUAL_WIDTH"});
  }
  SECTION("locked to the first generation") {
    plan.nodes[0].cards[1].gpu = "old";
    CHECK(has(codes_of(plan), {"W_LINK_LOCKED_GEN1"}));
  }
  SECTION("two sockets") {
    plan.nodes[0].board = "two";
    plan.nodes[0].cards[0].plug.slot = "A1";
    plan.nodes[0].cards[1].plug.slot = "A2";
    CHECK(codes_of(plan).empty());
    plan.nodes[0].cards[1].plug.slot = "B1";
    CHECK(codes_of(plan) == Codes{"W_NUMA_CROSS"});
  }
  SECTION("an uplink that is narrower than what hangs below it") {
    plan.nodes[0].adapters = {{"sw", "switch4", {"PCIE1", {}}, {}}};
    plan.nodes[0].cards[0].plug.slot = "sw/0";
    CHECK(codes_of(plan).empty());
    plan.nodes[0].cards[1].plug.slot = "sw/1";
    CHECK(codes_of(plan) == Codes{"W_SWITCH_UPLINK_OVERSUB"});
  }
  SECTION("a translating IOMMU") {
    plan.nodes[0].host.iommu_translates = true;
    CHECK(has(codes_of(plan), {"W_IOMMU_PT", "W_NO_P2P"}));
  }
}

TEST_CASE("Connectors without bridge, bridges over a part, and a card between bridged ones") {
  auto plan = rig("seven", "server", {{"pair", "PCIE1"}, {"pair", "PCIE2"}, {"pair", "PCIE3"}});
  CHECK(codes_of(plan).contains("W_NVLINK_ABSENT"));
  plan.nodes[0].bridges = {{"nvlink-2", {0, 1}, 0}};
  CHECK_FALSE(codes_of(plan).contains("W_NVLINK_ABSENT"));
  CHECK(codes_of(plan).contains("W_NVLINK_UNUSED"));
  CHECK_FALSE(codes_of(plan).contains("W_NVLINK_SLOT_SPACING"));
  plan.nodes[0].bridges = {{"nvlink-2", {0, 2}, 0}};
  CHECK(codes_of(plan).contains("W_NVLINK_SLOT_SPACING"));
}

TEST_CASE("More than nine peers of a driver that allows eight", "[bad-input-79]") {
  auto nine = std::vector<std::pair<std::string, std::string>>(8, {"pro", ""});
  auto plan = rig("seven", "server", nine);
  plan.nodes[0].adapters = {{"sw", "switch4", {"PCIE7", {}}, {}}, {"sw2", "switch4", {"PCIE6", {}}, {}}};
  CHECK_FALSE(codes_of(plan).contains("W_PEER_LIMIT_8"));
  nine.resize(10, {"pro", ""});
  auto ten = rig("seven", "server", nine);
  ten.nodes[0].adapters = plan.nodes[0].adapters;
  CHECK(codes_of(ten).contains("W_PEER_LIMIT_8"));
}

TEST_CASE("Every code is explained in the catalog") {
  // All codes that the rules can give, so that none lacks its page.
  for (const auto* code : {"W_CHIPSET_SLOT",
                           "W_LANES_X1",
                           "W_UNEQUAL_WIDTH",
                           "W_SLOT_PHYSICAL_VS_ELECTRICAL",
                           "W_UPLINK_SHARED",
                           "W_SWITCH_UPLINK_OVERSUB",
                           "W_SWITCH_MULTIROOT",
                           "W_NUMA_CROSS",
                           "W_NO_P2P",
                           "W_NVLINK_SLOT_SPACING",
                           "W_NVLINK_UNUSED",
                           "W_NVLINK_ABSENT",
                           "W_NIC_PER_SWITCH",
                           "W_LINK_DOWNTRAINED",
                           "W_LINK_LOCKED_GEN1",
                           "W_PEER_LIMIT_8",
                           "W_ABOVE4G",
                           "W_MMIO_WINDOW",
                           "W_IOMMU_PT",
                           "W_RISER_AER",
                           "W_P2P_FALSE_GRANT",
                           "W_NET_BW",
                           "W_RPC_LATENCY",
                           "W_DRIVER_PATCH",
                           "W_VBIOS",
                           "W_MIXED_VRAM"}) {
    INFO(code);
    CHECK(shipped().warnings.find(code) != nullptr);
  }
}
