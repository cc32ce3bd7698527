// SPDX-License-Identifier: Apache-2.0
// Rigs of the boards and cards that the program carries.
#include <catch2/catch.hpp>
#include <chrono>

#include "rigplan/json/data_error.h"
#include "rigplan/topology/assign_slots.h"
#include "rigplan/topology/pcie.h"

using namespace rigplan;

namespace {

const Catalog& shipped() {
  static const auto catalog = read_catalog(built_in_catalog_files());
  return catalog;
}
PcieLink link_of(const RigGraph& graph, std::size_t card) {
  const auto& node = graph.node(0);
  return node.links[static_cast<std::size_t>(node.upward[static_cast<std::size_t>(node.cards[card])])].pcie;
}

}  // namespace

TEST_CASE("Eight cards on a board with seven long slots: one slot is split, nothing goes into M.2") {
  const auto plan = rig_of(shipped(), "mi50-32gb", 8, "asrock-rack-romed8-2t");
  CHECK(plan.cards() == 8);
  REQUIRE(plan.nodes.size() == 1);
  CHECK(plan.nodes[0].adapters.size() == 1);
  const auto graph = build_graph(plan, shipped());
  int split = 0;
  for (std::size_t i = 0; i < 8; ++i) split += link_of(graph, i).lanes < 16;
  CHECK(split == 2);
  for (const auto& card : plan.nodes[0].cards) CHECK(card.plug.slot.find("M2") == std::string::npos);
}

TEST_CASE("A second card on a desktop board goes where the board has room for it") {
  const auto x570 = build_graph(rig_of(shipped(), "rtx-3090", 2, "am4-x570-board"), shipped());
  CHECK(link_of(x570, 0) == PcieLink{4, 16});
  CHECK(link_of(x570, 1) == PcieLink{4, 4});  // the chipset's slot
  const auto x670e = build_graph(rig_of(shipped(), "rx-7900-xtx", 2, "asus-proart-x670e-creator-wifi"), shipped());
  CHECK(link_of(x670e, 0) == PcieLink{4, 8});  // the first slot gives eight of its lanes
  CHECK(link_of(x670e, 1) == PcieLink{4, 8});
}

TEST_CASE("Mining boards take their cards on risers of one lane") {
  const auto plan = rig_of(shipped(), "mi50-32gb", 8, "biostar-tb250-btc-pro");
  const auto graph = build_graph(plan, shipped());
  CHECK(link_of(graph, 0).lanes == 16);
  CHECK(link_of(graph, 7).lanes == 1);
  CHECK_FALSE(plan.nodes[0].cards[7].plug.via.empty());
}

TEST_CASE("Modules go on a host that names them, and have their fabric") {
  const auto graph = build_graph(rig_of(shipped(), "h200-sxm-141gb", 8, ""), shipped());
  CHECK(graph.rig.nodes[0].board == "nvidia-hgx-h100-8");
  CHECK_FALSE(graph.node(0).peer_out[static_cast<std::size_t>(graph.node(0).cards[7])].empty());
}

TEST_CASE("Two cards on every board are a rig or a plain error, in little time") {
  const auto start = std::chrono::steady_clock::now();
  int rigs = 0;
  for (const auto& board : shipped().boards.entries) {
    INFO(board.id);
    try {
      const auto plan = rig_of(shipped(), "rtx-3090", 2, board.id);
      CHECK(build_graph(plan, shipped()).cards() == 2);
      ++rigs;
    } catch (const DataError& error) {
      CHECK(std::string{error.what()}.find("slot") != std::string::npos);
    }
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  CHECK(rigs > 100);
  CHECK(took.count() < 20);
}
