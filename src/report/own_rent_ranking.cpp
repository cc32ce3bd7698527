// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/own_rent_ranking.h"

#include <fmt/format.h>

#include <algorithm>

#include "rigplan/report/json_values.h"
#include "rigplan/report/text_table.h"
#include "rigplan/units/format.h"
#include "text/tr.h"

namespace rigplan {

void sort_rows(OwnRentRanking& ranking) {
  std::stable_sort(ranking.rows.begin(), ranking.rows.end(), [](const OwnRentRow& a, const OwnRentRow& b) {
    if (a.why_not.empty() != b.why_not.empty()) return a.why_not.empty();
    return a.yuan_per_mtoken() < b.yuan_per_mtoken();
  });
}

/// "own" or "rent", and what.
static std::string way_text(const OwnRentRow& row) {
  const auto name = row.what.substr(std::min(row.what.find(' ') + 1, row.what.size()));
  return (row.owned ? trc("way", "own") : trc("way", "rent")) + " " + name;
}

std::string own_rent_ranking_to_text(const OwnRentRanking& ranking, const Screen& screen) {
  const auto& question = ranking.question;
  const auto hours = question.horizon / month * question.schedule.per_month();
  auto text = trf("{}\n{} for {} months: {} h a card · {}\n\n", ranking.job, to_text(question.schedule),
                  format_number(question.horizon.in(month)), format_whole(hours.in(hour)), to_text(question.tariff));
  TextTable table{{{tr("place"), Align::right},
                   {tr("way"), Align::left},
                   {tr("cards"), Align::right},
                   {tr("yuan to buy"), Align::right},
                   {tr("yuan in all"), Align::right},
                   {tr("in today's yuan"), Align::right},
                   {tr("token/s"), Align::right},
                   {tr("million tokens"), Align::right},
                   {tr("yuan a million tokens"), Align::right}}};
  table.narrowed({1}, {7, 4, 6, 3});
  int place = 0;
  for (const auto& row : ranking.rows) {
    if (!row.why_not.empty()) {
      table.row_with_tail({"-", way_text(row), format_whole(row.cards), tr(row.why_not)});
      continue;
    }
    table.row({std::to_string(++place), way_text(row) + (row.old ? tr(" (old)") : ""), format_whole(row.cards),
               row.owned ? format_whole(row.purchase.in(yuan)) +
                               (row.unknown_prices > 0 ? trf(" + {} unknown", row.unknown_prices) : "")
                         : "-",
               format_whole(row.total.in(yuan)), format_whole(row.value.in(yuan)), format_number(row.tokens.in(token_per_s)),
               format_number(row.mtokens), format_number(row.yuan_per_mtoken())});
  }
  text += table.text(screen);
  for (const auto& note : ranking.notes) text += tr(note) + "\n";
  return text;
}

JsonValue own_rent_ranking_to_json(const OwnRentRanking& ranking) {
  const auto& question = ranking.question;
  auto query = JsonValue::object();
  query.set("job", ranking.job_query).set("hours_per_day", question.schedule.hours_per_day);
  query.set("days_per_month", question.schedule.days_per_month).set("horizon_months", question.horizon.in(month));
  query.set("tariff_yuan_per_kwh", question.tariff.in(yuan_per_kWh));
  auto rows = JsonValue::array();
  for (const auto& row : ranking.rows) {
    const bool runs = row.why_not.empty();
    rows.push(JsonValue::object()
                  .set("way", row.what)
                  .set("owned", row.owned)
                  .set("cards", row.cards)
                  .set("purchase_yuan", row.owned ? JsonValue{row.purchase.in(yuan)} : JsonValue{})
                  .set("unknown_prices", row.unknown_prices)
                  .set("total_yuan", runs ? JsonValue{row.total.in(yuan)} : JsonValue{})
                  .set("present_value_yuan", runs ? JsonValue{row.value.in(yuan)} : JsonValue{})
                  .set("tokens_per_s", runs ? JsonValue{row.tokens.in(token_per_s)} : JsonValue{})
                  .set("mtokens", runs ? JsonValue{row.mtokens} : JsonValue{})
                  .set("yuan_per_mtoken", runs ? JsonValue{row.yuan_per_mtoken()} : JsonValue{})
                  .set("old", row.old)
                  .set("reason", text_or_null(row.why_not)));
  }
  return JsonValue::object()
      .set("schema", "rigplan/rent-or-buy-ranking/1")
      .set("query", std::move(query))
      .set("rows", std::move(rows))
      .set("notes", texts_json(ranking.notes));
}

}  // namespace rigplan
