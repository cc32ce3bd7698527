// SPDX-License-Identifier: Apache-2.0
#include "rigplan/topology/rig.h"

#include <catch2/catch.hpp>

#include "rigplan/json/cursor.h"
#include "rigplan/json/json_file.h"
#include "rigplan/topology/graph.h"
#include "rigplan/topology/rig_json.h"
#include "topology/small_catalog.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

Rig read(const std::string& text) {
  static const auto catalog = small_catalog();
  const auto file = JsonFile::parse("rig.json", text, JsonComments::allowed);
  return read_rig(Cursor{file}, catalog);
}
std::string error(const std::string& nodes) {
  try {
    read("{ \"schema\": \"rigplan/rig/1\",\n \"nodes\": [" + nodes + "] }");
  } catch (const DataError& e) {
    return e.what();
  }
  return {};
}

constexpr auto whole = R"({
  "schema": "rigplan/rig/1", "name": "all of it",  // a comment
  "nodes": [
    { "id": "a", "count": 2, "board": "seven", "cpu": "server", "memory": "128 GiB", "psus": [{ "part": "riser3", "count": 2 }],
      "adapters": [{ "id": "sw", "part": "switch4", "plug": "PCIE7" }],
      "cards": [{ "gpu": "ring", "plug": "sw/0", "via": ["riser3"], "power_cap": "200 W", "bar": "16 GiB" },
                { "gpu": "ring", "plug": "sw/1", "trained": "PCIe 3.0 x8", "peer_over_pcie": "yes" },
                { "gpu": "pro", "count": 3 }],
      "nics": [{ "part": "nic-100", "plug": "PCIE1" }],
      "bridges": [{ "cards": [0, 1], "links": 2 }],
      "host": { "above_4g": true, "acs_redirect": false } },
    { "board": { "name": "own", "sockets": 2, "chipset_uplink": "3.0 x4", "chipset_devices": ["nvme"],
                 "switches": [{ "id": "plx", "upstream": "3.0 x16", "fed_by": "cpu1" }],
                 "slots": [{ "id": "S", "link": "3.0 x8", "length": 16, "fed_by": "plx", "splits": ["x4x4"] }] },
      "cards": [{ "gpu": "plain", "plug": "S" }] } ],
  "network": { "rate": "100 Gbit/s", "rdma": true, "oversubscription": 2 },
  "bill": [{ "item": "screws", "count": 4, "price": "2 yuan" }] })";

}  // namespace

TEST_CASE("A rig file is read whole") {
  const auto plan = read(whole);
  REQUIRE(plan.nodes.size() == 2);
  CHECK(plan.cards() == 11);  // two machines with five, one with one
  const auto& a = plan.nodes[0];
  CHECK(a.psus.size() == 2);
  CHECK(a.cards[0].plug.via == std::vector<std::string>{"riser3"});
  CHECK(a.cards[0].power_cap == 200 * watt);
  CHECK(a.cards[1].trained == PcieLink{3, 8});
  CHECK(a.cards[1].peer_over_pcie == PeerOverPcie::yes);
  CHECK(a.bridges[0].links == 2);
  CHECK(a.host.above_4g == true);
  CHECK_FALSE(a.host.iommu_translates);
  REQUIRE(plan.nodes[1].own_board);
  CHECK(plan.nodes[1].own_board->slots[0].splits == std::vector<std::vector<int>>{{4, 4}});
  CHECK(plan.network->rate == 12.5 * GB_per_s);
  CHECK(plan.bill[0].price == 2 * yuan);
}

TEST_CASE("A rig that is written and read again is the same") {
  const auto once = to_json_text(to_json(read(whole)));
  CHECK(to_json_text(to_json(read(once))) == once);
}

TEST_CASE("Errors of rig files name the place and what is near") {
  CHECK(error(R"({"board":"sevn"})") ==
        "rig.json:2: /nodes/0/board: there is no board \"sevn\" in the catalog; did you mean \"seven\"?");
  CHECK(
      error("{\"board\":\"seven\",\n\"cards\":[{\"gpu\":\"pro\",\"plug\":\"PCIE1\"},\n{\"gpu\":\"pro\",\"plug\":\"PCIE1\"}]}") ==
      "rig.json:4: /nodes/0/cards/1: slot \"PCIE1\" is used twice: card 0 is in it already");
  CHECK(error(R"({"board":"seven","cards":[{"gpu":"pro","plug":"PCIE1","count":2}]})").find("cannot share the plug") !=
        std::string::npos);
  CHECK(error(R"({"board":"seven","cards":[{"gpu":"pro","trained":"PCIe 3.0 x3"}]})").find("expected a link") !=
        std::string::npos);
  CHECK(error(R"({"board":"seven","card":[]})").find("did you mean \"cards\"") != std::string::npos);
  CHECK(error(R"({"board":"seven","bridges":[{"cards":[0,1]}]})").find("there is no card 0; the node has 0") !=
        std::string::npos);
  const auto own = [](const std::string& rest) { return error(R"({"board":{"name":"own",)" + rest + "}}"); };
  CHECK(
      own(R"("slots":[{"id":"A","link":"3.0 x8","fed_by":"spu0"}])").find("is fed by \"spu0\"; expected one of cpu0, chipset") !=
      std::string::npos);
  CHECK(own(R"("slots":[{"id":"A","link":"3.0 x8"},{"id":"A","link":"3.0 x8"}])").find("\"A\" stands twice") !=
        std::string::npos);
  CHECK(own(R"("switches":[{"id":"p","upstream":"3.0 x8","fed_by":"q"},{"id":"q","upstream":"3.0 x8","fed_by":"p"}])")
            .find("hangs in a circle") != std::string::npos);
}
