// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rigplan/report/estimate.h"
#include "rigplan/report/text_table.h"
#include "rigplan/units/format.h"
#include "text/tr.h"

namespace rigplan {
namespace {

/// What a part of a whole is drawn with, so that parts are told apart without colours too.
constexpr std::string_view part_blocks[] = {"█", "▓", "▒", "░"};
std::string_view part_block(std::size_t part) { return part_blocks[part % std::size(part_blocks)]; }

/// Cells of a bar, those of each share of a whole in one ink, "░" behind the last.
std::string stacked_bar(const std::vector<double>& shares, int cells, const Screen& screen, bool in_blocks = false) {
  std::string text;
  double sum = 0;
  int full = 0;
  for (std::size_t part = 0; part < shares.size(); ++part) {
    sum += shares[part];
    const int end = std::clamp(static_cast<int>(sum * cells + 0.5), full, cells);
    std::string blocks;
    for (; full < end; ++full) blocks += in_blocks ? part_block(part) : "█";
    text += painted(screen, part_ink(part), blocks);
  }
  for (; full < cells; ++full) text += "░";
  return text;
}

/// A card's memory, filled as far as the job fills it; "!" behind the bar when it does not fit.
std::string memory_bar(const CardUse& card, const Screen& screen) {
  const int cells = screen.columns > 0 && screen.columns < 80 ? 12 : 24;
  std::vector<double> shares;
  if (screen.colour && card.usable > Bytes{})
    for (const auto& part : card.parts) shares.push_back(part.size / card.usable);
  else
    shares.push_back(card.usable > Bytes{} ? card.used / card.usable : 1);
  return stacked_bar(shares, cells, screen) + (card.used > card.usable ? painted(screen, Ink::bad, "!") : "");
}

std::string memory_text(const EstimateReport& report, const Screen& screen) {
  TextTable table{{{"", Align::left}, {"", Align::left}, {"", Align::left}, {"", Align::left}}};
  table.narrowed({3});
  bool first = true;
  for (const auto& card : report.memory) {
    std::string parts;
    for (std::size_t i = 0; i < card.parts.size(); ++i)
      parts +=
          fmt::format("{} {}  ", painted(screen, part_ink(i), tr(card.parts[i].name)), format_number(card.parts[i].size.in(GiB)));
    const auto left = card.used <= card.usable
                          ? trf("free {} of {} GiB", format_number(card.free().in(GiB)), format_number(card.usable.in(GiB)))
                          : trf("{} GiB too much for {} GiB", format_number((card.used - card.usable).in(GiB)),
                                format_number(card.usable.in(GiB)));
    table.row({first ? tr("memory") : "", report.trains ? tr("each card") : trf("card {}", card.card), memory_bar(card, screen),
               parts + left});
    first = false;
  }
  return table.text(screen, 2);
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

std::string plans_text(const EstimateReport& report, const Screen& screen) {
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
  return table.text(screen, 2);
}

std::string peer_text(const EstimateReport& report) {
  if (report.peer.empty()) return {};
  auto text =
      report.peer == "unknown" ? tr("  peer-to-peer  unknown: both answers are given") : trf("  peer-to-peer  {}", report.peer);
  for (const auto& condition : report.peer_conditions)
    text += fmt::format("\n    {} {}", condition.holds ? (*condition.holds ? "+" : "-") : "?", tr(condition.text));
  return text + "\n";
}

std::string shares_text(const EstimateReport& report, const Screen& screen) {
  if (report.time_shares.empty()) return {};
  auto text = tr("  time goes to  ");
  if (screen.pictures) {
    std::vector<double> shares;
    for (const auto& part : report.time_shares) shares.push_back(part.second);
    const auto below = std::string(static_cast<std::size_t>(display_width(text)), ' ');
    text += stacked_bar(shares, screen.columns > 0 && screen.columns < 80 ? 24 : 48, screen, true) + "\n" + below;
  }
  for (std::size_t i = 0; i < report.time_shares.size(); ++i) {
    const auto& [name, share] = report.time_shares[i];
    const auto block = screen.pictures ? std::string{part_block(i)} + " " : std::string{};
    text += fmt::format("{}{} {:.0f} %", i ? " · " : "", painted(screen, part_ink(i), block + tr(name)), 100 * share);
  }
  if (report.mfu) text += fmt::format(" · MFU {:.0f} %", 100 * *report.mfu);
  return text + "\n";
}

/// "2 × one, 1 × another, with a comma": names of things behind their numbers, each in the language chosen.
std::string counted_names(std::string_view text) {
  constexpr std::string_view times = " × ", comma = ", ";
  std::string all;
  while (!text.empty()) {
    // A name goes on to the comma before the next number.
    std::size_t end = text.find(times);
    end = end == std::string_view::npos ? end : text.find(times, end + times.size());
    end = end == std::string_view::npos ? text.size() : text.rfind(comma, end);
    const auto one = text.substr(0, end);
    const auto name = one.find(times);
    all += (all.empty() ? "" : trc("list", ", "));
    all += name == std::string_view::npos ? tr(one)
                                          : std::string{one.substr(0, name + times.size())} + tr(one.substr(name + times.size()));
    text.remove_prefix(std::min(text.size(), end + comma.size()));
  }
  return all;
}

/// "1 × a 16 A circuit, or 2 × a 10 A circuit".
std::string circuits_in_language(const std::string& circuits) {
  constexpr std::string_view alternative = ", or ";
  const auto at = circuits.find(alternative);
  if (at == std::string::npos) return tr(circuits);
  return tr(circuits.substr(0, at)) + trc("list", ", or ") + tr(circuits.substr(at + alternative.size()));
}

std::string power_text(const EstimateReport& report) {
  auto text = trf("  power  idle {} · working {} · peak {} at the wall", to_text(report.wall.idle), to_text(report.loaded),
                  to_text(report.wall.peak));
  if (report.unknown_power > 0) text += trf(" (power of {} parts unknown, not in these sums)", report.unknown_power);
  if (!report.supplies.empty())
    text += trf("\n         {}, {:.0f} % free at full load", counted_names(report.supplies), 100 * report.supply_margin);
  if (!report.circuits.empty()) text += trc("list", "; ") + circuits_in_language(report.circuits);
  return text + "\n";
}

std::string purchase_text(const EstimateReport& report, const Screen& screen) {
  TextTable table{
      {{"", Align::left}, {"", Align::right}, {"", Align::left}, {"", Align::right}, {"", Align::left}, {"", Align::left}}};
  table.narrowed({2, 5});
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
  return tr("  purchase in yuan (* added by the planner)\n") + table.text(screen, 4);
}

/// What stands beside bill and energy, each with the sum behind it and its source.
std::string site_text(const EstimateReport& report, const Screen& screen) {
  if (report.site.empty()) return {};
  TextTable table{
      {{"", Align::left}, {"", Align::right}, {"", Align::left}, {"", Align::right}, {trc("setting", "from"), Align::left}}};
  table.narrowed({4, 2}, {4});
  for (const auto& cost : report.site) {
    const auto how = cost.source.empty() ? tr(cost.how) : tr(cost.how) + " [" + cost.source + "]";
    table.row({tr(cost.name), format_range(cost.count) + (cost.unit.empty() ? "" : " " + tr(cost.unit)), tr(cost.item),
               cost.amount ? format_range(*cost.amount, yuan) : tr("unknown"), how});
  }
  table.row({tr("sum"), "", "", format_range(total_of(report.site), yuan), ""});
  return trf("  besides, in {} months, in yuan (in no sum above)\n", format_number(report.horizon_months)) +
         table.text(screen, 4);
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

std::string estimate_to_text(const EstimateReport& report, const Screen& screen) {
  auto text = report.question + "\n" + (report.name.empty() ? "" : report.name + " · ") + tr(report.build) + " · " +
              trf("{} GiB in all\n", format_number(report.vram.in(GiB)));
  if (!report.why_not.empty()) text += painted(screen, Ink::bad, trf("Does not do it: {}", report.why_not)) + "\n";
  text += "\n";
  for (const auto& place : report.places) text += "  " + tr(place) + "\n";
  text += memory_text(report, screen) + plans_text(report, screen) + shares_text(report, screen) + peer_text(report) +
          power_text(report);
  if (report.largest_context > Tokens{})
    text += trf("  room  context up to {} · up to {} users\n", to_text(report.largest_context), report.most_users);
  text += purchase_text(report, screen) + money_text(report) + site_text(report, screen);
  for (const auto& [code, title] : report.warnings)
    text += fmt::format("  {}  {}\n", painted(screen, Ink::warn, code), tr(title));
  for (const auto& warning : report.other_warnings) {
    std::vector<std::string> plans;
    for (const auto& plan : warning.plans) plans.push_back(tr(plan));
    text += fmt::format("  {}  {} ({})\n", painted(screen, Ink::warn, warning.code), tr(warning.title), fmt::join(plans, ", "));
  }
  for (const auto& line : report.next) text += tr(line) + "\n";
  return text;
}

}  // namespace rigplan
