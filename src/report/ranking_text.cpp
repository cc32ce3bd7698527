// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "rigplan/report/ranking.h"
#include "rigplan/report/text_table.h"
#include "rigplan/units/format.h"

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
      return "yuan per Mtoken";
    case RankBy::yuan_per_token_rate:
      return "yuan per token/s";
    case RankBy::yuan_per_gib:
      return "yuan per GiB";
    case RankBy::prefill:
      return "token/s of prompts";
    case RankBy::usable:
      return "usable TFLOP/s";
    case RankBy::watts:
      return "W at the wall";
    case RankBy::cost:
      return "yuan over the horizon";
    case RankBy::vram:
      return "GiB in all";
    default:
      return "yuan per usable TFLOP/s";
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
  return format_range(row.price, yuan) + (row.unknown_prices > 0 ? fmt::format(" + {} unknown", row.unknown_prices) : "");
}

std::string memory_text(const RankingRow& row) {
  return fmt::format("{} of {}", format_number(row.card_vram_used.in(GiB)), format_number(row.card_vram_usable.in(GiB)));
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
    more.push_back(fmt::format("{} builds {}", format_whole(report.beyond),
                               report.pareto.empty() ? "cannot come before these" : "are beaten even at their bounds"));
  if (report.more_ranked > 0) more.push_back(fmt::format("{} more (--top 0)", report.more_ranked));
  if (report.dominated > 0) more.push_back(fmt::format("{} dearer or slower builds of the same cards (--all)", report.dominated));
  if (report.rejected > 0) more.push_back(fmt::format("{} break a limit or do not fit (--all)", format_whole(report.rejected)));
  if (report.cards_without_price > 0) more.push_back(fmt::format("{} cards have no price", report.cards_without_price));
  for (const auto& part : more) text += (text.empty() ? "    " : ", ") + part;
  if (!text.empty()) text += "\n";
  if (report.draws > 0)
    text += fmt::format(
        "Draws: {} of the price and speed ranges, those of a card for all its builds; others are first in {:.1f} %.\n",
        format_whole(report.draws), 100 * std::abs(report.other_wins));
  if (!report.oldest_price.empty())
    text += fmt::format("Prices seen from {} to {}. Ranges hold 80 % of measured rows; memory is of the fullest card, in GiB.\n",
                        report.oldest_price, report.newest_price);
  for (const auto& line : report.next) text += line + "\n";
  return text;
}

}  // namespace

std::string ranking_to_text(const RankingReport& report) {
  const auto measures = measure_columns(report);
  std::vector<TextTable::Column> columns{{"#", Align::right}, {"build", Align::left}, {"plan", Align::left}};
  if (report.several_jobs) columns.push_back({"format and engine", Align::left});
  columns.insert(columns.end(), {{"yuan to buy", Align::right}, {"memory", Align::right}, {"token/s", Align::right}});
  for (const auto measure : measures) columns.push_back({measure_head(measure), Align::right});
  if (report.draws > 0) columns.push_back({"first in draws", Align::right});
  columns.insert(columns.end(), {{"limited by", Align::left}, {"doubts (W_...)", Align::left}});

  TextTable table{std::move(columns)};
  for (const auto& row : report.rows) {
    std::vector<std::string> cells{row.rank > 0 ? std::to_string(row.rank) : "-", row.build, row.plan};
    if (report.several_jobs) cells.push_back(row.quant + " " + row.engine);
    cells.push_back(price_text(row));
    if (row.rank == 0) {
      cells.push_back(row.reason);
      table.row_with_tail(std::move(cells));
      continue;
    }
    cells.push_back(memory_text(row));
    cells.push_back(format_range(report.trains ? row.training : row.decode, token_per_s));
    for (const auto measure : measures) cells.push_back(measure_text(row, measure));
    if (report.draws > 0) cells.push_back(fmt::format("{:.1f} %", 100 * row.wins_share.value_or(0)));
    cells.push_back(row.limited_by);
    cells.push_back(doubts_text(row.warnings));
    table.row_with_tail(std::move(cells));
  }
  auto text = report.question + "\n" + report.headline + "\n\n";
  if (!table.empty()) text += table.text() + "\n";
  return text + footer(report);
}

}  // namespace rigplan
