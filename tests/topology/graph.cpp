// SPDX-License-Identifier: Apache-2.0
#include "rigplan/topology/graph.h"

#include <catch2/catch.hpp>

#include <chrono>

#include "rigplan/json/data_error.h"
#include "rigplan/topology/contention.h"
#include "rigplan/topology/pcie.h"
#include "topology/small_catalog.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

Bandwidth rate(PcieLink link) { return pcie_bandwidth(link); }
const auto unknown_is_no = PeerAssumption::unknown_is_no;

}  // namespace

TEST_CASE("Peers on two root ports are bound by the narrower link") {
  const auto catalog = small_catalog();
  auto plan = rig("seven", "server", {{"pro", "PCIE1"}, {"pro", "PCIE2"}});
  plan.nodes[0].cards[1].trained = PcieLink{4, 8};
  const auto graph = build_graph(plan, catalog);
  const auto way = route(graph, 0, 1, unknown_is_no);
  CHECK(way.kind == RouteKind::pcie_peer);
  CHECK(way.hops.size() == 2);  // up one link, down the other; the processor is a point
  CHECK(bandwidth(graph, way) == rate({4, 8}));
  CHECK(graph.link_name(bottleneck(graph, way)) == "PCIE2 PCIe 4.0 x8");
  // 0.14 us at each end and 0.45 us through the root complex.
  CHECK(way.latency.in(us) == Approx(0.73));
}

TEST_CASE("Without peers bytes go through host memory, and memory sees them twice") {
  const auto catalog = small_catalog();
  const auto graph = build_graph(rig("desk", "desktop", {{"refused", "TOP"}, {"refused", "MID"}}), catalog);
  const auto way = route(graph, 0, 1, unknown_is_no);
  CHECK(way.kind == RouteKind::pcie_staged);
  const auto memory = graph.node(0).memory[0];
  CHECK(std::find(way.hops.begin(), way.hops.end(), Hop{memory, 2}) != way.hops.end());
  // Both slots have x8 (the first one shares with the second), the card is 4.0: 80 GB/s of memory do not limit.
  CHECK(bandwidth(graph, way) == rate({4, 8}));
}

TEST_CASE("A slot gives lanes away when its neighbour is taken, and keeps them otherwise") {
  const auto catalog = small_catalog();
  const auto alone = build_graph(rig("desk", "desktop", {{"pro", "TOP"}}), catalog);
  CHECK(alone.link(alone.node(0).upward[static_cast<std::size_t>(alone.node(0).cards[0])]).pcie == PcieLink{4, 16});
  const auto both = build_graph(rig("desk", "desktop", {{"pro", "TOP"}, {"pro", "MID"}}), catalog);
  CHECK(both.link(both.node(0).upward[static_cast<std::size_t>(both.node(0).cards[0])]).pcie == PcieLink{4, 8});
}

TEST_CASE("Two cards behind the chipset share its uplink; one in front of it does not") {
  const auto catalog = small_catalog();
  auto plan = rig("desk", "desktop", {{"refused", "TOP"}, {"refused", "LOW"}});
  const auto graph = build_graph(plan, catalog);
  // To the host from both cards at once: the second is bound by the uplink 4.0 x4.
  const std::vector<Route> flows = {route(graph, 0, 1, unknown_is_no), route(graph, 1, 0, unknown_is_no)};
  const auto shares = fair_shares(graph, flows);
  CHECK(shares[0] == rate({4, 4}));
  CHECK(shares[1] == rate({4, 4}));  // the two directions of the uplink are two links
}

TEST_CASE("Traffic below one switch does not cross its uplink; traffic to the host shares it") {
  const auto catalog = small_catalog();
  auto plan = rig("seven", "server", {{"pro", "sw/0"}, {"pro", "sw/1"}, {"pro", "PCIE2"}});
  plan.nodes[0].adapters = {{"sw", "switch4", {"PCIE1", {}}, {}}};
  auto graph = build_graph(plan, catalog);
  const auto below = route(graph, 0, 1, unknown_is_no);
  CHECK(below.hops.size() == 2);
  // 0.14 us at each end and 0.10 us through the switch.
  CHECK(below.latency.in(us) == Approx(0.38));
  const std::vector<Route> out = {route(graph, 0, 2, unknown_is_no), route(graph, 1, 2, unknown_is_no)};
  const auto shares = fair_shares(graph, out);
  CHECK(shares[0].in(GB_per_s) == Approx(rate({4, 16}).in(GB_per_s) / 2));
  CHECK(shares[1].in(GB_per_s) == Approx(rate({4, 16}).in(GB_per_s) / 2));

  SECTION("unless peer requests are redirected to the root") {
    plan.nodes[0].host.acs_redirect = true;
    graph = build_graph(plan, catalog);
    CHECK(route(graph, 0, 1, PeerAssumption::always_yes).hops.size() == 4);
  }
}

