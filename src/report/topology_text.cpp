// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "report/link_label.h"
#include "rigplan/report/text_table.h"
#include "rigplan/report/topology.h"
#include "rigplan/topology/pcie.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"
#include "text/tr.h"

namespace rigplan {
namespace {

constexpr std::size_t widest_matrix = 16;

std::string_view short_kind(RouteKind kind) {
  constexpr std::array names = {"-", "NVLink", "xGMI", msg("peers"), msg("host"), "RDMA", "TCP"};
  return names[static_cast<std::size_t>(kind)];
}
std::string_view verdict_text(PeerOverPcie answer) {
  constexpr std::array names = {msg("no"), msg("yes"), msg("unknown")};
  return names[static_cast<std::size_t>(answer)];
}
std::string rate_text(Bandwidth rate) { return format_number(rate.in(GB_per_s)); }

std::string tree_text(const TopologyNode& node, const Screen& screen) {
  TextTable table{{{tr("device")}, {trc("head", "link")}, {tr("one way"), Align::right}}};
  table.narrowed({0, 1});
  for (const auto& line : node.tree)
    table.row({std::string(2 * static_cast<std::size_t>(line.depth), ' ') + tr(line.device), link_label(line.link),
               line.bandwidth > Bandwidth{} ? to_text(line.bandwidth) : std::string{}});
  for (const auto& line : node.joints) table.row({tr(line.device), {}, to_text(line.bandwidth)});
  return table.text(screen, 2);
}

/// "host 9.7", "peers 25", "host 9.7 ?25": the rate with peers, where they are unknown, stands behind the question mark.
std::string cell(const TopologyPair& pair) {
  auto text = fmt::format("{} {}", tr(short_kind(pair.kind)), rate_text(pair.copy.likely));
  if (pair.copy_with_peers) text += fmt::format(" ?{}", rate_text(pair.copy_with_peers->likely));
  return text;
}

std::string matrix_text(const TopologyNode& node, const Screen& screen) {
  const auto n = node.cards.size();
  if (n < 2) return {};
  if (n > widest_matrix) return trf("  {} pairs of cards: see --format json\n", n * (n - 1));
  std::vector<TextTable::Column> columns{{tr("GB/s from / to")}};
  for (const auto& card : node.cards) columns.push_back({card.name});
  std::vector<std::size_t> left_out;
  for (auto card = n; card > 1; --card) left_out.push_back(card);
  TextTable table{columns};
  table.narrowed({}, std::move(left_out));
  std::size_t next = 0;
  for (std::size_t a = 0; a < n; ++a) {
    std::vector<std::string> row{node.cards[a].name};
    for (std::size_t b = 0; b < n; ++b) row.push_back(a == b ? "-" : cell(node.pairs[next++]));
    table.row(std::move(row));
  }
  return table.text(screen, 2);
}

/// Pairs that are alike in way, rate and verdict in one line, so that eight cards do not fill a screen.
std::string pairs_text(const TopologyNode& node, const Screen& screen) {
  struct Alike {
    const TopologyPair* first;
    int pairs;
  };
  std::vector<Alike> groups;
  const auto same = [](const TopologyPair& a, const TopologyPair& b) {
    return a.kind == b.kind && a.peer.answer == b.peer.answer && a.copy == b.copy;
  };
  for (const auto& pair : node.pairs) {
    bool known = false;
    for (auto& group : groups)
      if (same(*group.first, pair)) known = true, ++group.pairs;
    if (!known) groups.push_back({&pair, 1});
  }
  if (groups.empty()) return {};
  TextTable table{{{tr("pairs"), Align::right},
                   {tr("way")},
                   {tr("peer-to-peer")},
                   {tr("copy GB/s"), Align::right},
                   {tr("latency"), Align::right},
                   {tr("such as")},
                   {tr("limited by")}}};
  table.narrowed({6, 1}, {4, 5});
  for (const auto& [pair, count] : groups)
    table.row_with_tail(
        {fmt::format("{}", count), tr(to_text(pair->kind)), tr(verdict_text(pair->peer.answer)),
         format_range({pair->copy.low.in(GB_per_s), pair->copy.likely.in(GB_per_s), pair->copy.high.in(GB_per_s)}),
         to_text(pair->latency),
         trf("{} to {}", node.cards[static_cast<std::size_t>(pair->from)].name,
             node.cards[static_cast<std::size_t>(pair->to)].name),
         link_label(pair->bottleneck)});
  auto text = table.text(screen, 2);
  if (const auto& reading = groups.front().first->copy_by_reading)
    text += trf("    peers of this kind that read instead of write get {} GB/s\n", rate_text(reading->likely));
  for (const auto& condition : groups.front().first->peer.conditions) {
    text += !condition.holds   ? trf("    open: {}\n", condition.text)
            : *condition.holds ? trf("    holds: {}\n", condition.text)
                               : trf("    fails: {}\n", condition.text);
  }
  return text;
}

}  // namespace

std::string topology_text(const TopologyReport& report, const Screen& screen) {
  std::string text = report.rig.empty() ? std::string{} : report.rig + "\n\n";
  for (const auto& node : report.nodes) {
    text += fmt::format("{}{}: {}{}{}\n", node.count > 1 ? fmt::format("{} x ", node.count) : "", node.id, tr(node.board),
                        node.cpu.empty() ? "" : ", ", node.cpu);
    text += tree_text(node, screen) + "\n";
    if (const auto matrix = matrix_text(node, screen); !matrix.empty()) text += matrix + "\n" + pairs_text(node, screen) + "\n";
  }
  if (report.between_nodes)
    text += trf("between machines: {}, {} a copy, {}, limited by {}\n\n", to_text(report.between_nodes->kind),
                to_text(report.between_nodes->copy.likely), to_text(report.between_nodes->latency),
                link_label(report.between_nodes->bottleneck));
  for (const auto& warning : report.warnings) text += fmt::format("{}: {}\n", warning.code, tr(warning.text));
  return text;
}

}  // namespace rigplan
