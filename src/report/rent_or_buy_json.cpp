// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/json_values.h"
#include "rigplan/report/rent_or_buy.h"

namespace rigplan {
namespace {

template <class Q>
JsonValue optional_json(const std::optional<Q>& value, Q unit) {
  return value ? JsonValue{value->in(unit)} : JsonValue{};
}

JsonValue deal_query_json(const RentOrBuyReport& report) {
  const auto& question = report.question;
  const auto& deal = report.rows.front().deal;
  auto json = JsonValue::object();
  json.set("job", report.job_query).set("rig", text_or_null(report.rig.name)).set("gpu", report.rig.gpu);
  json.set("cards", report.rig.cards);
  json.set("hours_per_day", question.schedule.hours_per_day).set("days_per_month", question.schedule.days_per_month);
  json.set("idle_hours_per_day", question.idle_hours_per_day).set("horizon_months", question.horizon.in(month));
  json.set("tariff_yuan_per_kwh", question.tariff.in(yuan_per_kWh)).set("tariff", text_or_null(question.tariff_name));
  json.set("pue", question.pue).set("discount_per_year", deal.discount_per_year);
  json.set("labour_hours_per_month_owning", deal.own.labour.in(hour));
  json.set("labour_hours_per_month_renting", deal.rent.labour.in(hour));
  json.set("labour_yuan_per_hour", deal.own.labour_price.in(yuan_per_hour));
  json.set("shipping_yuan", question.shipping.in(yuan)).set("tax_share", question.tax);
  json.set("borrowed_share", question.borrowed).set("loan_rate_per_year", question.loan_rate);
  json.set("loan_months", question.loan_months).set("delivery_days", question.delivery.in(day));
  json.set("draws", question.draws).set("seed", static_cast<std::int64_t>(question.seed));
  return json;
}

JsonValue flow_json(const CashFlow& flow) {
  auto months = JsonValue::array();
  for (int m = 0; m <= flow.last_month(); ++m) {
    auto of_month = JsonValue::object();
    of_month.set("month", m);
    for (int i = 0; i < cash_kinds; ++i) {
      const auto kind = static_cast<CashKind>(i);
      if (const auto amount = flow.in_month(m, kind); amount != Yuan{})
        of_month.set(std::string{to_text(kind)} + "_yuan", amount.in(yuan));
    }
    months.push(of_month.set("total_yuan", flow.in_month(m).in(yuan)));
  }
  return months;
}

JsonValue flips_json(const DealRow& row) {
  auto json = JsonValue::array();
  for (const auto& flip : row.flips) {
    const auto& spread = row.deal.spread[static_cast<std::size_t>(flip.lever)];
    json.push(JsonValue::object()
                  .set("input", to_text(flip.lever))
                  .set("factor", flip.factor)
                  .set("expected_low", spread.low)
                  .set("expected_high", spread.high)
                  .set("can_happen", flip.in_range)
                  .set("text", flip_text(flip, row)));
  }
  return json;
}

JsonValue deal_row_json(const DealRow& row, const RentOrBuyReport& report) {
  auto json = JsonValue::object();
  json.set("offer", row.offer->id).set("provider", row.offer->provider).set("gpu", text_or_null(row.offer->gpu));
  json.set("terms", row.offer->terms).set("date", text_or_null(row.offer->date)).set("old", row.old);
  json.set("other_card", row.other_card).set("cards", row.cards);
  json.set("yuan_per_card_hour", row.per_card.in(yuan_per_hour)).set("hours_per_card", row.billed.in(hour));
  json.set("card_hours", row.cards * row.billed.in(hour));
  json.set("own_total_yuan", row.own.total().in(yuan)).set("rent_total_yuan", row.rent.total().in(yuan));
  json.set("own_total_yuan_range", range_json(row.draws.own, yuan))
      .set("rent_total_yuan_range", range_json(row.draws.rent, yuan));
  json.set("own_present_value_yuan", row.own_value.in(yuan)).set("rent_present_value_yuan", row.rent_value.in(yuan));
  json.set("buying_saves_yuan", (row.rent.total() - row.own.total()).in(yuan));
  json.set("buying_saves_present_value_yuan", (row.rent_value - row.own_value).in(yuan));
  json.set("break_even_hours_per_card", optional_json(row.break_even, hour));
  json.set("break_even_utilisation", row.break_even ? JsonValue{*row.break_even / row.deal.horizon} : JsonValue{});
  json.set("break_even_month", row.break_even_month ? JsonValue{*row.break_even_month} : JsonValue{});
  json.set("buying_wins_share", row.draws.buying_wins);
  if (report.rig.tokens) {
    const auto tokens =
        (*report.rig.tokens * (report.question.horizon / month * report.question.schedule.per_month())).in(Mtoken);
    json.set("own_yuan_per_mtoken", tokens > 0 ? JsonValue{row.own.total().in(yuan) / tokens} : JsonValue{});
    json.set("rent_yuan_per_mtoken", tokens > 0 ? JsonValue{row.rent.total().in(yuan) / tokens} : JsonValue{});
    json.set("rent_tokens_per_s", optional_json(row.tokens, token_per_s));
  }
  json.set("turning_points", flips_json(row)).set("own_months", flow_json(row.own)).set("rent_months", flow_json(row.rent));
  return json;
}

JsonValue bill_json(const Purchase& purchase) {
  auto lines = JsonValue::array();
  for (const auto& line : purchase.lines)
    lines.push(JsonValue::object()
                   .set("kind", to_text(line.kind))
                   .set("item", text_or_null(line.item))
                   .set("name", line.name)
                   .set("count", line.count)
                   .set("total_yuan", range_json(line.total(), yuan))
                   .set("condition", to_text(line.condition))
                   .set("newest", text_or_null(line.newest))
                   .set("stated", line.stated)
                   .set("assumed", line.assumed)
                   .set("old", line.stale));
  return JsonValue::object()
      .set("lines", std::move(lines))
      .set("total_yuan", range_json(purchase.total, yuan))
      .set("unknown_prices", purchase.unknown);
}

}  // namespace

JsonValue rent_or_buy_to_json(const RentOrBuyReport& report) {
  auto rows = JsonValue::array();
  for (const auto& row : report.rows) rows.push(deal_row_json(row, report));
  auto json = JsonValue::object();
  json.set("schema", "rigplan/rent-or-buy/1").set("query", deal_query_json(report)).set("build", report.build);
  json.set("verdict", verdict_text(report.rows.front())).set("purchase", bill_json(report.rig.purchase));
  json.set("loaded_watts", report.rig.loaded.in(watt)).set("idle_watts", report.rig.idle.in(watt));
  json.set("tokens_per_s", optional_json(report.rig.tokens, token_per_s));
  json.set("rows", std::move(rows)).set("notes", texts_json(report.notes));
  return json;
}

}  // namespace rigplan
