// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rigplan/estimate/collectives/collective.h"
#include "rigplan/topology/paths.h"

namespace rigplan {

/// Cards that take part, with the routes between them. Cards are numbered by position in the group.
class CardGroup {
 public:
  /// `cards` are numbered as in the graph, which must outlive the group.
  CardGroup(const RigGraph& graph, std::vector<int> cards, PeerAssumption assumption);

  int size() const { return static_cast<int>(cards_.size()); }
  const RigGraph& graph() const { return *graph_; }
  PeerAssumption assumption() const { return assumption_; }
  int card(int position) const { return cards_[static_cast<std::size_t>(position)]; }
  /// Positions of the cards of each machine, machines in order.
  const std::vector<std::vector<int>>& machines() const { return machines_; }
  /// The order in which a ring visits the cards; see ring_order.cpp.
  const std::vector<int>& ring() const { return ring_; }
  Route route_between(int from, int to) const;
  Route route_to_host(int from) const;
  Route route_from_host(int to) const;

 private:
  /// The socket whose memory the group shares on the machine of this card.
  int home_socket(int position) const;

  const RigGraph* graph_;
  std::vector<int> cards_;
  PeerAssumption assumption_;
  std::vector<std::vector<int>> machines_;
  std::vector<int> ring_;
};

/// Host memory that all cards of a machine share: that of the socket of its first card.
inline constexpr int host_memory = -1;

/// Bytes from one card of the group to another, or to or from host memory, as a share of the message.
struct Transfer {
  int from = 0, to = 0;
  double share = 0;
};

/// Transfers that start together once their two cards are done with all earlier rounds; done `repeat` times.
struct Round {
  std::vector<Transfer> transfers;
  int repeat = 1;
};

/// A collective as rounds of transfers.
struct Schedule {
  std::vector<Round> rounds;
  /// Instead of rounds: what every card sends and receives at once through a switch that sums and copies, as a share.
  double switched_share = 0;
  int steps() const;  ///< rounds, counting repeats; 1 through a switch
};

/// One way to do collectives. `schedules` offers one schedule, several to choose from (numbers of chunks), or none where the
/// algorithm cannot do the operation in this group.
struct CollectiveAlgorithm {
  std::string_view name;
  std::vector<Schedule> (*schedules)(const CardGroup& group, CollectiveOp op);
};

/// All algorithms, in the order in which they are listed.
std::span<const CollectiveAlgorithm> collective_algorithms();

// One file each.
std::vector<Schedule> ring_schedules(const CardGroup& group, CollectiveOp op);
std::vector<Schedule> double_tree_schedules(const CardGroup& group, CollectiveOp op);
std::vector<Schedule> one_shot_schedules(const CardGroup& group, CollectiveOp op);
std::vector<Schedule> two_shot_schedules(const CardGroup& group, CollectiveOp op);
std::vector<Schedule> halving_doubling_schedules(const CardGroup& group, CollectiveOp op);
std::vector<Schedule> hierarchical_schedules(const CardGroup& group, CollectiveOp op);
std::vector<Schedule> star_schedules(const CardGroup& group, CollectiveOp op);
std::vector<Schedule> through_host_schedules(const CardGroup& group, CollectiveOp op);
std::vector<Schedule> in_switch_schedules(const CardGroup& group, CollectiveOp op);

/// Time of a schedule with every efficiency 1: no protocol, no stack.
struct TransferCost {
  /// A transfer that may be the last to end: seconds and seconds per byte of the message.
  struct Line {
    double latency = 0, per_byte = 0;
  };
  std::vector<std::vector<Line>> stretches;  ///< one after the other; each takes as long as the slowest of its lines
  Seconds latency;                           ///< of an empty message
  double seconds_per_byte = 0;               ///< of a message without end
  int steps = 0;
  LinkId bottleneck = -1;  ///< the link that is busy longest for its rate

  Seconds time(Bytes size) const;
};

/// Cost of a schedule on the links of the group: concurrent transfers share links max-min fairly, a card works through its
/// rounds in order.
TransferCost transfer_cost(const CardGroup& group, const Schedule& schedule);

/// An order of the cards for which a ring loads the most loaded link least: machines, sockets and switches one after the
/// other, then improved by exchanges. Deterministic.
std::vector<int> ring_order(const CardGroup& group);

}  // namespace rigplan