TEST_CASE("A switch in two slots is two switches: bytes between them pass the processors, not the chip") {
  auto catalog = small_catalog();
  for (auto& part : catalog.parts.entries)
    if (part.id == "switch4") std::get<PcieSwitch>(part.what).upstream_ports = 2;
  auto plan = rig("two", "server", {{"pro", "sw/0"}, {"pro", "sw/1"}, {"pro", "sw/2"}, {"pro", "sw/3"}});
  plan.nodes[0].adapters = {{"sw", "switch4", {"A1", {}}, {{"B1", {}}}}};
  const auto graph = build_graph(plan, catalog);
  CHECK(route(graph, 0, 1, unknown_is_no).hops.size() == 2);
  CHECK(route(graph, 2, 3, unknown_is_no).hops.size() == 2);
  // Card, half switch, processor, socket link, processor, half switch, card.
  const auto across = route(graph, 1, 2, unknown_is_no);
  CHECK(across.hops.size() == 5);
  CHECK(bandwidth(graph, across) == 21 * GB_per_s);
  // Both halves reach host memory through a root port of their own, so both sockets' cards load at full rate at once.
  const std::vector<Route> flows = {route(graph, 0, 1, PeerAssumption::always_no), route(graph, 2, 3, PeerAssumption::always_no)};
  for (const auto share : fair_shares(graph, flows)) CHECK(share == rate({4, 16}));
}

TEST_CASE("A split slot gives each port its part, and a riser its own limit") {
  const auto catalog = small_catalog();
  auto plan = rig("seven", "server", {{"pro", "ad/0"}, {"pro", "ad/1"}});
  plan.nodes[0].adapters = {{"ad", "split-x8x8", {"PCIE1", {}}, {}}};
  plan.nodes[0].cards[1].plug.via = {"riser3"};
  const auto graph = build_graph(plan, catalog);
  const auto& node = graph.node(0);
  CHECK(graph.link(node.upward[static_cast<std::size_t>(node.cards[0])]).pcie == PcieLink{4, 8});
  CHECK(graph.link(node.upward[static_cast<std::size_t>(node.cards[1])]).pcie == PcieLink{3, 8});
}

TEST_CASE("Traffic between sockets is bound by the link of that processor generation") {
  const auto catalog = small_catalog();
  const auto graph = build_graph(rig("two", "server", {{"pro", "A1"}, {"pro", "A2"}, {"pro", "B1"}}), catalog);
  CHECK(bandwidth(graph, route(graph, 0, 1, unknown_is_no)) == rate({4, 16}));
  CHECK(bandwidth(graph, route(graph, 0, 2, unknown_is_no)) == 21 * GB_per_s);
}

TEST_CASE("A bridge over four cards with two links each is a ring, and opposite corners go around it") {
  const auto catalog = small_catalog();
  auto plan = rig("seven", "server", {{"ring", "PCIE1"}, {"ring", "PCIE2"}, {"ring", "PCIE3"}, {"ring", "PCIE4"}});
  plan.nodes[0].bridges = {{"xgmi-4", {0, 1, 2, 3}, 0}};
  const auto graph = build_graph(plan, catalog);
  const auto neighbour = route(graph, 0, 3, unknown_is_no), opposite = route(graph, 0, 2, unknown_is_no);
  CHECK(neighbour.kind == RouteKind::xgmi);
  CHECK(neighbour.hops.size() == 1);
  CHECK(opposite.hops.size() == 2);
  CHECK(bandwidth(graph, neighbour) == 24 * GB_per_s);
}

