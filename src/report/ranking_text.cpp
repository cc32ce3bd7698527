// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "rigplan/report/ranking.h"
#include "rigplan/report/text_table.h"
#include "rigplan/units/format.h"
#include "text/tr.h"

namespace rigplan {
namespace {

/// The measure of a row that has a column of its own besides price, memory and token rate.
std::string measure_text(const RankingRow& row, RankBy by) {
  switch (by) {
    case RankBy::yuan_per_mtoken:
      return format_range(row.merit.per_token, yuan_per_Mtoken);
    case RankBy::yuan_per_token_rate:
      return format_range(row.merit.per_token_rate, yuan_per_token_per_s);
    case RankBy::yuan_per_gib:
      return format_range(row.merit.purchase_per_vram, yuan_per_GiB);
    case RankBy::prefill:
      return format_range(row.prefill, token_per_s);
    case RankBy::usable:
      return format_range(row.usable, TFLOP_per_s);
    case RankBy::watts:
      return format_number(row.wall.in(watt));
    case RankBy::cost:
      return format_range(row.cost, yuan);
    case RankBy::vram:
      return format_number(row.vram.in(GiB));
    default:
      return format_range(row.merit.per_usable_rate, yuan_per_TFLOP_per_s);
  }
}

std::string measure_head(RankBy by) {
  switch (by) {
    case RankBy::yuan_per_mtoken:
      return tr("yuan per Mtoken");
    case RankBy::yuan_per_token_rate:
      return tr("yuan per token/s");
    case RankBy::yuan_per_gib:
      return tr("yuan per GiB");
    case RankBy::prefill:
      return tr("token/s of prompts");
    case RankBy::usable:
      return tr("usable TFLOP/s");
    case RankBy::watts:
      return tr("W at the wall");
    case RankBy::cost:
      return tr("yuan over the horizon");
    case RankBy::vram:
      return tr("GiB in all");
    default:
      return tr("yuan per usable TFLOP/s");
  }
}

/// The measures that have columns of their own: what is ranked by, or those of the front.
std::vector<RankBy> measure_columns(const RankingReport& report) {
  const auto has_column = [](RankBy by) { return by == RankBy::price || by == RankBy::decode; };
  std::vector<RankBy> columns;
  for (const auto measure : report.pareto)
    if (!has_column(measure)) columns.push_back(measure);
  if (columns.empty()) columns.push_back(has_column(report.by) ? RankBy::yuan_per_usable_tflop : report.by);
  return columns;
}

std::string price_text(const RankingRow& row) {
  return format_range(row.price, yuan) + (row.unknown_prices > 0 ? trf(" + {} unknown", row.unknown_prices) : "");
}

std::string memory_text(const RankingRow& row) {
  return trf("{} of {}", format_number(row.card_vram_used.in(GiB)), format_number(row.card_vram_usable.in(GiB)));
}

std::string doubts_text(const std::vector<std::string>& warnings) {
  std::string text;
  for (const auto& code : warnings) text += (text.empty() ? "" : " ") + code.substr(2);
  return text;
}

std::string footer(const RankingReport& report) {
  std::string text;
  std::vector<std::string> more;
  if (report.beyond > 0)
    more.push_back(report.pareto.empty() ? trf("{} builds cannot come before these", format_whole(report.beyond))
                                         : trf("{} builds are beaten even at their bounds", format_whole(report.beyond)));
  if (report.more_ranked > 0) more.push_back(trf("{} more (--top 0)", report.more_ranked));
  if (report.dominated > 0) more.push_back(trf("{} dearer or slower builds of the same cards (--all)", report.dominated));
  if (report.rejected > 0) more.push_back(trf("{} break a limit or do not fit (--all)", format_whole(report.rejected)));
  if (report.cards_without_price > 0) more.push_back(trf("{} cards have no price", report.cards_without_price));
  for (const auto& part : more) text += (text.empty() ? "    " : trc("list", ", ")) + part;
  if (!text.empty()) text += "\n";
  if (report.draws > 0)
    text += trf("Draws: {} of the price and speed ranges, those of a card for all its builds; others are first in {:.1f} %.\n",
                format_whole(report.draws), 100 * std::abs(report.other_wins));
  if (!report.oldest_price.empty() && report.build_unstated)
    text +=
        trf("Prices seen from {} to {}. Ranges hold 80 % of what people report of unstated builds (narrower: --engine-date); "
            "memory is "
            "of the fullest card, in GiB.\n",
            report.oldest_price, report.newest_price);
  else if (!report.oldest_price.empty())
    text += trf("Prices seen from {} to {}. Ranges hold 80 % of measured rows; memory is of the fullest card, in GiB.\n",
                report.oldest_price, report.newest_price);
  for (const auto& line : report.next) text += line + "\n";
  return text;
}

}  // namespace

/// What a narrow screen does without, first the doubts, whose codes are longest; a build's name goes on below.
static void narrow(TextTable& table, const RankingReport& report, std::size_t measures) {
  const std::size_t build = 1, plan = 2, price = report.several_jobs ? 4 : 3, memory = price + 1, rate = price + 2,
                    first = price + 3;
  const auto draws = first + measures, limit = draws + (report.draws > 0 ? 1 : 0), doubts = limit + 1;
  std::vector<std::size_t> left_out{doubts, limit, memory};
  if (report.draws > 0) left_out.push_back(draws);
  for (auto measure = draws; measure-- > first + 1;) left_out.push_back(measure);
  left_out.insert(left_out.end(), {plan, first, rate});
  if (report.several_jobs) left_out.push_back(plan + 1);
  std::vector<std::size_t> folding{build, plan, limit, doubts, price, rate};
  for (auto measure = first; measure < draws; ++measure) folding.push_back(measure);
  table.narrowed(std::move(folding), std::move(left_out));
}

std::string ranking_to_text(const RankingReport& report, const Screen& screen) {
  const auto measures = measure_columns(report);
  std::vector<TextTable::Column> columns{{"#", Align::right}, {tr("build"), Align::left}, {tr("plan"), Align::left}};
  if (report.several_jobs) columns.push_back({tr("format and engine"), Align::left});
  columns.insert(columns.end(), {{tr("yuan to buy"), Align::right}, {tr("memory"), Align::right}, {tr("token/s"), Align::right}});
  for (const auto measure : measures) columns.push_back({measure_head(measure), Align::right});
  if (report.draws > 0) columns.push_back({tr("first in draws"), Align::right});
  columns.insert(columns.end(), {{tr("limited by"), Align::left}, {tr("doubts (W_...)"), Align::left}});

  TextTable table{std::move(columns)};
  narrow(table, report, measures.size());
  for (const auto& row : report.rows) {
    std::vector<std::string> cells{row.rank > 0 ? std::to_string(row.rank) : "-",
                                   row.rank == 1 ? painted(screen, Ink::strong, tr(row.build)) : tr(row.build), tr(row.plan)};
    if (report.several_jobs) cells.push_back(row.quant + " " + row.engine);
    cells.push_back(price_text(row));
    if (row.rank == 0) {
      cells.push_back(painted(screen, Ink::bad, tr(row.reason)));
      table.row_with_tail(std::move(cells));
      continue;
    }
    cells.push_back(memory_text(row));
    cells.push_back(format_range(report.trains ? row.training : row.decode, token_per_s));
    for (const auto measure : measures) cells.push_back(measure_text(row, measure));
    if (report.draws > 0) cells.push_back(fmt::format("{:.1f} %", 100 * row.wins_share.value_or(0)));
    cells.push_back(tr(row.limited_by));
    cells.push_back(painted(screen, Ink::warn, doubts_text(row.warnings)));
    table.row_with_tail(std::move(cells));
  }
  auto text = report.question + "\n" + painted(screen, Ink::strong, report.headline) + "\n\n";
  if (!table.empty()) text += table.text(screen) + "\n";
  return text + footer(report);
}

}  // namespace rigplan
