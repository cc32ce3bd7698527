// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/json_values.h"
#include "rigplan/report/ranking.h"

namespace rigplan {
namespace {

JsonValue row_json(const RankingRow& row) {
  auto json = JsonValue::object();
  json.set("rank", row.rank > 0 ? JsonValue{row.rank} : JsonValue{}).set("build", row.build);
  json.set("gpu", row.gpu)
      .set("cards", row.cards)
      .set("host", row.host)
      .set("attachment", row.attachment)
      .set("links", row.links);
  json.set("price_yuan", range_json(row.price, yuan)).set("unknown_prices", row.unknown_prices);
  json.set("vram_gib", row.vram.in(GiB)).set("vram_used_gib", row.vram_used.in(GiB));
  json.set("card_vram_used_gib", row.card_vram_used.in(GiB)).set("card_vram_usable_gib", row.card_vram_usable.in(GiB));
  json.set("fits", row.fits).set("reason", text_or_null(row.reason)).set("dominated", row.dominated).set("plan", row.plan);
  json.set("decode_tokens_per_s", range_json(row.decode, token_per_s))
      .set("prefill_tokens_per_s", range_json(row.prefill, token_per_s));
  json.set("first_token_s", range_json(row.first_token, second));
  json.set("training_tokens_per_s", range_json(row.training, token_per_s));
  json.set("tokens_per_s_with_peer_access", range_json(row.with_peer, token_per_s));
  json.set("usable_tflops", row.usable.likely.in(TFLOP_per_s)).set("usable_tflops_range", range_json(row.usable, TFLOP_per_s));
  json.set("yuan_per_usable_tflop", range_json(row.merit.per_usable_rate, yuan_per_TFLOP_per_s));
  json.set("purchase_yuan_per_usable_tflop", range_json(row.merit.purchase_per_usable_rate, yuan_per_TFLOP_per_s));
  json.set("purchase_yuan_per_peak_tflop", range_json(row.merit.purchase_per_peak_rate, yuan_per_TFLOP_per_s));
  json.set("yuan_per_mtoken", range_json(row.merit.per_token, yuan_per_Mtoken));
  json.set("yuan_per_token_per_s", range_json(row.merit.per_token_rate, yuan_per_token_per_s));
  json.set("purchase_yuan_per_gib", range_json(row.merit.purchase_per_vram, yuan_per_GiB));
  json.set("cost_yuan", range_json(row.cost, yuan)).set("limited_by", text_or_null(row.limited_by));
  json.set("wall_watts", row.wall.in(watt)).set("loaded_watts", row.loaded.in(watt));
  json.set("warnings", texts_json(row.warnings)).set("oldest_price", text_or_null(row.oldest_price));
  json.set("quant", text_or_null(row.quant)).set("engine", text_or_null(row.engine)).set("machines", row.machines);
  json.set("network", text_or_null(row.network)).set("bridge", text_or_null(row.bridge));
  json.set("on_front", row.on_front ? JsonValue{*row.on_front} : JsonValue{});
  json.set("wins_share", row.wins_share ? JsonValue{*row.wins_share} : JsonValue{});
  return json;
}

}  // namespace

JsonValue ranking_to_json(const RankingReport& report) {
  auto rows = JsonValue::array();
  for (const auto& row : report.rows) rows.push(row_json(row));
  auto json = JsonValue::object();
  json.set("schema", "rigplan/rank/1").set("query", report.query).set("candidates", report.candidates);
  json.set("looked_at_in_full", report.looked_at).set("cannot_come_before_these", report.beyond);
  json.set("ranked_not_shown", report.more_ranked).set("dominated", report.dominated).set("rejected", report.rejected);
  json.set("cards_without_price", report.cards_without_price);
  if (!report.pareto.empty()) {
    auto measures = JsonValue::array();
    for (const auto measure : report.pareto) measures.push(rank_keys()[static_cast<std::size_t>(measure)]);
    json.set("pareto", std::move(measures));
  }
  if (report.draws > 0) json.set("draws", report.draws).set("wins_share_of_others", report.other_wins);
  json.set("rows", std::move(rows));
  return json;
}

}  // namespace rigplan
