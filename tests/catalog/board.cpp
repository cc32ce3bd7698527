// SPDX-License-Identifier: Apache-2.0
#include "rigplan/catalog/board.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <set>

#include "catalog/shipped.h"

using namespace rigplan;

namespace {

Catalog read_board(const std::string& slots, const std::string& rest = "") {
  const std::vector<CatalogFile> files{
      {"boards.json", R"({"schema": "rigplan/boards/1", "sources": {"manual": {"where": "a manual"}},
    "boards": [{"id": "board", "source": "manual", "socket": "SP3", )" +
                          rest + R"("slots": [)" + slots + "]}]}"}};
  return read_catalog(files);
}

const Slot& slot_of(const Board& board, const std::string& id) {
  const auto at = std::find_if(board.slots.begin(), board.slots.end(), [&](const Slot& slot) { return slot.id == id; });
  REQUIRE(at != board.slots.end());
  return *at;
}

/// Lanes that a feeder hands out when every slot is occupied: slots that share keep what the sharing leaves them.
int lanes_when_full(const Board& board, const std::string& feeder) {
  int lanes = 0;
  for (const auto& slot : board.slots)
    if (slot.fed_by == feeder) lanes += slot.shares_with.empty() ? slot.link.lanes : slot.lanes_when_shared;
  for (const auto& one : board.switches)
    if (one.fed_by == feeder) lanes += one.upstream.lanes;
  return lanes;
}

/// The most lanes that a processor of this socket has for slots; 0: no processor of the socket is known. In boards with two
/// sockets an EPYC gives at least 48 of its 128 lanes to the link between them.
int most_lanes(const Board& board) {
  int most = 0;
  for (const auto& cpu : shipped_catalog().cpus.entries)
    if (cpu.socket == board.socket) most = std::max(most, cpu.pcie.lanes);
  return most == 128 && board.sockets == 2 ? 80 : most;
}

}  // namespace

TEST_CASE("a slot is read with its length, splits and sharing") {
  const auto catalog = read_board(R"({"id": "A", "link": "PCIe 4.0 x16", "fed_by": "cpu0", "splits": ["x8x8", "x8x4x4"],
                                      "shares_with": ["B"], "lanes_when_shared": 8},
                                     {"id": "B", "length": 16, "link": "PCIe 4.0 x8", "fed_by": "chipset"})");
  const auto& board = catalog.boards.entries.front();
  CHECK(board.slots[0].link == PcieLink{4, 16});
  CHECK(board.slots[0].physical_lanes == 16);
  CHECK(board.slots[0].splits == std::vector<std::vector<int>>{{8, 8}, {8, 4, 4}});
  CHECK(board.slots[0].lanes_when_shared == 8);
  CHECK(board.slots[1].physical_lanes == 16);
  CHECK(board.slots[1].link.lanes == 8);
}

TEST_CASE("wiring that cannot be is refused") {
  const std::pair<const char*, const char*> bad[] = {
      {R"({"id": "A", "length": 8, "link": "PCIe 4.0 x16", "fed_by": "cpu0"})", "cannot have more lanes than fit"},
      {R"({"id": "A", "link": "PCIe 4.0 x16", "fed_by": "cpu1"})", "expected one of cpu0, chipset"},
      {R"({"id": "A", "link": "PCIe 4.0 x16", "fed_by": "sw0"})", "expected one of cpu0, chipset"},
      {R"({"id": "A", "link": "PCIe 4.0 x8", "fed_by": "cpu0", "splits": ["x8x8"]})", "together at most 8 lanes"},
      {R"({"id": "A", "link": "PCIe 4.0 x16", "fed_by": "cpu0", "splits": ["8+8"]})", "expected a split such as"},
      {R"({"id": "A", "link": "PCIe 4.0 x16", "fed_by": "cpu0", "shares_with": ["B"]})", "not another slot of this board"},
      {R"({"id": "A", "link": "PCIe 4.0 x16", "fed_by": "cpu0"}, {"id": "A", "link": "PCIe 4.0 x16", "fed_by": "cpu0"})",
       "stands twice"},
      {R"({"id": "A", "link": "PCIe 4 x16", "fed_by": "cpu0"})", "expected a link such as"},
      {R"({"id": "A", "link": "PCIe 4.0 x16", "fed_by": "cpu0", "lane_splits": []})", "unknown key"},
  };
  for (const auto& [slots, message] : bad) CHECK_THROWS_WITH(read_board(slots), Catch::Contains(message));
}

