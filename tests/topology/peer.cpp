// SPDX-License-Identifier: Apache-2.0
#include "rigplan/topology/peer.h"

#include <catch2/catch.hpp>

#include <algorithm>

#include "topology/small_catalog.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

PeerVerdict verdict(const Rig& plan) {
  static const auto catalog = small_catalog();
  return peer_access(build_graph(plan, catalog), 0, 1);
}
bool names(const PeerVerdict& verdict, std::string_view code) {
  return std::any_of(verdict.conditions.begin(), verdict.conditions.end(), [&](const auto& one) { return one.code == code; });
}

}  // namespace

TEST_CASE("A class that drivers refuse stays refused until the driver is patched") {
  auto plan = rig("seven", "server", {{"refused", "PCIE1"}, {"refused", "PCIE2"}});
  CHECK(verdict(plan).answer == PeerOverPcie::no);
  plan.nodes[0].host.peer_driver = true;
  CHECK(verdict(plan).answer == PeerOverPcie::yes);
  CHECK(names(verdict(plan), "driver"));
}

TEST_CASE("A bridge grants what PCIe refuses") {
  auto plan = rig("seven", "server", {{"pair", "PCIE1"}, {"pair", "PCIE2"}});
  CHECK(verdict(plan).answer == PeerOverPcie::no);
  plan.nodes[0].bridges = {{"nvlink-2", {0, 1}, 0}};
  CHECK(verdict(plan).answer == PeerOverPcie::yes);
  CHECK(names(verdict(plan), "bridge"));
}

TEST_CASE("Cards that depend on their memory window are unknown until its size is stated") {
  auto plan = rig("seven", "server", {{"plain", "PCIE1"}, {"plain", "PCIE2"}});
  CHECK(verdict(plan).answer == PeerOverPcie::unknown);
  for (auto& card : plan.nodes[0].cards) card.bar = 16 * GiB;  // over all of the memory
  CHECK(verdict(plan).answer == PeerOverPcie::yes);
  plan.nodes[0].cards[1].bar = 256 * MiB;
  CHECK(verdict(plan).answer == PeerOverPcie::no);
  plan.nodes[0].cards[1].peer_over_pcie = PeerOverPcie::yes;  // the owner knows better
  CHECK(verdict(plan).answer == PeerOverPcie::yes);
}

TEST_CASE("A translating IOMMU, missing address space or root ports of the wrong host refuse") {
  auto plan = rig("seven", "server", {{"plain", "PCIE1"}, {"plain", "PCIE2"}});
  for (auto& card : plan.nodes[0].cards) card.bar = 16 * GiB;
  plan.nodes[0].host.iommu_translates = true;
  CHECK(verdict(plan).answer == PeerOverPcie::no);
  plan.nodes[0].host = {};
  plan.nodes[0].host.above_4g = false;
  CHECK(verdict(plan).answer == PeerOverPcie::no);
  plan.nodes[0].host = {};
  plan.nodes[0].cpu = "intel";
  CHECK(verdict(plan).answer == PeerOverPcie::no);
  // Below one switch the host does not matter.
  plan.nodes[0].adapters = {{"sw", "switch4", {"PCIE1", {}}, {}}};
  plan.nodes[0].cards[0].plug.slot = "sw/0";
  plan.nodes[0].cards[1].plug.slot = "sw/1";
  CHECK(verdict(plan).answer == PeerOverPcie::yes);
  plan.nodes[0].host.acs_redirect = true;
  CHECK(verdict(plan).answer == PeerOverPcie::no);
}

TEST_CASE("Unknown access gives both answers", "[bad-input-75]") {
  CHECK_FALSE(may_peer(PeerOverPcie::unknown, PeerAssumption::unknown_is_no));
  CHECK(may_peer(PeerOverPcie::unknown, PeerAssumption::unknown_is_yes));
  CHECK_FALSE(may_peer(PeerOverPcie::no, PeerAssumption::unknown_is_yes));
  CHECK(may_peer(PeerOverPcie::no, PeerAssumption::always_yes));
  CHECK_FALSE(may_peer(PeerOverPcie::yes, PeerAssumption::always_no));
}
