// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "rigplan/report/ranking.h"
#include "rigplan/report/text_table.h"
#include "rigplan/units/format.h"

namespace rigplan {
namespace {

std::string merit_text(const RankingRow& row, RankBy by) {
  switch (by) {
    case RankBy::yuan_per_mtoken:
      return format_range(row.merit.per_token, yuan_per_Mtoken);
    case RankBy::yuan_per_token_rate:
      return format_range(row.merit.per_token_rate, yuan_per_token_per_s);
    case RankBy::yuan_per_gib:
      return format_range(row.merit.purchase_per_vram, yuan_per_GiB);
    default:
      return format_range(row.merit.per_usable_rate, yuan_per_TFLOP_per_s);
  }
}

std::string merit_head(RankBy by) {
  switch (by) {
    case RankBy::yuan_per_mtoken:
      return "yuan per Mtoken";
    case RankBy::yuan_per_token_rate:
      return "yuan per token/s";
    case RankBy::yuan_per_gib:
      return "yuan per GiB";
    default:
      return "yuan per usable TFLOP/s";
  }
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
  if (report.beyond > 0) more.push_back(fmt::format("{} builds cannot come before these", format_whole(report.beyond)));
  if (report.more_ranked > 0) more.push_back(fmt::format("{} more (--top 0)", report.more_ranked));
  if (report.dominated > 0) more.push_back(fmt::format("{} dearer or slower builds of the same cards (--all)", report.dominated));
  if (report.rejected > 0) more.push_back(fmt::format("{} break a limit or do not fit (--all)", format_whole(report.rejected)));
  if (report.cards_without_price > 0) more.push_back(fmt::format("{} cards have no price", report.cards_without_price));
  for (const auto& part : more) text += (text.empty() ? "    " : ", ") + part;
  if (!text.empty()) text += "\n";
  if (!report.oldest_price.empty())
    text += fmt::format("Prices seen from {} to {}. Ranges hold 80 % of measured rows; memory is of the fullest card, in GiB.\n",
                        report.oldest_price, report.newest_price);
  for (const auto& line : report.next) text += line + "\n";
  return text;
}

}  // namespace

std::string ranking_to_text(const RankingReport& report) {
  auto text = report.question + "\n" + report.headline + "\n\n";
  TextTable table{{{"#", Align::right},
                   {"build", Align::left},
                   {"plan", Align::left},
                   {"yuan to buy", Align::right},
                   {"memory", Align::right},
                   {"token/s", Align::right},
                   {merit_head(report.by), Align::right},
                   {"limited by", Align::left},
                   {"doubts (W_...)", Align::left}}};
  for (const auto& row : report.rows) {
    if (row.rank == 0) {
      table.row_with_tail({"-", row.build, row.plan, price_text(row), row.reason});
      continue;
    }
    table.row_with_tail({std::to_string(row.rank), row.build, row.plan, price_text(row), memory_text(row),
                         format_range(report.trains ? row.training : row.decode, token_per_s), merit_text(row, report.by),
                         row.limited_by, doubts_text(row.warnings)});
  }
  if (!table.empty()) text += table.text() + "\n";
  return text + footer(report);
}

}  // namespace rigplan