TEST_CASE("a second socket may feed slots where there is one") {
  CHECK_NOTHROW(read_board(R"({"id": "A", "link": "PCIe 4.0 x16", "fed_by": "cpu1"})", R"("sockets": 2, )"));
  CHECK_NOTHROW(read_board(R"({"id": "A", "link": "PCIe 3.0 x16", "fed_by": "sw0"})",
                           R"("switches": [{"id": "sw0", "upstream": "PCIe 3.0 x16", "fed_by": "cpu0"}], )"));
}

TEST_CASE("the catalog has boards enough, each with its own id and with slots") {
  const auto& boards = shipped_catalog().boards.entries;
  CHECK(boards.size() >= 45);
  std::set<std::string> ids;
  for (const auto& board : boards) {
    CAPTURE(board.id);
    CHECK(ids.insert(board.id).second);
    CHECK_FALSE(board.slots.empty());
  }
}

TEST_CASE("no socket feeds more lanes than its processors have") {
  for (const auto& board : shipped_catalog().boards.entries) {
    const int most = most_lanes(board);
    if (most == 0 || board.includes_cpu) continue;
    for (int socket = 0; socket < board.sockets; ++socket) {
      CAPTURE(board.id, socket);
      CHECK(lanes_when_full(board, "cpu" + std::to_string(socket)) <= most);
    }
  }
}

TEST_CASE("slots of a chipset have an uplink to share") {
  for (const auto& board : shipped_catalog().boards.entries)
    for (const auto& slot : board.slots) {
      CAPTURE(board.id, slot.id);
      if (slot.fed_by == "chipset") CHECK(board.chipset_uplink);
    }
}

TEST_CASE("memory bandwidth of a board is its channels times the rate of its modules") {
  for (const auto& board : shipped_catalog().boards.entries) {
    if (!board.memory_bandwidth || board.memory_channels == 0) continue;
    CAPTURE(board.id);
    // "DDR4-3200 RDIMM": 3200 million transfers of 8 bytes.
    const double transfers = std::stod(board.memory_type.substr(board.memory_type.find('-') + 1));
    CHECK(board.memory_bandwidth->in(GB_per_s) == Approx(board.memory_channels * transfers * 8 / 1000).epsilon(0.01));
  }
}

TEST_CASE("boards whose wiring is well known") {
  const auto& boards = shipped_catalog().boards;
  const auto* romed8 = boards.find("asrock-rack-romed8-2t");
  REQUIRE(romed8);
  // Seven long slots, all x16 of generation 4; the second lends lanes to two OCuLink connectors.
  CHECK(std::count_if(romed8->slots.begin(), romed8->slots.end(), [](const Slot& s) { return s.link == PcieLink{4, 16}; }) == 7);
  CHECK(slot_of(*romed8, "PCIE2").shares_with == std::vector<std::string>{"OCU1", "OCU2"});
  const auto* h12 = boards.find("H12SSL-i");
  REQUIRE(h12);
  CHECK(std::count_if(h12->slots.begin(), h12->slots.end(), [](const Slot& s) { return s.link == PcieLink{4, 16}; }) == 5);
  const auto* x670e = boards.find("asus-proart-x670e-creator-wifi");
  REQUIRE(x670e);
  CHECK(slot_of(*x670e, "PCIEX16_1").lanes_when_shared == 8);
  CHECK(slot_of(*x670e, "PCIEX16_2").link == PcieLink{5, 8});
  CHECK(slot_of(*x670e, "PCIEX16_3").fed_by == "chipset");
}

TEST_CASE("every socket of a board has a processor in the catalog") {
  for (const auto& board : shipped_catalog().boards.entries) {
    if (board.includes_cpu) continue;
    CAPTURE(board.id, board.socket);
    CHECK(most_lanes(board) > 0);
  }
}

TEST_CASE("processors keep to what their sockets can carry") {
  for (const auto& cpu : shipped_catalog().cpus.entries) {
    CAPTURE(cpu.id);
    CHECK(cpu.pcie.lanes >= 16);
    CHECK(cpu.memory_bandwidth > 10 * GB_per_s);
    // Eight bytes a transfer: DDR5-6400 on twelve channels, 614 GB/s, is the most that any of them reaches.
    CHECK(cpu.memory_bandwidth <= 620 * GB_per_s);
    CHECK(cpu.tdp);
  }
}