TEST_CASE("A bridge over two cards puts all links on the pair; a third card stays on PCIe") {
  const auto catalog = small_catalog();
  auto plan = rig("seven", "server", {{"pair", "PCIE1"}, {"pair", "PCIE2"}, {"pair", "PCIE3"}});
  plan.nodes[0].bridges = {{"nvlink-2", {0, 1}, 0}};
  const auto graph = build_graph(plan, catalog);
  CHECK(bandwidth(graph, route(graph, 0, 1, unknown_is_no)) == 56 * GB_per_s);
  CHECK(route(graph, 0, 2, unknown_is_no).kind == RouteKind::pcie_staged);
}

TEST_CASE("Cards whose board joins them have their fabric without a bridge") {
  auto catalog = small_catalog();
  Board host;
  host.id = host.name = "host";
  catalog.boards.entries.push_back(host);
  const auto mesh = build_graph(rig("host", "", std::vector<std::pair<std::string, std::string>>(8, {"mesh", ""})), catalog);
  CHECK(bandwidth(mesh, route(mesh, 0, 5, unknown_is_no)) == 64 * GB_per_s);  // 7 links for 7 peers
  const auto switched =
      build_graph(rig("host", "", std::vector<std::pair<std::string, std::string>>(8, {"module", ""})), catalog);
  CHECK(bandwidth(switched, route(switched, 0, 5, unknown_is_no)) == 450 * GB_per_s);  // 18 links of 25
}

TEST_CASE("Eight cards with six links each use all of them, on four neighbours") {
  auto catalog = small_catalog();
  catalog.gpus.entries[5].peer_ports->links = 6;
  Board host;
  host.id = host.name = "host";
  catalog.boards.entries.push_back(host);
  const auto graph = build_graph(rig("host", "", std::vector<std::pair<std::string, std::string>>(8, {"mesh", ""})), catalog);
  for (const int card : graph.node(0).cards) {
    const auto& links = graph.node(0).peer_out[static_cast<std::size_t>(card)];
    CHECK(links.size() == 4);
    Bandwidth sum;
    for (const auto id : links) sum += graph.node(0).links[static_cast<std::size_t>(id)].bandwidth;
    CHECK(sum == 6 * 64 * GB_per_s);
  }
}

TEST_CASE("Between machines bytes pass both NICs, and an oversubscribed core is shared by all") {
  const auto catalog = small_catalog();
  auto plan = rig("seven", "server", {{"pro", "PCIE1"}, {"pro", "PCIE2"}});
  plan.nodes[0].nics = {{"nic-100", {"PCIE7", {}}}};
  plan.nodes[0].count = 4;
  plan.network = RigNetwork{{}, 100 * Gbit_per_s, true, 1};
  auto graph = build_graph(plan, catalog);
  const auto way = route(graph, 0, 2, unknown_is_no);
  CHECK(way.kind == RouteKind::network_rdma);
  CHECK(bandwidth(graph, way) == 12.5 * GB_per_s);
  CHECK(graph.kinds.size() == 1);  // machines that are alike share one graph
  CHECK(graph.card_name(2) == "node1/GPU0");

  plan.network->oversubscription = 4;  // the core carries 4 x 12.5 / 4
  graph = build_graph(plan, catalog);
  const std::vector<Route> flows = {route(graph, 0, 2, unknown_is_no), route(graph, 4, 6, unknown_is_no)};
  CHECK(fair_shares(graph, flows)[0].in(GB_per_s) == Approx(6.25));

  plan.network->rdma = false;
  graph = build_graph(plan, catalog);
  CHECK(route(graph, 0, 2, unknown_is_no).kind == RouteKind::network_tcp);
  CHECK(route(graph, 0, 2, unknown_is_no).latency > 25 * us);
}

TEST_CASE("128 machines with 8 cards are ready in less than a second") {
  auto catalog = small_catalog();
  Board host;
  host.id = host.name = "host";
  host.sockets = 2;
  catalog.boards.entries.push_back(host);
  auto plan = rig("host", "", std::vector<std::pair<std::string, std::string>>(8, {"module", ""}));
  plan.nodes[0].count = 128;
  plan.nodes[0].nics = std::vector<NicPlace>(8, NicPlace{"nic-100", {}});
  plan.network = RigNetwork{{}, 100 * Gbit_per_s, true, 2};
  const auto start = std::chrono::steady_clock::now();
  const auto graph = build_graph(plan, catalog);
  std::vector<Route> ring;
  for (int c = 0; c < graph.cards(); ++c) ring.push_back(route(graph, c, (c + 1) % graph.cards(), unknown_is_no));
  const auto shares = fair_shares(graph, ring);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  CHECK(graph.cards() == 1024);
  CHECK(shares.size() == 1024);
  CHECK(took.count() < 1.0);
}

