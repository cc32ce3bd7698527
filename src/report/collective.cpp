// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/collective.h"

#include <fmt/format.h>

#include <cmath>

#include "report/link_label.h"
#include "rigplan/estimate/collectives/algorithm_time.h"
#include "rigplan/estimate/collectives/library_time.h"
#include "rigplan/estimate/collectives/prepare_links.h"
#include "rigplan/report/text_table.h"
#include "rigplan/units/format.h"
#include "rigplan/validate/fit_collectives.h"
#include "text/tr.h"

namespace rigplan {
namespace {

std::string size_text(Bytes size) {
  const double bytes = size.in(byte);
  if (bytes >= 1073741824.0) return fmt::format("{:g} GiB", bytes / 1073741824.0);
  if (bytes >= 1048576.0) return fmt::format("{:g} MiB", bytes / 1048576.0);
  if (bytes >= 1024.0) return fmt::format("{:g} KiB", bytes / 1024.0);
  return fmt::format("{:g} B", bytes);
}

CollectiveRow row_of(CollectiveOp op, Bytes size, const GroupLinks& links, const LibraryCost& library,
                     const std::vector<AlgorithmTime>& algorithms, const Calibration& calibration) {
  CollectiveRow row;
  row.size = size;
  const auto chosen = library.time(op, size);
  const auto& spread = calibration.spread(spread_kind(links, size), "known");
  row.time = {chosen.time * std::exp(spread.low), chosen.time, chosen.time * std::exp(spread.high)};
  row.algorithm_bandwidth = size / chosen.time;
  row.bus_bandwidth = ring_share(op, links.cards) * row.algorithm_bandwidth;
  row.algorithm = algorithm_of(chosen.method);
  row.protocol = protocol_of(chosen.method);
  if (const auto* best = fastest(algorithms, size)) {
    // Both are seen by the same stack, so its share is in both.
    row.best_time = std::min(chosen.time, best->time(size) + library.overhead * us);
    row.best_algorithm = row.best_time < chosen.time ? std::string{best->algorithm} : row.algorithm;
    row.wire_time = best->wires.time(size);
    for (const auto& algorithm : algorithms) row.wire_time = std::min(row.wire_time, algorithm.wires.time(size));
  }
  return row;
}

CollectiveCurve curve_of(const CardGroup& group, CollectiveOp op, std::span<const Bytes> sizes, const Calibration& calibration,
                         std::string_view stack) {
  const auto links = prepare_links(group);
  const auto library = prepare_on_cards(links, calibration, stack);
  const auto algorithms = prepare_algorithms(group, links, op, calibration, stack);
  CollectiveCurve curve;
  curve.link = to_text(links.kind);
  curve.bottleneck = links.bottleneck;
  for (const auto size : sizes) curve.rows.push_back(row_of(op, size, links, library, algorithms, calibration));
  return curve;
}

bool same_wires(const GroupLinks& a, const GroupLinks& b) {
  return a.kind == b.kind && a.edge == b.edge && a.exchange == b.exchange && a.edge_limit == b.edge_limit &&
         a.network == b.network;
}

}  // namespace

CollectiveReport report_collective(const RigGraph& graph, CollectiveOp op, std::span<const Bytes> sizes,
                                   const Calibration& calibration, std::string stack) {
  std::vector<int> cards;
  for (int i = 0; i < graph.cards(); ++i) cards.push_back(i);
  const CardGroup without{graph, cards, PeerAssumption::unknown_is_no}, with{graph, cards, PeerAssumption::unknown_is_yes};
  CollectiveReport report;
  report.rig = graph.rig.name;
  report.operation = to_text(op);
  report.stack = stack.empty() ? std::string{default_stack(without)} : std::move(stack);
  report.cards = graph.cards();
  report.nodes = graph.nodes();
  const bool decides = !same_wires(prepare_links(without), prepare_links(with));
  report.curves.push_back(curve_of(without, op, sizes, calibration, report.stack));
  report.curves.back().peers = decides ? "off" : "as known";
  if (decides) {
    report.curves.push_back(curve_of(with, op, sizes, calibration, report.stack));
    report.curves.back().peers = "on";
  }
  return report;
}

std::string collective_text(const CollectiveReport& report, const Screen& screen) {
  auto text = report.nodes > 1
                  ? trf("{} of {} cards in {} machines with {}\n", report.operation, report.cards, report.nodes, report.stack)
                  : trf("{} of {} cards with {}\n", report.operation, report.cards, report.stack);
  for (const auto& curve : report.curves) {
    if (curve.peers != "as known") {
      text += curve.peers == "on" ? tr("\npeer-to-peer access on (it is not known whether these cards have it)\n")
                                  : tr("\npeer-to-peer access off (it is not known whether these cards have it)\n");
    }
    text += trf("limited by {} ({})\n", link_label(curve.bottleneck), curve.link);
    TextTable table{{{tr("bytes"), Align::right},
                     {tr("time"), Align::right},
                     {tr("80 % range"), Align::left},
                     {tr("algbw GB/s"), Align::right},
                     {tr("busbw GB/s"), Align::right},
                     {tr("algorithm"), Align::left},
                     {tr("protocol"), Align::left},
                     {tr("best"), Align::left},
                     {tr("best time"), Align::right}}};
    table.narrowed({}, {6, 3, 8, 7, 2});
    for (const auto& row : curve.rows) {
      table.row({size_text(row.size), to_text(row.time.likely),
                 fmt::format("{}–{}", to_text(row.time.low), to_text(row.time.high)),
                 format_number(row.algorithm_bandwidth.in(GB_per_s)), format_number(row.bus_bandwidth.in(GB_per_s)),
                 tr(row.algorithm), tr(row.protocol), tr(row.best_algorithm), to_text(row.best_time)});
    }
    text += table.text(screen);
  }
  return text;
}

JsonValue collective_json(const CollectiveReport& report) {
  auto root = JsonValue::object();
  root.set("schema", "rigplan/collective/1").set("rig", report.rig).set("operation", report.operation).set("stack", report.stack);
  root.set("cards", report.cards).set("nodes", report.nodes);
  auto curves = JsonValue::array();
  for (const auto& curve : report.curves) {
    auto one = JsonValue::object();
    one.set("peer_to_peer", curve.peers).set("link", curve.link).set("bottleneck", curve.bottleneck);
    auto rows = JsonValue::array();
    for (const auto& row : curve.rows) {
      auto item = JsonValue::object();
      item.set("bytes", row.size.in(byte));
      auto time = JsonValue::object();
      time.set("low", row.time.low.in(us)).set("likely", row.time.likely.in(us)).set("high", row.time.high.in(us));
      item.set("time_us", std::move(time));
      item.set("algbw_gb_s", row.algorithm_bandwidth.in(GB_per_s)).set("busbw_gb_s", row.bus_bandwidth.in(GB_per_s));
      item.set("algorithm", row.algorithm).set("protocol", row.protocol);
      item.set("best_algorithm", row.best_algorithm)
          .set("best_time_us", row.best_time.in(us))
          .set("wire_time_us", row.wire_time.in(us));
      rows.push(std::move(item));
    }
    one.set("rows", std::move(rows));
    curves.push(std::move(one));
  }
  root.set("curves", std::move(curves));
  return root;
}

}  // namespace rigplan
