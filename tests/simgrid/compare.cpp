// SPDX-License-Identifier: Apache-2.0
//
// Runs collectives flow by flow in SimGrid and compares the times with the transfer function: the same graph, max-min fair
// shares, every efficiency 1. SimGrid's model is CM02 without cross-traffic and without a TCP window, one link object for each
// direction, and actors that only communicate.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <simgrid/s4u.hpp>

#include "estimate/collectives/rigs.h"
#include "rigplan/estimate/collectives/schedule.h"

namespace sg = simgrid::s4u;
using namespace rigplan;
using namespace rigplan::test;

namespace {

struct NamedRig {
  std::string name;
  Rig rig;
  bool regular = true;  ///< every hop of its ring has the same wires
};

/// One card behind four lanes.
Rig with_narrow_card(Rig rig, std::size_t card) {
  rig.nodes.front().cards[card].plug.via = {"riser-x4"};
  return rig;
}

std::vector<NamedRig> rigs() {
  return {
      {"2 direct slots", direct("peer", 2)},
      {"3 direct slots", direct("peer", 3)},
      {"4 direct slots", direct("peer", 4)},
      {"5 direct slots", direct("peer", 5)},
      {"8 direct slots", direct("peer", 8)},
      {"4 slots, one x4", with_narrow_card(direct("peer", 4), 2), false},
      {"8 slots, one x4", with_narrow_card(direct("peer", 8), 0), false},
      {"2+2 cards, two sockets", direct("peer", 4, "two"), false},
      {"3+3 cards, two sockets", direct("peer", 6, "two"), false},
      {"4+4 cards, two sockets", direct("peer", 8, "two"), false},
      {"4+4 cards, two sockets, one x4", with_narrow_card(direct("peer", 8, "two"), 5), false},
      {"1 switch of 4", switched("peer", 1, 4)},
      {"1 switch of 8", switched("peer", 1, 8)},
      {"2 switches of 2", switched("peer", 2, 2), false},
      {"2 switches of 4", switched("peer", 2, 4), false},
      {"4 switches of 2", switched("peer", 4, 2), false},
      {"2 switches of 4, two sockets", switched("peer", 2, 4, "two"), false},
      {"2 machines of 2, 100G", networked(direct("peer", 2), 2), false},
      {"2 machines of 4, 100G", networked(direct("peer", 4), 2), false},
      {"2 machines of 4, 2 x 100G", networked(direct("peer", 4), 2, 2), false},
  };
}

/// A rig inside the simulated platform.
struct Stage {
  NamedRig named;
  RigGraph graph;
  std::unique_ptr<CardGroup> group;
  std::vector<sg::Host*> hosts;         ///< on wires with their latencies
  std::vector<sg::Host*> prompt_hosts;  ///< on the same wires without latency

