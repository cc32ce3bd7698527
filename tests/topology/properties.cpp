// SPDX-License-Identifier: Apache-2.0
#include <rapidcheck/catch.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "rigplan/topology/contention.h"
#include "rigplan/topology/pcie.h"
#include "topology/small_catalog.h"

using namespace rigplan;
using namespace rigplan::test;

namespace {

const Catalog& catalog() {
  static const auto one = small_catalog();
  return one;
}

PcieLink any_link() { return {*rc::gen::inRange(1, 6), *rc::gen::element(1, 2, 4, 8, 16)}; }

/// Two to seven cards on root ports, each with a link of its own.
Rig any_rig() {
  const int n = *rc::gen::inRange(2, 8);
  std::vector<std::pair<std::string, std::string>> cards;
  for (int i = 1; i <= n; ++i)
    cards.emplace_back(*rc::gen::element<std::string>("pro", "refused", "plain"), "PCIE" + std::to_string(i));
  auto plan = rig("seven", "server", cards);
  for (auto& card : plan.nodes[0].cards) card.trained = any_link();
  return plan;
}

PeerAssumption any_assumption() {
  return *rc::gen::element(PeerAssumption::unknown_is_no, PeerAssumption::unknown_is_yes, PeerAssumption::always_no,
                           PeerAssumption::always_yes);
}

}  // namespace

TEST_CASE("More lanes or a newer generation never lower a route's bandwidth") {
  rc::prop("wider", [] {
    auto plan = any_rig();
    const auto assumption = any_assumption();
    const int n = static_cast<int>(plan.nodes[0].cards.size());
    const int a = *rc::gen::inRange(0, n), b = (a + *rc::gen::inRange(1, n)) % n;
    const auto before = build_graph(plan, catalog());
    auto& link = *plan.nodes[0].cards[static_cast<std::size_t>(*rc::gen::inRange(0, n))].trained;
    const bool wider = *rc::gen::arbitrary<bool>();
    link =
        wider ? PcieLink{link.generation, std::min(link.lanes * 2, 16)} : PcieLink{std::min(link.generation + 1, 7), link.lanes};
    const auto after = build_graph(plan, catalog());
    RC_ASSERT(bandwidth(after, route(after, a, b, assumption)) >= bandwidth(before, route(before, a, b, assumption)));
  });
}

TEST_CASE("The order in which cards are listed changes nothing") {
  rc::prop("renumbered", [] {
    const auto plan = any_rig();
    const auto n = plan.nodes[0].cards.size();
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t i = n; i > 1; --i)
      std::swap(order[i - 1], order[static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(i)))]);
    auto other = plan;
    for (std::size_t i = 0; i < n; ++i) other.nodes[0].cards[order[i]] = plan.nodes[0].cards[i];
    const auto assumption = any_assumption();
    const auto before = build_graph(plan, catalog()), after = build_graph(other, catalog());
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) {
        const auto one = route(before, static_cast<int>(a), static_cast<int>(b), assumption);
        const auto two = route(after, static_cast<int>(order[a]), static_cast<int>(order[b]), assumption);
        RC_ASSERT(one.kind == two.kind);
        RC_ASSERT(bandwidth(before, one) == bandwidth(after, two));
        RC_ASSERT(one.latency == two.latency);
      }
  });
}

TEST_CASE("Fair shares fill a link for every flow and overfill none") {
  rc::prop("shares", [] {
    const auto plan = any_rig();
    const auto graph = build_graph(plan, catalog());
    const auto assumption = any_assumption();
    std::vector<Route> flows;
    for (int i = *rc::gen::inRange(1, 12); i > 0; --i) {
      const int a = *rc::gen::inRange(0, graph.cards());
      flows.push_back(route(graph, a, (a + *rc::gen::inRange(1, graph.cards())) % graph.cards(), assumption));
    }
    const auto shares = fair_shares(graph, flows);
    std::vector<double> load(static_cast<std::size_t>(graph.links()));
    for (std::size_t f = 0; f < flows.size(); ++f)
      for (const auto& hop : flows[f].hops) load[static_cast<std::size_t>(hop.link)] += hop.weight * shares[f].in(GB_per_s);
    for (std::size_t f = 0; f < flows.size(); ++f) {
      bool full = false;
      for (const auto& hop : flows[f].hops) {
        const double rate = graph.link(hop.link).bandwidth.in(GB_per_s);
        RC_ASSERT(load[static_cast<std::size_t>(hop.link)] <= rate * (1 + 1e-9));
        full |= load[static_cast<std::size_t>(hop.link)] >= rate * (1 - 1e-9);
      }
      RC_ASSERT(full);
    }
  });
}

TEST_CASE("Taking peer access away never makes a pair faster") {
  rc::prop("peers", [] {
    const auto graph = build_graph(any_rig(), catalog());
    const auto with = route(graph, 0, 1, PeerAssumption::always_yes), without = route(graph, 0, 1, PeerAssumption::always_no);
    RC_ASSERT(bandwidth(graph, with) >= bandwidth(graph, without));
    RC_ASSERT(with.latency <= without.latency);
  });
}
