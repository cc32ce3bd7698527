// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <map>

#include "rigplan/estimate/collectives/schedule.h"
#include "rigplan/topology/contention.h"

namespace rigplan {
namespace {

/// A transfer with its route on links that are numbered densely.
struct Flow {
  std::size_t from = 0, to = 0;  ///< ends; host memory is the last
  double share = 0;
  double latency = 0;  ///< s
  std::vector<Hop> hops;
};

/// Routes and capacities of the links that a schedule uses.
class FlowTable {
 public:
  explicit FlowTable(const CardGroup& group) : group_{group} {}

  Flow flow(const Transfer& transfer) {
    const auto key = std::pair{transfer.from, transfer.to};
    auto known = routes_.find(key);
    if (known == routes_.end()) {
      const auto route = group_.route_between(transfer.from, transfer.to);
      Flow flow{end(transfer.from), end(transfer.to), 0, route.latency.in(second), {}};
      for (const auto& hop : route.hops) flow.hops.push_back({dense(hop.link), hop.weight});
      known = routes_.emplace(key, std::move(flow)).first;
    }
    auto flow = known->second;
    flow.share = transfer.share;
    return flow;
  }

  std::size_t ends() const { return static_cast<std::size_t>(group_.size()) + 1; }
  std::span<const Bandwidth> capacity() const { return capacity_; }
  void load(const Flow& flow, int repeat) {
    for (const auto& hop : flow.hops) {
      const auto at = static_cast<std::size_t>(hop.link);
      busy_[at] += repeat * hop.weight * flow.share / capacity_[at].in(byte / second);
    }
  }
  LinkId busiest() const {
    if (busy_.empty()) return -1;
    return links_[static_cast<std::size_t>(std::max_element(busy_.begin(), busy_.end()) - busy_.begin())];
  }

 private:
  std::size_t end(int position) const { return position == host_memory ? ends() - 1 : static_cast<std::size_t>(position); }
  LinkId dense(LinkId link) {
    const auto [at, is_new] = numbers_.emplace(link, static_cast<LinkId>(capacity_.size()));
    if (is_new) {
      capacity_.push_back(group_.graph().link(link).bandwidth);
      links_.push_back(link);
      busy_.push_back(0);
    }
    return at->second;
  }

  const CardGroup& group_;
  std::map<std::pair<int, int>, Flow> routes_;
  std::map<LinkId, LinkId> numbers_;
  std::vector<Bandwidth> capacity_;
  std::vector<LinkId> links_;
  std::vector<double> busy_;
};

using FlowRounds = std::vector<std::vector<Flow>>;

/// Longest chain of latencies when every end works through its rounds in order.
double chain_latency(const FlowRounds& rounds, std::size_t ends) {
  std::vector<double> ready(ends, 0);
  for (const auto& round : rounds) {
    auto next = ready;
    for (const auto& flow : round) {
      const double done = std::max(ready[flow.from], ready[flow.to]) + flow.latency;
      next[flow.from] = std::max(next[flow.from], done);
      next[flow.to] = std::max(next[flow.to], done);
    }
    ready = std::move(next);
  }
  return *std::max_element(ready.begin(), ready.end());
}

/// Seconds per byte of message until all flows are over, with wires of no latency: flows that are under way share links
/// max-min fairly, and the shares change whenever one ends.
class FluidRun {
 public:
  FluidRun(const FlowRounds& rounds, const FlowTable& table) : table_{table}, open_(table.ends()) {
    for (std::size_t r = 0; r < rounds.size(); ++r) {
      for (const auto& flow : rounds[r]) {
        waiting_.push_back({&flow, r, flow.share, finished_.size()});
        finished_.push_back(0);
        ++open_[flow.from][r];
        ++open_[flow.to][r];
      }
    }
  }

  double run() {
    double now = 0;
    start();
    while (!active_.empty()) {
      std::vector<std::vector<Hop>> hops;
      for (const auto& item : active_) hops.push_back(item.flow->hops);
      const auto rates = fair_shares(table_.capacity(), hops);
      double step = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < active_.size(); ++i) step = std::min(step, active_[i].left / rates[i].in(byte / second));
      now += step;
      std::vector<Item> still;
      for (std::size_t i = 0; i < active_.size(); ++i) {
        auto item = active_[i];
        const double left = item.left - step * rates[i].in(byte / second);
        if (left > 1e-9 * item.flow->share) {
          item.left = left;
          still.push_back(item);
        } else {
          finished_[item.number] = now;
          finish(item);
        }
      }
      active_ = std::move(still);
      start();
    }
    return now;
  }
  /// When each flow ended, in the order of the rounds.
  const std::vector<double>& finished() const { return finished_; }

