// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/collectives/library_time.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "rigplan/estimate/collectives/calibrated_terms.h"

namespace rigplan {
namespace {

/// Latency and bandwidth of a pipelined transfer join as (x^q + y^q)^(1/q). A chunked pipeline with the best chunk gives
/// (sqrt x + sqrt y)^2, q = 1/2; a message that is sent whole gives q = 1. Measured ramps lie between.
double join(double x, double y, double q) {
  if (x <= 0) return y;
  if (y <= 0) return x;
  return std::pow(std::pow(x, q) + std::pow(y, q), 1 / q);
}

double us_per_byte(Bandwidth rate) { return rate > Bandwidth{} ? (byte / rate).in(us) : 0; }

/// Bytes over one node's NICs as a share of the message: the lesser of a ring over all cards and of one ring per card position
/// over the nodes (hierarchical).
double network_share(CollectiveOp op, int cards, int nodes) {
  const double across = static_cast<double>(nodes - 1) / nodes;
  const double hierarchical = op == CollectiveOp::all_reduce   ? 2 * across
                              : op == CollectiveOp::all_to_all ? across
                                                               : ring_share(op, nodes);
  return std::min(ring_share(op, cards), hierarchical);
}

int network_steps(CollectiveOp op, int nodes) {
  if (op == CollectiveOp::send_receive) return 1;
  const int levels = static_cast<int>(std::ceil(std::log2(nodes)));
  return op == CollectiveOp::all_reduce ? 2 * levels : nodes - 1;
}

/// The terms of one group that all operations share, looked up once.
struct Constants {
  double efficiency, both_ways, one_way, old_host, other_operations, hop_low_latency, hop_bulk, low_latency_share, bulk_start,
      exchange_steps;
  double in_switch_latency, in_switch_efficiency;
  double network_efficiency = 1, network_hop = 0, network_low_latency_share = 1, network_bulk_latency = 1;

  Constants(const CalibratedTerms& term, bool several_nodes) {
    const double architecture = term("architecture_latency");
    efficiency = term("link_efficiency") * term("stack_efficiency");
    both_ways = term("two_cards_both_ways");
    one_way = term("two_cards_one_way");
    old_host = term("old_host_both_ways");
    other_operations = term("other_operations");
    hop_low_latency = term("hop_low_latency") * architecture;
    hop_bulk = term("hop_bulk") * architecture;
    low_latency_share = term("low_latency_share");
    bulk_start = term("bulk_start");
    exchange_steps = term("exchange_steps");
    in_switch_latency = term("in_switch_latency") * architecture;
    in_switch_efficiency = term("in_switch_efficiency");
    if (!several_nodes) return;
    network_efficiency = term("network_efficiency");
    network_hop = term("network_hop");
    network_low_latency_share = term("network_low_latency_share");
    network_bulk_latency = term("network_bulk_latency");
  }

