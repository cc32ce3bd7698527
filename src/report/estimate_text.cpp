// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "rigplan/report/estimate.h"
#include "rigplan/report/text_table.h"
#include "rigplan/units/format.h"
#include "text/tr.h"

namespace rigplan {
namespace {

/// 24 cells of a card's memory, filled as far as the job fills it; "!" behind the bar when it does not fit.
std::string bar(const CardUse& card) {
  constexpr int cells = 24;
  const double share = card.usable > Bytes{} ? card.used / card.usable : 1;
  const int full = std::clamp(static_cast<int>(share * cells + 0.5), 0, cells);
  std::string text;
  for (int i = 0; i < cells; ++i) text += i < full ? "█" : "░";
  return text + (share > 1 ? "!" : "");
}

std::string memory_text(const EstimateReport& report) {
  TextTable table{{{"", Align::left}, {"", Align::left}, {"", Align::left}, {"", Align::left}}};
  bool first = true;
  for (const auto& card : report.memory) {
    std::string parts;
    for (const auto& part : card.parts) parts += fmt::format("{} {}  ", tr(part.name), format_number(part.size.in(GiB)));
    const auto left = card.used <= card.usable
                          ? trf("free {} of {} GiB", format_number(card.free().in(GiB)), format_number(card.usable.in(GiB)))
                          : trf("{} GiB too much for {} GiB", format_number((card.used - card.usable).in(GiB)),
                                format_number(card.usable.in(GiB)));
    table.row({first ? tr("memory") : "", report.trains ? tr("each card") : trf("card {}", card.card), bar(card), parts + left});
    first = false;
  }
  return table.text(2);
}

std::string rate_text(const PlanRow& row, bool trains) {
  if (!row.fits) return trf("does not fit: {}", row.reason);
  if (trains) return trf("{} token/s", format_range(row.training, token_per_s));
  auto text = trf("{} token/s", format_range(row.decode, token_per_s));
  if (row.decode_all && row.decode_all->likely > 1.001 * row.decode->likely)
    text += trf(" a user, {} in all", format_range(row.decode_all, token_per_s));
  return text + trf(", prompt {} token/s, first token {} s", format_range(row.prefill, token_per_s),
                    format_range(row.first_token, second));
}

std::string plans_text(const EstimateReport& report) {
  TextTable table{{{"", Align::left}, {"", Align::left}, {"", Align::left}}};
  const auto verb = report.trains ? tr("training") : tr("decode");
  bool first = true;
  for (const auto& [row, with_peer] : report.plans) {
    const auto limit = row.limited_by.empty()
                           ? std::string{}
                           : trf("  ({}; {} usable TFLOP/s)", row.limited_by, format_range(row.usable, TFLOP_per_s));
    table.row_with_tail({first ? verb : "", tr(row.plan), rate_text(row, report.trains) + limit});
    if (with_peer)
      table.row_with_tail({"", tr("  if peer-to-peer works"),
                           rate_text(*with_peer, report.trains) + fmt::format("  ({})", tr(with_peer->limited_by))});
    first = false;
  }
  return table.text(2);
}

std::string peer_text(const EstimateReport& report) {
  if (report.peer.empty()) return {};
  auto text =
      report.peer == "unknown" ? tr("  peer-to-peer  unknown: both answers are given") : trf("  peer-to-peer  {}", report.peer);
  for (const auto& condition : report.peer_conditions)
    text += fmt::format("\n    {} {}", condition.holds ? (*condition.holds ? "+" : "-") : "?", tr(condition.text));
  return text + "\n";
}

std::string shares_text(const EstimateReport& report) {
  if (report.time_shares.empty()) return {};
  auto text = tr("  time goes to  ");
  for (std::size_t i = 0; i < report.time_shares.size(); ++i)
    text += fmt::format("{}{} {:.0f} %", i ? " · " : "", tr(report.time_shares[i].first), 100 * report.time_shares[i].second);
  if (report.mfu) text += fmt::format(" · MFU {:.0f} %", 100 * *report.mfu);
  return text + "\n";
}

std::string power_text(const EstimateReport& report) {
  auto text = trf("  power  idle {} · working {} · peak {} at the wall", to_text(report.wall.idle), to_text(report.loaded),
                  to_text(report.wall.peak));
  if (report.unknown_power > 0) text += trf(" (power of {} parts unknown, not in these sums)", report.unknown_power);
  if (!report.supplies.empty())
    text += trf("\n         {}, {:.0f} % free at full load", report.supplies, 100 * report.supply_margin);
  if (!report.circuits.empty()) text += "; " + tr(report.circuits);
  return text + "\n";
}

std::string purchase_text(const EstimateReport& report) {
  TextTable table{
      {{"", Align::left}, {"", Align::right}, {"", Align::left}, {"", Align::right}, {"", Align::left}, {"", Align::left}}};
  for (const auto& line : report.purchase.lines) {
    const auto total = line.total();
    std::string dates = line.oldest == line.newest ? line.newest : trf("{} to {}", line.oldest, line.newest);
    if (line.stated) dates = tr("as stated");
    if (line.stale) dates += dates.empty() ? tr("undated") : tr(" (old)");
    table.row({trc("bill", to_text(line.kind)), format_number(line.count), tr(line.name) + (line.assumed ? " *" : ""),
               total ? format_range(*total, yuan) : tr("unknown"),
               line.each && !line.item.empty() ? tr(to_text(line.condition)) : "", dates});
  }
  table.row({tr("sum"), "", report.purchase.unknown > 0 ? trf("and {} unknown", report.purchase.unknown) : "",
             format_range(report.purchase.total, yuan), "", ""});
  return tr("  purchase in yuan (* added by the planner)\n") + table.text(4);
}

std::string money_text(const EstimateReport& report) {
  auto text = trf("  cost over the horizon  {} yuan = purchase {} - resale {} + energy {} ({}) + upkeep {}\n",
                  format_range(report.cost.total(), yuan), format_range(report.cost.purchase, yuan),
                  format_range(report.cost.resale, yuan), format_range(report.cost.energy, yuan), to_text(report.energy),
                  format_range(report.cost.upkeep, yuan));
  const auto& merit = report.merit;
  if (merit.per_usable_rate)
    text += trf("  yuan per usable TFLOP/s  {} (purchase alone {}", format_range(*merit.per_usable_rate, yuan_per_TFLOP_per_s),
                format_range(merit.purchase_per_usable_rate, yuan_per_TFLOP_per_s)) +
            (merit.purchase_per_peak_rate
                 ? trf("; per peak TFLOP/s {})\n", format_range(merit.purchase_per_peak_rate, yuan_per_TFLOP_per_s))
                 : ")\n");
  if (merit.per_token)
    text += trf("  yuan per million tokens  {} · yuan per GiB of VRAM  {}\n", format_range(merit.per_token, yuan_per_Mtoken),
                format_range(merit.purchase_per_vram, yuan_per_GiB));
  return text;
}

}  // namespace

std::string estimate_to_text(const EstimateReport& report) {
  auto text = report.question + "\n" + (report.name.empty() ? "" : report.name + " · ") + tr(report.build) + " · " +
              trf("{} GiB in all\n", format_number(report.vram.in(GiB)));
  if (!report.why_not.empty()) text += trf("Does not do it: {}\n", report.why_not);
  text += "\n";
  for (const auto& place : report.places) text += "  " + tr(place) + "\n";
  text += memory_text(report) + plans_text(report) + shares_text(report) + peer_text(report) + power_text(report);
  if (report.largest_context > Tokens{})
    text += trf("  room  context up to {} · up to {} users\n", to_text(report.largest_context), report.most_users);
  text += purchase_text(report) + money_text(report);
  for (const auto& [code, title] : report.warnings) text += fmt::format("  {}  {}\n", code, tr(title));
  for (const auto& line : report.next) text += tr(line) + "\n";
  return text;
}

}  // namespace rigplan
