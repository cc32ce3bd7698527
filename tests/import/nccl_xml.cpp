// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "rigplan/import/topology_formats.h"
#include "rigplan/json/data_error.h"
#include "rigplan/report/topology.h"
#include "topology/small_catalog.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

constexpr auto two_cards = R"(<system version="1">
  <cpu numaid="0" arch="x86_64" vendor="AuthenticAMD">
    <pci busid="0000:01:00.0" class="0x060400" link_speed="16.0 GT/s PCIe" link_width="16">
      <pci busid="0000:02:00.0" class="0x030200" link_speed="2.5 GT/s PCIe" link_width="16"><gpu dev="0" sm="86" rank="0"/></pci>
      <pci busid="0000:03:00.0" class="0x030200" link_speed="Unknown speed" link_width="0"><gpu dev="1" sm="86" rank="1"/></pci>
    </pci>
    <what/>
    <pci busid="0000:04:00.0" class="0x030200" link_speed="32 GT/s PCIe/s" link_width="3"><gpu dev="2" sm="86" rank="2"/></pci>
  </cpu>
</system>)";

bool asks(const std::vector<Question>& questions, std::string_view text) {
  for (const auto& question : questions)
    if (question.text.find(text) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("A dump keeps what it says and asks about the rest", "[bad-input-67][bad-input-69][bad-input-71][bad-input-76]") {
  const auto machine = import_nccl_xml("topo.xml", two_cards);
  REQUIRE(machine.devices.size() == 4);
  CHECK(machine.unknown_tags == 1);
  CHECK(machine.devices[0].kind == ImportedKind::bridge);
  CHECK(machine.devices[1].architecture == "sm_86");
  CHECK(machine.devices[1].generation == 1);
  CHECK_FALSE(machine.devices[2].generation);  // "Unknown speed" is missing, not zero
  CHECK(machine.devices[2].lanes == 16);       // a width of 0 is read as 16
  CHECK(asks(machine.questions, "width is stated as 0"));
  CHECK(machine.devices[3].generation == 5);  // "32 GT/s PCIe/s"
  CHECK_FALSE(machine.devices[3].lanes);      // x3 does not exist
  CHECK(asks(machine.questions, "x3 is no width"));
}

TEST_CASE("An idle link is planned with what the card can do, and asked about", "[bad-input-64]") {
  auto catalog = small_catalog();
  const auto imported = to_rig(import_nccl_xml("topo.xml", two_cards), catalog, "pro");
  CHECK(asks(imported.questions, "idle? measure under load"));
  CHECK(asks(imported.questions, "1 unknown elements"));
  CHECK(imported.rig.nodes[0].own_board->slots[0].link == PcieLink{4, 16});
  CHECK(imported.rig.nodes[0].own_board->switches.size() == 1);  // two branches below one bridge
  CHECK(imported.rig.nodes[0].own_board->slots[0].fed_by == "sw0");
  CHECK(imported.rig.nodes[0].own_board->slots[2].fed_by == "cpu0");
}

TEST_CASE("What is exported comes back with the same cards, links and bridges") {
  const auto catalog = small_catalog();
  auto plan = rig("seven", "server", {{"ring", "sw/0"}, {"ring", "sw/1"}, {"ring", "PCIE2"}, {"ring", "PCIE3"}});
  plan.nodes[0].adapters = {{"sw", "switch4", {"PCIE1", {}}, {}}};
  plan.nodes[0].bridges = {{"xgmi-4", {0, 1, 2, 3}, 0}};
  const auto before = build_graph(plan, catalog);
  const auto imported = to_rig(import_nccl_xml("x", topology_nccl_xml(before)), catalog);
  const auto after = build_graph(imported.rig, catalog);
  REQUIRE(after.cards() == 4);
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b) {
      if (a == b) continue;
      const auto one = route(before, a, b, PeerAssumption::always_yes), two = route(after, a, b, PeerAssumption::always_yes);
      CHECK(one.kind == two.kind);
      CHECK(bandwidth(before, one) == bandwidth(after, two));
    }
}

TEST_CASE("Other XML and broken XML name the line") {
  CHECK_THROWS_WITH(import_nccl_xml("a.xml", "<root/>"), Catch::Contains("a.xml:1") && Catch::Contains("expected <system>"));
  CHECK_THROWS_WITH(import_nccl_xml("a.xml", "<system>\n<cpu>\n</system>"), Catch::Contains("a.xml:3"));
}

TEST_CASE("A link to a device that the file does not hold, and a processor without a name, are questions", "[bad-input-70][bad-input-71]") {
  const auto catalog = small_catalog();
  const auto machine = import_nccl_xml("x", R"(<system version="1"><cpu numaid="0">
    <pci busid="0000:01:00.0" class="0x030200" link_speed="16 GT/s" link_width="16"><gpu dev="0" sm="86" rank="0">
      <nvlink target="0000:99:00.0" count="4" tclass="0x030200"/></gpu></pci></cpu></system>)");
  const auto imported = to_rig(machine, catalog, "pair");
  CHECK(asks(imported.questions, "0000:99:00.0"));
  CHECK(imported.rig.nodes[0].bridges.empty());
  CHECK(asks(imported.questions, "which processor"));
}