TEST_CASE("What cannot exist is an error that says why") {
  const auto catalog = small_catalog();
  const auto message = [&](const Rig& plan) {
    const auto fault = find_fault(plan, catalog);
    return fault ? fault->message : std::string{};
  };
  auto plan = rig("seven", "server", {{"pro", "PCIE1"}, {"pro", "PCIE1"}});
  CHECK(message(plan) == "slot \"PCIE1\" is used twice: card 0 is in it already");
  plan = rig("seven", "server", {{"pro", "PCI1"}});
  CHECK(message(plan) ==
        "there is no slot \"PCI1\" on seven (slots: PCIE1, PCIE2, PCIE3, PCIE4, PCIE5, PCIE6, PCIE7); did you mean \"PCIE1\"?");
  plan = rig("seven", "few-lanes", {{"pro", "PCIE1"}, {"pro", "PCIE2"}});
  CHECK(message(plan) == "the occupied slots of cpu0 need 32 lanes, but few-lanes has 16");
  plan = rig("seven", "few-lanes", {{"pro", "PCIE1"}});
  CHECK(message(plan).empty());
  plan = rig("desk", "server", {});
  CHECK(message(plan) == "desk has the socket B, but server needs A");
  plan = rig("seven", "server", {{"pro", "ad/0"}});
  plan.nodes[0].adapters = {{"ad", "split-odd", {"PCIE1", {}}, {}}};
  CHECK(message(plan) == "adapter \"ad\" needs slot \"PCIE1\" split into x8x4x4; it offers x8x8, x4x4x4x4");
  plan.nodes[0].adapters = {{"ad", "split-x8x8", {"PCIE1", {}}, {}}};
  plan.nodes[0].cards[0].plug.slot = "ad/2";
  CHECK(message(plan) == "\"ad\" has 2 ports, so \"ad/0\" to \"ad/1\"; found \"ad/2\"");
  plan = rig("seven", "server", {});
  plan.nodes[0].adapters = {{"a", "switch4", {"b/0", {}}, {}}, {"b", "switch4", {"a/0", {}}, {}}};
  CHECK(message(plan) == "adapters are plugged in a circle: a -> b -> a");
  plan.nodes[0].adapters = {{"a", "switch4", {"a/0", {}}, {}}};
  CHECK(message(plan) == "adapters are plugged in a circle: a -> a");
  plan = rig("seven", "server", {{"pro", "PCIE1"}, {"pro", "PCIE2"}});
  plan.nodes[0].bridges = {{"nvlink-2", {0, 1}, 0}};
  CHECK(message(plan) == "card 0 (pro) has no connector for a bridge");
  plan = rig("seven", "server", {{"pair", "PCIE1"}, {"pair", "PCIE2"}, {"pair", "PCIE3"}});
  plan.nodes[0].bridges = {{"nvlink-2", {0, 1, 2}, 0}};
  CHECK(message(plan) == "nvlink-2 joins 2 cards, found 3");
  plan.nodes[0].bridges = {{"xgmi-4", {0, 1}, 0}};
  CHECK(message(plan) == "xgmi-4 does not fit the connector of pair");
  plan.nodes[0].bridges = {{"nvlink-2", {0, 0}, 0}};
  CHECK(message(plan) == "a bridge cannot join a card to itself");
  plan.nodes[0].bridges = {{"nvlink-2", {0, 1}, 0}, {"nvlink-2", {1, 2}, 0}};
  CHECK(message(plan) == "card 1 (pair) has 4 links, and the bridges before this one take them");
  plan = rig("seven", "server", {});
  plan.nodes[0].count = 2;
  CHECK(message(plan) == "2 machines need a \"network\"");
  CHECK_THROWS_AS(build_graph(plan, catalog), DataError);
}