 private:
  struct Item {
    const Flow* flow = nullptr;
    std::size_t round = 0;
    double left = 0;
    std::size_t number = 0;
  };
  void finish(const Item& item) {
    for (const auto end : {item.flow->from, item.flow->to}) {
      auto& rounds = open_[end];
      if (const auto at = rounds.find(item.round); --at->second == 0) rounds.erase(at);
    }
  }
  void start() {
    std::vector<Item> later;
    for (const auto& item : waiting_) {
      const bool first = open_[item.flow->from].begin()->first == item.round && open_[item.flow->to].begin()->first == item.round;
      (first ? active_ : later).push_back(item);
    }
    waiting_ = std::move(later);
  }

  const FlowTable& table_;
  std::vector<std::map<std::size_t, int>> open_;  ///< per end: flows that are not over, by round
  std::vector<Item> waiting_, active_;
  std::vector<double> finished_;
};

/// Lines that are the longest for some size: by latency, each with more time per byte than all of higher latency.
std::vector<TransferCost::Line> envelope(std::vector<TransferCost::Line> lines) {
  std::sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    return a.latency != b.latency ? a.latency > b.latency : a.per_byte > b.per_byte;
  });
  std::vector<TransferCost::Line> kept;
  for (const auto& line : lines) {
    if (kept.empty() || line.per_byte > kept.back().per_byte) kept.push_back(line);
  }
  return kept;
}

/// A stretch of rounds whose flows all start together and which repeats: every edge works through its turns without a pause,
/// so the slowest edge sets the pace. A stretch of different rounds is one line: its longest chain and its fluid time.
std::vector<TransferCost::Line> stretch_lines(const FlowRounds& rounds, const FlowTable& table, int repeat) {
  FluidRun run{rounds, table};
  const double per_byte = run.run();
  if (rounds.size() > 1) return {{repeat * chain_latency(rounds, table.ends()), repeat * per_byte}};
  std::vector<TransferCost::Line> lines;
  for (std::size_t i = 0; i < rounds.front().size(); ++i) {
    lines.push_back({repeat * rounds.front()[i].latency, repeat * run.finished()[i]});
  }
  return envelope(std::move(lines));
}

/// Through a switch that sums: every card's own links decide.
TransferCost switched_cost(const CardGroup& group, double share) {
  TransferCost cost;
  cost.steps = 1;
  for (int i = 0; i < group.size(); ++i) {
    const auto route = group.route_between(i, (i + 1) % group.size());
    cost.latency = std::max(cost.latency, route.latency);
    const double per_byte = share / bandwidth(group.graph(), route).in(byte / second);
    if (per_byte > cost.seconds_per_byte) cost.seconds_per_byte = per_byte, cost.bottleneck = bottleneck(group.graph(), route);
  }
  cost.stretches = {{{cost.latency.in(second), cost.seconds_per_byte}}};
  return cost;
}

}  // namespace

Seconds TransferCost::time(Bytes size) const {
  double sum = 0;
  for (const auto& lines : stretches) {
    double longest = 0;
    for (const auto& line : lines) longest = std::max(longest, line.latency + line.per_byte * size.in(byte));
    sum += longest;
  }
  return sum * second;
}

TransferCost transfer_cost(const CardGroup& group, const Schedule& schedule) {
  if (schedule.switched_share > 0) return switched_cost(group, schedule.switched_share);
  constexpr std::size_t most_followed = 4096;  // flows whose order is followed one by one; beyond, rounds wait for each other
  FlowTable table{group};
  TransferCost cost;
  cost.steps = schedule.steps();
  FlowRounds stretch;
  std::size_t flows = 0;
  const auto settle = [&](int repeat) {
    if (stretch.empty()) return;
    cost.stretches.push_back(stretch_lines(stretch, table, repeat));
    cost.latency += cost.stretches.back().front().latency * second;
    cost.seconds_per_byte += cost.stretches.back().back().per_byte;
    stretch.clear();
    flows = 0;
  };
  for (const auto& round : schedule.rounds) {
    std::vector<Flow> here;
    for (const auto& transfer : round.transfers) here.push_back(table.flow(transfer));
    for (const auto& flow : here) table.load(flow, round.repeat);
    if (round.repeat > 1 || flows + here.size() > most_followed) settle(1);
    flows += here.size();
    stretch.push_back(std::move(here));
    if (round.repeat > 1) settle(round.repeat);
  }
  settle(1);
  cost.bottleneck = table.busiest();
  return cost;
}

}  // namespace rigplan