  /// Share of the nominal rate that the operation reaches on the wires of a node.
  double efficiency_of(CollectiveOp op, int cards) const {
    const bool reference = op == CollectiveOp::all_reduce || op == CollectiveOp::send_receive;
    const bool one_direction = op == CollectiveOp::broadcast || op == CollectiveOp::reduce || op == CollectiveOp::send_receive;
    const double two_cards = cards > 2 ? old_host : one_direction ? one_way : both_ways * old_host;
    return efficiency * two_cards * (reference ? 1 : other_operations);
  }
};

/// @param peers the constants of the same cards with peer access; what passes through host memory cannot be better
void prepare_node(LibraryCost::Operation& cost, CollectiveOp op, const GroupLinks& links, const Constants& constants,
                  const Constants* peers) {
  const int cards = links.cards / links.nodes;
  if (cards < 2) return;
  double efficiency = constants.efficiency_of(op, cards);
  if (peers != nullptr) efficiency = std::min(efficiency, peers->efficiency_of(op, cards));
  const auto nominal = op == CollectiveOp::all_to_all ? links.exchange : links.edge;
  const double per_byte = std::max(us_per_byte(nominal) / efficiency, us_per_byte(links.edge_limit)) * ring_share(op, cards);
  const double steps = op == CollectiveOp::all_to_all ? constants.exchange_steps * std::log2(cards) : ring_steps(op, cards);
  cost.low_latency_start = steps * constants.hop_low_latency;
  cost.low_latency_per_byte = per_byte / constants.low_latency_share;
  cost.bulk_start = steps * constants.hop_bulk + constants.bulk_start;
  cost.bulk_per_byte = per_byte;
  if (links.in_switch_reduction && op == CollectiveOp::all_reduce && cards >= 5) {
    // Each card sends its share once and receives the sum: S(1 + 1/m) each way (NCCL's NVLS algorithm).
    cost.in_switch_start = constants.in_switch_latency;
    cost.in_switch_per_byte = us_per_byte(links.edge) * (1 + 1.0 / cards) / constants.in_switch_efficiency;
  }
}

void prepare_nodes(LibraryCost::Operation& cost, CollectiveOp op, const GroupLinks& links, const Constants& constants) {
  if (links.nodes < 2) return;
  const double network = us_per_byte(links.network) * network_share(op, links.cards, links.nodes) / constants.network_efficiency;
  const double latency = cost.low_latency_start + network_steps(op, links.nodes) * constants.network_hop;
  cost.nodes_start = latency;
  cost.nodes_slow_per_byte = network / constants.network_low_latency_share;
  cost.nodes_bulk_start = constants.network_bulk_latency * latency;
  const double inside = cost.in_switch_per_byte > 0 ? std::min(cost.in_switch_per_byte, cost.bulk_per_byte) : cost.bulk_per_byte;
  cost.nodes_per_byte = std::max(network, inside);
}

}  // namespace

CalibratedTerms::CalibratedTerms(const Calibration& calibration, const GroupLinks& links, std::string_view stack)
    : calibration_{&calibration} {
  const auto link = "link:" + std::string{to_text(links.kind)};
  levels_ = {link, "arch:" + links.architecture, "stack:" + std::string{stack}, "transport:" + links.transport};
  if (links.kind == LinkClass::nvswitch || links.kind == LinkClass::nvlink) {
    levels_.insert(levels_.end(), {"nvlink", "nvlink|arch:" + links.architecture});
  }
  if (links.kind == LinkClass::pcie_peer || links.kind == LinkClass::pcie_staged) levels_.push_back("pcie");
  if (links.old_host) levels_.push_back(link + "|host:pcie3");
}

LibraryCost prepare_library(const GroupLinks& links, const Calibration& calibration, std::string_view stack) {
  LibraryCost cost;
  cost.cards = links.cards;
  cost.nodes = links.nodes;
  const CalibratedTerms term{calibration, links, stack};
  cost.overhead = term("stack_overhead") * term("architecture_overhead");
  cost.floor = term("stack_floor");
  cost.node_ramp = term("node_ramp");
  cost.network_ramp = term("network_ramp");
  const Constants constants{term, links.nodes > 1};
  std::optional<Constants> peers;
  if (links.kind == LinkClass::pcie_staged) {
    auto direct = links;
    direct.kind = LinkClass::pcie_peer;
    peers.emplace(CalibratedTerms{calibration, direct, stack}, false);  // asked for their links alone
  }
  for (int i = 0; i < collective_ops; ++i) {
    const auto op = static_cast<CollectiveOp>(i);
    auto& operation = cost.operations[static_cast<std::size_t>(i)];
    prepare_node(operation, op, links, constants, peers ? &*peers : nullptr);
    prepare_nodes(operation, op, links, constants);
  }
  const double push = us_per_byte(links.exchange) / term("push_efficiency");
  cost.one_shot_start = term("push_start");
  cost.one_shot_per_byte = push * (links.cards - 1);
  const bool direct = links.kind == LinkClass::nvswitch || links.kind == LinkClass::nvlink || links.kind == LinkClass::xgmi;
  if (direct) cost.two_shot_per_byte = push * ring_share(CollectiveOp::all_reduce, links.cards);
  cost.two_shot_start = cost.one_shot_start + constants.hop_low_latency;
  cost.star_start = 2 * term("copy_start");
  cost.star_per_byte = us_per_byte(links.edge) * 2 * (links.cards - 1) / term("link_efficiency");
  return cost;
}

std::string_view algorithm_of(CollectiveMethod method) {
  switch (method) {
    case CollectiveMethod::nothing:
      return "none";
    case CollectiveMethod::ring_low_latency:
    case CollectiveMethod::ring_bulk:
      return "ring";
    case CollectiveMethod::in_switch:
      return "in-switch";
    case CollectiveMethod::nodes_low_latency:
    case CollectiveMethod::nodes_bulk:
      return "hierarchical";
    case CollectiveMethod::one_shot:
      return "one-shot";
    case CollectiveMethod::two_shot:
      return "two-shot";
    case CollectiveMethod::star:
      return "star";
  }
  return "none";
}

std::string_view protocol_of(CollectiveMethod method) {
  switch (method) {
    case CollectiveMethod::ring_low_latency:
    case CollectiveMethod::nodes_low_latency:
      return "low latency";
    case CollectiveMethod::nothing:
      return "none";
    default:
      return "bulk";
  }
}

Seconds LibraryCost::latency(CollectiveOp op) const {
  const auto& cost = operations[static_cast<std::size_t>(op)];
  return (nodes > 1 ? cost.nodes_start : cost.low_latency_start) * us;
}

Bandwidth LibraryCost::rate(CollectiveOp op) const {
  const auto& cost = operations[static_cast<std::size_t>(op)];
  double per_byte = nodes > 1 ? cost.nodes_per_byte : cost.bulk_per_byte;
  if (nodes <= 1 && cost.in_switch_per_byte > 0) per_byte = std::min(per_byte, cost.in_switch_per_byte);
  return per_byte > 0 ? byte / (per_byte * us) : Bandwidth{};
}

LibraryTime LibraryCost::time(CollectiveOp op, Bytes size, ForcedMethod forced) const {
  if (cards < 2) return {};
  const auto& cost = operations[static_cast<std::size_t>(op)];
  const double bytes = size.in(byte);
  double best = std::numeric_limits<double>::infinity();
  auto method = CollectiveMethod::nothing;
  const auto offer = [&](double time, CollectiveMethod offered) {
    if (time < best) best = time, method = offered;
  };
  if (forced == ForcedMethod::one_shot) {
    offer(one_shot_start + one_shot_per_byte * bytes, CollectiveMethod::one_shot);
    if (two_shot_per_byte > 0) offer(two_shot_start + two_shot_per_byte * bytes, CollectiveMethod::two_shot);
  } else if (forced == ForcedMethod::star) {
    offer(star_start + star_per_byte * bytes, CollectiveMethod::star);
  } else if (nodes > 1) {
    offer(cost.nodes_start + cost.nodes_slow_per_byte * bytes, CollectiveMethod::nodes_low_latency);
    offer(join(cost.nodes_bulk_start, cost.nodes_per_byte * bytes, network_ramp), CollectiveMethod::nodes_bulk);
  } else {
    offer(cost.low_latency_start + cost.low_latency_per_byte * bytes, CollectiveMethod::ring_low_latency);
    offer(join(cost.bulk_start, cost.bulk_per_byte * bytes, node_ramp), CollectiveMethod::ring_bulk);
    if (forced != ForcedMethod::ring && cost.in_switch_per_byte > 0) {
      offer(join(cost.in_switch_start, cost.in_switch_per_byte * bytes, node_ramp), CollectiveMethod::in_switch);
    }
  }
  if (forced == ForcedMethod::one_shot || forced == ForcedMethod::star) return {best * us, method};
  // Where the host launches every call, its time is a floor below which nothing shows: a near maximum.
  return {join(floor, best + overhead, 8) * us, method};
}

}  // namespace rigplan
