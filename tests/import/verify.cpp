// SPDX-License-Identifier: Apache-2.0
#include "rigplan/import/verify.h"

#include <catch2/catch.hpp>

#include "rigplan/import/topology_formats.h"
#include "rigplan/report/topology.h"
#include "topology/small_catalog.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

const Catalog& catalog() {
  static const auto one = small_catalog();
  return one;
}
Rig four_cards() { return rig("seven", "server", {{"pro", "PCIE1"}, {"pro", "PCIE2"}, {"pro", "PCIE3"}, {"pro", "PCIE4"}}); }
/// What a machine like this plan would print.
ImportedMachine machine_like(const Rig& built) {
  return import_nccl_xml("topo.xml", topology_nccl_xml(build_graph(built, catalog())));
}

std::string first_subject(const Rig& plan, const Rig& built) {
  const auto result = verify(build_graph(plan, catalog()), machine_like(built));
  return result.differences.empty() ? "none" : result.differences.front().subject;
}

}  // namespace

TEST_CASE("A machine that is as planned has no differences") {
  const auto plan = four_cards();
  CHECK(verify(build_graph(plan, catalog()), machine_like(plan)).differences.empty());
  auto bridged = rig("seven", "server", {{"ring", "PCIE1"}, {"ring", "PCIE2"}, {"ring", "PCIE3"}, {"ring", "PCIE4"}});
  bridged.nodes[0].bridges = {{"xgmi-4", {0, 1, 2, 3}, 0}};
  CHECK(verify(build_graph(bridged, catalog()), machine_like(bridged)).differences.empty());
}

TEST_CASE("The card that trained to fewer lanes is named, the others are not") {
  auto built = four_cards();
  built.nodes[0].cards[2].trained = PcieLink{4, 4};
  const auto result = verify(build_graph(four_cards(), catalog()), machine_like(built));
  REQUIRE(result.differences.size() == 1);
  CHECK(result.differences[0].found.find("PCIe 4.0 x4") != std::string::npos);
  CHECK(result.differences[0].advice.find("fewer lanes") != std::string::npos);
}

TEST_CASE("Missing cards, missing bridges and cards below another switch are differences") {
  auto built = four_cards();
  built.nodes[0].cards.pop_back();
  CHECK(first_subject(four_cards(), built) == "cards");

  auto bridged = rig("seven", "server", {{"pair", "PCIE1"}, {"pair", "PCIE2"}});
  const auto without = bridged;
  bridged.nodes[0].bridges = {{"nvlink-2", {0, 1}, 0}};
  CHECK(first_subject(bridged, without) == "bridges");

  auto switched = four_cards();
  switched.nodes[0].adapters = {{"sw", "switch4", {"PCIE7", {}}, {}}};
  switched.nodes[0].cards[0].plug.slot = "sw/0";
  switched.nodes[0].cards[1].plug.slot = "sw/1";
  CHECK(first_subject(switched, four_cards()) == "switches");
}

TEST_CASE("A link that idles is a question, not a difference", "[bad-input-64]") {
  auto built = four_cards();
  built.nodes[0].cards[1].trained = PcieLink{1, 16};
  const auto result = verify(build_graph(four_cards(), catalog()), machine_like(built));
  CHECK(result.differences.empty());
  CHECK(result.questions.size() == 1);
}
