// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "rigplan/report/json_values.h"
#include "rigplan/report/question.h"
#include "rigplan/report/ranking.h"
#include "rigplan/report/text_table.h"
#include "rigplan/report/why_not.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"
#include "text/tr.h"

namespace rigplan {
namespace {

std::string_view lever_key(FlipLever lever) {
  static constexpr std::string_view keys[] = {msg("card price"), msg("board price"), msg("tariff"), msg("hours per day"),
                                              msg("horizon")};
  return keys[static_cast<std::size_t>(lever)];
}

std::string_view lever_unit(FlipLever lever) {
  static constexpr std::string_view units[] = {msg("yuan"), msg("yuan"), msg("yuan/kWh"), "h", msg("months")};
  return units[static_cast<std::size_t>(lever)];
}

/// The value rounded to `digits` decimals away from today's, so that it lies beyond the edge.
double rounded_beyond(const RankFlip& flip, int digits) {
  const double scale = std::pow(10, digits);
  return (flip.to < flip.from ? std::floor(flip.to * scale) : std::ceil(flip.to * scale)) / scale;
}

/// How the edge is set: an option of rigplan rank.
std::string lever_option(const RankFlip& flip) {
  switch (flip.lever) {
    case FlipLever::card_price:
      return fmt::format("--set gpus.{}.price=\"{:.2f} yuan\"", flip.item, rounded_beyond(flip, 2));
    case FlipLever::board_price:
      return fmt::format("--set boards.{}.price=\"{:.2f} yuan\"", flip.item, rounded_beyond(flip, 2));
    case FlipLever::tariff:
      return fmt::format("--tariff {:.4f}", rounded_beyond(flip, 4));
    case FlipLever::hours_per_day:
      return fmt::format("--hours-per-day {:.4f}", rounded_beyond(flip, 4));
    case FlipLever::horizon:
      return fmt::format("--horizon \"{:g} mo\"", flip.to);
  }
  return "";
}

std::string flipped_to(const RankFlip& flip, const Catalog& catalog) {
  return flip.first.cards > 0 ? tr(build_text(flip.first, catalog)) : tr("nothing that fits");
}

}  // namespace

std::string flips_to_text(const FlipAnswer& answer, const Query& query, const TransformerModel& model, const Catalog& catalog,
                          const Screen& screen) {
  auto text = question_text(query, model) + "\n";
  if (!answer.first) return text + tr("Nothing fits, so that nothing is first.\n");
  text += trf("First is {}. One change alone puts another build there:\n\n", build_text(*answer.first, catalog));
  TextTable table{{{tr("change"), Align::right},
                   {tr("of"), Align::left},
                   {tr("from"), Align::right},
                   {tr("to"), Align::right},
                   {"", Align::left},
                   {tr("then first"), Align::left}}};
  table.narrowed({5, 1}, {0});
  for (const auto& flip : answer.flips)
    table.row({fmt::format("{:+.1f} %", 100 * (flip.factor() - 1)),
               flip.item.empty() ? tr(lever_key(flip.lever)) : tr(lever_key(flip.lever)) + " " + flip.item,
               format_number(flip.from), format_number(flip.to), tr(lever_unit(flip.lever)), flipped_to(flip, catalog)});
  if (!table.empty()) text += table.text(screen);
  for (const auto lever : answer.without) text += trf("No {} that was tried changes the first place.\n", lever_key(lever));
  return text +
         tr("Tried: prices from half to twice, the tariff up to four times, hours up to the whole day, one to 60 months.\n");
}

JsonValue flips_to_json(const FlipAnswer& answer, const Query& query, const TransformerModel& model, const Catalog& catalog) {
  auto rows = JsonValue::array();
  for (const auto& flip : answer.flips)
    rows.push(JsonValue::object()
                  .set("id", flip.item.empty() ? std::string{lever_key(flip.lever)}
                                               : fmt::format("{} {}", lever_key(flip.lever), flip.item))
                  .set("lever", lever_key(flip.lever))
                  .set("item", text_or_null(flip.item))
                  .set("unit", lever_unit(flip.lever))
                  .set("from", flip.from)
                  .set("to", flip.to)
                  .set("factor", flip.factor())
                  .set("option", lever_option(flip))
                  .set("first", flip.first.cards > 0 ? JsonValue{build_text(flip.first, catalog)} : JsonValue{}));
  auto without = JsonValue::array();
  for (const auto lever : answer.without) without.push(lever_key(lever));
  return JsonValue::object()
      .set("schema", "rigplan/flip/1")
      .set("query", question_json(query, model))
      .set("first", answer.first ? JsonValue{build_text(*answer.first, catalog)} : JsonValue{})
      .set("rows", std::move(rows))
      .set("change_nothing", std::move(without));
}

}  // namespace rigplan
