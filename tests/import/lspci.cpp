// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "rigplan/import/topology_formats.h"
#include "rigplan/topology/graph.h"
#include "topology/small_catalog.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

constexpr auto text = R"(00:01.1 PCI bridge: Advanced Micro Devices root port (prog-if 00 [Normal decode])
	Bus: primary=00, secondary=01, subordinate=03, sec-latency=0
		LnkCap:	Port #0, Speed 16GT/s, Width x16
		LnkSta:	Speed 8GT/s (downgraded), Width x8 (downgraded)
		LnkCap2: Supported Link Speeds: 2.5-16GT/s
		LnkCtl2: Target Link Speed: 16GT/s
01:00.0 PCI bridge: upstream port on the card
	Bus: primary=01, secondary=02, subordinate=03, sec-latency=0
		LnkCap:	Port #0, Speed 16GT/s, Width x16
		LnkSta:	Speed 8GT/s (downgraded), Width x8 (downgraded)
02:00.0 PCI bridge: downstream port on the card
	Bus: primary=02, secondary=03, subordinate=03, sec-latency=0
		LnkSta:	Speed 16GT/s, Width x16
		ACSCtl:	SrcValid+ TransBlk- ReqRedir+ CmpltRedir+
03:00.0 Display controller: Advanced Micro Devices, Inc. [AMD/ATI] Vega 20 [plain] (rev 02)
	NUMA node: 0
	Region 0: Memory at 18000000000 (64-bit, prefetchable) [size=16G]
	Region 2: Memory at 18400000000 (64-bit, prefetchable) [size=2M]
		LnkCap:	Port #0, Speed 16GT/s, Width x16
		LnkSta:	Speed 16GT/s, Width x16
04:00.0 VGA compatible controller: ASPEED Technology, Inc. ASPEED Graphics Family
05:00.0 VGA compatible controller: NVIDIA Corporation Device [pro]
		LnkCap:	Port #0, Speed 16GT/s, Width x16
		LnkSta:	Speed unknown, Width x16
)";

}  // namespace

TEST_CASE("lspci: the named lines only, with their remarks taken off", "[bad-input-63][bad-input-65][bad-input-67]") {
  const auto machine = import_lspci("lspci.txt", text);
  REQUIRE(machine.devices.size() == 6);
  const auto& root = machine.devices[0];
  CHECK(root.generation == 3);
  CHECK(root.lanes == 8);
  CHECK(root.downgraded);
  CHECK(root.able == PcieLink{4, 16});
  const auto& card = machine.devices[3];
  CHECK(card.kind == ImportedKind::gpu);
  CHECK(card.bar == 16 * GiB);
  CHECK(card.parent == 2);
  CHECK(machine.devices[2].parent == 1);
  CHECK(machine.devices[1].parent == 0);
  CHECK(machine.devices[4].kind == ImportedKind::other);  // remote management draws pictures, too
  CHECK_FALSE(machine.devices[5].generation);             // "Speed unknown"
}

TEST_CASE("lspci: the least on the way up to the root counts, and the window comes along", "[bad-input-66]") {
  const auto catalog = small_catalog();
  const auto imported = to_rig(import_lspci("lspci.txt", text), catalog);
  const auto& node = imported.rig.nodes[0];
  REQUIRE(node.cards.size() == 2);
  CHECK(node.cards[0].gpu == "plain");
  CHECK(node.cards[0].bar == 16 * GiB);
  CHECK(node.own_board->slots[0].link == PcieLink{3, 8});
  CHECK(node.own_board->slots[1].link == PcieLink{4, 16});  // what the card can do, since the speed is not known
  CHECK(node.host.acs_redirect == true);
  bool asked = false;
  for (const auto& question : imported.questions) asked |= question.text.find("slot, riser or contact") != std::string::npos;
  CHECK(asked);
}

TEST_CASE("lspci: what a guest shows is marked as a guest's reading", "[bad-input-74]") {
  CHECK_FALSE(import_lspci("lspci.txt", text).guest);
  const auto machine =
      import_lspci("lspci.txt", std::string{text} + "06:00.0 Ethernet controller: Red Hat, Inc. Virtio network device\n");
  CHECK(machine.guest);
  const auto imported = to_rig(machine, small_catalog(), "plain");
  CHECK(imported.rig.nodes[0].host.virtual_machine == true);
  CHECK(std::any_of(imported.questions.begin(), imported.questions.end(),
                    [](const Question& question) { return question.subject == "guest"; }));
}