  Stage(NamedRig rig, const Catalog& catalog) : named{std::move(rig)}, graph{build_graph(named.rig, catalog)} {
    group = std::make_unique<CardGroup>(graph, all_cards(graph), PeerAssumption::unknown_is_yes);
  }
};

void add_to_platform(sg::NetZone* zone, const Stage& stage, std::vector<sg::Host*>& hosts, const std::string& number,
                     double latency) {
  for (int i = 0; i < stage.group->size(); ++i) hosts.push_back(zone->create_host(fmt::format("r{}c{}", number, i), 1e15));
  std::map<LinkId, sg::Link*> links;
  const auto link_of = [&](LinkId id) {
    auto& link = links[id];
    if (link == nullptr) {
      link = zone->create_link(fmt::format("r{}l{}", number, id), stage.graph.link(id).bandwidth.in(byte / second));
      link->set_latency(latency * stage.graph.link(id).latency.in(second));
      link->seal();
    }
    return link;
  };
  for (int i = 0; i < stage.group->size(); ++i) {
    for (int j = 0; j < stage.group->size(); ++j) {
      if (i == j) continue;
      std::vector<sg::LinkInRoute> hops;
      for (const auto& hop : stage.group->route_between(i, j).hops) hops.emplace_back(link_of(hop.link));
      zone->add_route(hosts[static_cast<std::size_t>(i)]->get_netpoint(), hosts[static_cast<std::size_t>(j)]->get_netpoint(),
                      nullptr, nullptr, hops, false);
    }
  }
}

/// What one card does: each round's sends and receives together, rounds in order.
void play(const std::string& run, const Schedule& schedule, int me, double bytes) {
  static int token = 0;
  int number = 0;
  for (const auto& round : schedule.rounds) {
    for (int repeat = 0; repeat < round.repeat; ++repeat, ++number) {
      std::vector<sg::CommPtr> comms;
      std::vector<std::unique_ptr<int*>> inbox;
      for (const auto& transfer : round.transfers) {
        if (transfer.from != me && transfer.to != me) continue;
        auto* box = sg::Mailbox::by_name(fmt::format("{} {} {} {}", run, number, transfer.from, transfer.to));
        if (transfer.from == me) {
          comms.push_back(box->put_async(&token, static_cast<std::uint64_t>(std::llround(transfer.share * bytes))));
        } else {
          inbox.push_back(std::make_unique<int*>());
          comms.push_back(box->get_async<int>(inbox.back().get()));
        }
      }
      sg::Comm::wait_all(comms);
    }
  }
}

struct Worst {
  double deviation = 0;
  std::string where;
};

struct Totals {
  int cases = 0, failed = 0;
  double simulated = 0;  ///< wall seconds in SimGrid
  std::vector<std::pair<TransferCost, Bytes>> evaluations;
  std::map<std::string, Worst> worst;
};

struct Operation {
  std::string name;
  std::vector<Schedule> schedules;
};

std::vector<Operation> operations(const CardGroup& group) {
  auto trees = double_tree_schedules(group, CollectiveOp::all_reduce);
  if (trees.size() > 2) trees.resize(2);  // one chunk and four: sixteen only take longer to simulate
  return {{"ring", ring_schedules(group, CollectiveOp::all_reduce)},
          {"tree", trees},
          {"all-to-all", one_shot_schedules(group, CollectiveOp::all_to_all)}};
}

void compare(Totals& totals, const Stage& stage, const Operation& operation, const Schedule& schedule, Bytes size) {
  const auto cost = transfer_cost(*stage.group, schedule);
  const auto run = fmt::format("run{}", totals.cases++);
  // SimGrid weighs flows that meet on a link by the latency of their ways; shares are equal only where there is none. A ring
  // waits for its slowest flow and is compared with latencies at every size, the others without them at large sizes.
  const bool prompt = operation.name != "ring" && size >= 16 * MiB;
  const auto& hosts = prompt ? stage.prompt_hosts : stage.hosts;
  const auto begun = std::chrono::steady_clock::now();
  const double from = sg::Engine::get_clock();
  std::vector<sg::ActorPtr> actors;
  for (int i = 0; i < stage.group->size(); ++i) {
    actors.push_back(
        sg::Actor::create(run, hosts[static_cast<std::size_t>(i)], [&, i] { play(run, schedule, i, size.in(byte)); }));
  }
  for (const auto& actor : actors) actor->join();
  const double simulated = sg::Engine::get_clock() - from;
  totals.simulated += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  totals.evaluations.emplace_back(cost, size);
  const double mine = prompt ? cost.seconds_per_byte * size.in(byte) : cost.time(size).in(second);
  const double deviation = mine / simulated - 1;
  const double allowed = operation.name == "ring" ? 0.01 : size >= 16 * MiB ? 0.03 : 0.15;
  const auto key =
      fmt::format("{}{}, {:g} KiB", operation.name,
                  operation.name == "ring" ? (stage.named.regular ? " (regular)" : " (irregular)") : "", size.in(KiB));
  auto& worst = totals.worst[key];
  if (std::abs(deviation) >= std::abs(worst.deviation)) worst = {deviation, stage.named.name};
  if (std::abs(deviation) <= allowed) return;
  ++totals.failed;
  fmt::print("FAILED {}, {}, {:g} KiB: SimGrid {:.3f} us, rigplan {:.3f} us ({:+.2f} %)\n", stage.named.name, operation.name,
             size.in(KiB), 1e6 * simulated, 1e6 * mine, 100 * deviation);
}

/// Wall seconds of one evaluation, averaged over many.
double seconds_per_evaluation(const Totals& totals) {
  constexpr int repeats = 20000;
  double sum = 0;
  const auto begun = std::chrono::steady_clock::now();
  for (int i = 0; i < repeats; ++i) {
    for (const auto& [cost, size] : totals.evaluations) sum += cost.time((1 + 1e-9 * i) * size).in(us);
  }
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  if (!(sum > 0)) return 0;  // uses the sum, so that the loop stays
  return took / repeats / static_cast<double>(totals.evaluations.size());
}

}  // namespace

int main(int argc, char** argv) {
  sg::Engine engine(&argc, argv);
  sg::Engine::set_config("network/model:CM02");
  sg::Engine::set_config("network/crosstraffic:0");
  sg::Engine::set_config("network/TCP-gamma:0");
  const auto catalog = round_catalog();
  auto* zone = sg::create_full_zone("rigs");
  std::vector<std::unique_ptr<Stage>> stages;
  for (auto& named : rigs()) {
    stages.push_back(std::make_unique<Stage>(named, catalog));
    auto& stage = *stages.back();
    add_to_platform(zone, stage, stage.hosts, fmt::format("{}", stages.size()), 1);
    add_to_platform(zone, stage, stage.prompt_hosts, fmt::format("{}p", stages.size()), 0);
  }
  auto* desk = zone->create_host("desk", 1e15);
  zone->seal();
  Totals totals;
  sg::Actor::create("conductor", desk, [&] {
    for (const auto& stage : stages) {
      for (const auto& operation : operations(*stage->group)) {
        for (const auto& schedule : operation.schedules) {
          for (const auto size : {64 * KiB, 1 * MiB, 16 * MiB, 256 * MiB}) compare(totals, *stage, operation, schedule, size);
        }
      }
    }
  });
  engine.run();
  for (const auto& [key, worst] : totals.worst)
    fmt::print("{:<28} worst {:+6.2f} %  {}\n", key, 100 * worst.deviation, worst.where);
  const double mine = seconds_per_evaluation(totals), theirs = totals.simulated / totals.cases;
  fmt::print("{} runs on {} rigs, {} outside their tolerance\n", totals.cases, stages.size(), totals.failed);
  fmt::print("one evaluation: SimGrid {:.1f} us, rigplan {:.4f} us, {:.0f} times faster\n", 1e6 * theirs, 1e6 * mine,
             theirs / mine);
#ifdef NDEBUG
  constexpr double expected_speedup = 10000;
#else
  constexpr double expected_speedup = 1000;
#endif
  return totals.failed == 0 && theirs / mine >= expected_speedup ? 0 : 1;
}
