// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/estimate.h"
#include "rigplan/report/json_values.h"

namespace rigplan {
namespace {

JsonValue plan_json(const PlanRow& row) {
  auto json = JsonValue::object();
  json.set("plan", row.plan).set("fits", row.fits).set("reason", text_or_null(row.reason));
  json.set("decode_tokens_per_s", range_json(row.decode, token_per_s))
      .set("decode_all_tokens_per_s", range_json(row.decode_all, token_per_s));
  json.set("prefill_tokens_per_s", range_json(row.prefill, token_per_s))
      .set("first_token_s", range_json(row.first_token, second));
  json.set("training_tokens_per_s", range_json(row.training, token_per_s));
  json.set("usable_tflops", range_json(row.usable, TFLOP_per_s)).set("limited_by", text_or_null(row.limited_by));
  json.set("weakest_link", text_or_null(row.link)).set("warnings", texts_json(row.warnings));
  return json;
}

JsonValue memory_json(const CardUse& card) {
  auto parts = JsonValue::object();
  for (const auto& part : card.parts) parts.set(part.name, part.size.in(GiB));
  return JsonValue::object()
      .set("card", card.card)
      .set("usable_gib", card.usable.in(GiB))
      .set("used_gib", card.used.in(GiB))
      .set("parts_gib", std::move(parts));
}

JsonValue line_json(const PurchaseLine& line) {
  auto json = JsonValue::object();
  json.set("kind", to_text(line.kind)).set("item", text_or_null(line.item)).set("name", line.name).set("count", line.count);
  json.set("each_yuan", range_json(line.each, yuan)).set("total_yuan", range_json(line.total(), yuan));
  json.set("condition", to_text(line.condition)).set("newest", text_or_null(line.newest));
  json.set("oldest", text_or_null(line.oldest)).set("stale", line.stale).set("stated", line.stated).set("assumed", line.assumed);
  return json;
}

JsonValue site_json(const SiteCost& cost) {
  auto json = JsonValue::object();
  json.set("name", cost.name).set("item", text_or_null(cost.item));
  json.set("count", JsonValue::object().set("low", cost.count.low).set("likely", cost.count.likely).set("high", cost.count.high));
  json.set("unit", text_or_null(cost.unit)).set("amount_yuan", range_json(cost.amount, yuan));
  json.set("how", cost.how).set("source", text_or_null(cost.source));
  return json;
}

JsonValue power_json(const EstimateReport& report) {
  auto json = JsonValue::object();
  json.set("idle_watts", report.wall.idle.in(watt)).set("decode_watts", report.wall.decode.in(watt));
  json.set("prefill_watts", report.wall.prefill.in(watt)).set("training_watts", report.wall.training.in(watt));
  json.set("wall_watts", report.wall.peak.in(watt)).set("loaded_watts", report.loaded.in(watt));
  json.set("supplies", text_or_null(report.supplies)).set("supply_margin", report.supply_margin);
  json.set("circuits", text_or_null(report.circuits)).set("parts_without_stated_power", report.unknown_power);
  return json;
}

JsonValue money_json(const EstimateReport& report) {
  auto lines = JsonValue::array();
  for (const auto& line : report.purchase.lines) lines.push(line_json(line));
  const auto& merit = report.merit;
  auto json = JsonValue::object();
  json.set("price_yuan", range_json(report.purchase.total, yuan)).set("unknown_prices", report.purchase.unknown);
  json.set("oldest_price", text_or_null(report.purchase.oldest)).set("purchase", std::move(lines));
  json.set("cost_yuan", range_json(report.cost.total(), yuan)).set("resale_yuan", range_json(report.cost.resale, yuan));
  json.set("energy_yuan", range_json(report.cost.energy, yuan)).set("energy_kwh", report.energy.in(kWh));
  json.set("upkeep_yuan", range_json(report.cost.upkeep, yuan));
  auto site = JsonValue::array();
  for (const auto& cost : report.site) site.push(site_json(cost));
  json.set("site_costs", std::move(site)).set("site_costs_yuan", range_json(total_of(report.site), yuan));
  json.set("yuan_per_usable_tflop", range_json(merit.per_usable_rate, yuan_per_TFLOP_per_s));
  json.set("purchase_yuan_per_usable_tflop", range_json(merit.purchase_per_usable_rate, yuan_per_TFLOP_per_s));
  json.set("purchase_yuan_per_peak_tflop", range_json(merit.purchase_per_peak_rate, yuan_per_TFLOP_per_s));
  json.set("yuan_per_mtoken", range_json(merit.per_token, yuan_per_Mtoken));
  json.set("yuan_per_token_per_s", range_json(merit.per_token_rate, yuan_per_token_per_s));
  json.set("purchase_yuan_per_gib", range_json(merit.purchase_per_vram, yuan_per_GiB));
  return json;
}

}  // namespace

JsonValue estimate_to_json(const EstimateReport& report) {
  auto plans = JsonValue::array();
  for (const auto& [row, with_peer] : report.plans)
    plans.push(plan_json(row).set("with_peer_access", with_peer ? plan_json(*with_peer) : JsonValue{}));
  auto memory = JsonValue::array();
  for (const auto& card : report.memory) memory.push(memory_json(card));
  auto shares = JsonValue::object();
  for (const auto& [name, share] : report.time_shares) shares.set(name, share);
  auto conditions = JsonValue::array();
  for (const auto& condition : report.peer_conditions)
    conditions.push(JsonValue::object()
                        .set("code", condition.code)
                        .set("text", condition.text)
                        .set("holds", condition.holds ? JsonValue{*condition.holds} : JsonValue{}));
  auto warnings = JsonValue::array();
  for (const auto& [code, title] : report.warnings) warnings.push(code);
  auto json = JsonValue::object();
  json.set("schema", "rigplan/estimate/1")
      .set("query", report.query)
      .set("rig", text_or_null(report.name))
      .set("build", report.build);
  json.set("places", texts_json(report.places)).set("vram_gib", report.vram.in(GiB));
  json.set("fits", !report.plans.empty() && report.plans.front().row.fits).set("reason", text_or_null(report.why_not));
  json.set("topology", topology_trees_json(report.machines));
  json.set("rows", std::move(plans)).set("memory", std::move(memory)).set("time_shares", std::move(shares));
  json.set("mfu", report.mfu ? JsonValue{*report.mfu} : JsonValue{});
  json.set("largest_context_tokens",
           report.largest_context > Tokens{} ? JsonValue{report.largest_context.in(token)} : JsonValue{});
  json.set("most_users", report.most_users > 0 ? JsonValue{report.most_users} : JsonValue{});
  json.set("peer_access", text_or_null(report.peer)).set("peer_conditions", std::move(conditions));
  json.set("power", power_json(report)).set("money", money_json(report)).set("warnings", std::move(warnings));
  return json;
}

}  // namespace rigplan
