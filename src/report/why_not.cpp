// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/why_not.h"

#include <fmt/format.h>

#include "rigplan/report/json_values.h"
#include "rigplan/report/question.h"
#include "rigplan/report/ranking.h"
#include "rigplan/report/text_table.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"
#include "text/tr.h"

namespace rigplan {
namespace {

std::string build_and_plan(const Candidate& candidate, const Catalog& catalog, JobKind kind) {
  return tr(build_text(candidate, catalog)) + trc("list", "; ") + tr(plan_text(candidate.best.plan, kind));
}

std::string place_text(const WhyNot& answer) {
  switch (answer.verdict) {
    case WhyNot::Verdict::first:
      return tr("It is first.");
    case WhyNot::Verdict::ranked:
      return answer.place_is_least ? trf("It is ranked at place {} or behind.", format_whole(answer.place))
                                   : trf("It is ranked at place {}.", format_whole(answer.place));
    default:
      return tr("It is not ranked:");
  }
}

}  // namespace

std::vector<ComparedFigure> compared_figures(const Candidate& mine, const Candidate& first) {
  std::vector<ComparedFigure> figures;
  const auto add = [&](std::string key, std::string what, double a, double b) {
    if (a > 0 || b > 0) figures.push_back({std::move(key), std::move(what), a, b});
  };
  const auto merit = [](const Candidate& c) {
    return c.merit.per_usable_rate ? c.merit.per_usable_rate->likely.in(yuan_per_TFLOP_per_s) : 0;
  };
  const auto rate = [](const Candidate& c) {
    return (c.best.inference ? c.best.inference->decode_per_user : c.best.tokens).likely.in(token_per_s);
  };
  const auto prefill = [](const Candidate& c) { return c.best.inference ? c.best.inference->prefill.likely.in(token_per_s) : 0; };
  add("yuan_per_usable_tflop", msg("yuan per usable TFLOP/s"), merit(mine), merit(first));
  add("price_yuan", msg("yuan to buy"), mine.purchase.total.likely.in(yuan), first.purchase.total.likely.in(yuan));
  add("cost_yuan", msg("yuan over the horizon"), mine.cost.total().likely.in(yuan), first.cost.total().likely.in(yuan));
  add("tokens_per_s", msg("token/s"), rate(mine), rate(first));
  add("prefill_tokens_per_s", msg("token/s of prompts"), prefill(mine), prefill(first));
  add("usable_tflops", msg("usable TFLOP/s"), mine.best.usable.likely.in(TFLOP_per_s), first.best.usable.likely.in(TFLOP_per_s));
  add("wall_watts", msg("watts at the wall"), mine.wall.peak.in(watt), first.wall.peak.in(watt));
  add("vram_gib", msg("GiB of all cards"), mine.vram.in(GiB), first.vram.in(GiB));
  return figures;
}

std::string why_not_to_text(const WhyNot& answer, const Query& query, const TransformerModel& model, const Catalog& catalog,
                            const Screen& screen) {
  auto text = question_text(query, model) + "\n";
  if (!answer.build) return text + tr(answer.reason) + "\n";
  text +=
      trf("The best build of this kind: {}.\n{}\n", build_and_plan(*answer.build, catalog, query.job.kind), place_text(answer));
  for (const auto& broken : answer.broken)
    text += "    " + tr(to_text(broken.misfit)) + trc("list", ": ") + tr(broken.why) + "\n";
  if (!answer.leader || answer.verdict == WhyNot::Verdict::first) return text;
  text += trf("First is {}.\n\n", build_and_plan(*answer.leader, catalog, query.job.kind));
  TextTable table{
      {{"", Align::left}, {tr("this build"), Align::right}, {tr("the first"), Align::right}, {tr("difference"), Align::right}}};
  table.narrowed({0});
  for (const auto& figure : compared_figures(*answer.build, *answer.leader))
    table.row({tr(figure.what), format_number(figure.mine), format_number(figure.first),
               figure.first > 0 && figure.mine > 0 ? fmt::format("{:+.0f} %", 100 * (figure.mine / figure.first - 1)) : "-"});
  return text + table.text(screen);
}

JsonValue why_not_to_json(const WhyNot& answer, const Query& query, const TransformerModel& model, const Catalog& catalog) {
  auto broken = JsonValue::array();
  for (const auto& one : answer.broken) broken.push(JsonValue::object().set("limit", to_text(one.misfit)).set("reason", one.why));
  auto rows = JsonValue::array();
  if (answer.build && answer.leader)
    for (const auto& figure : compared_figures(*answer.build, *answer.leader))
      rows.push(JsonValue::object().set("id", figure.key).set("this_build", figure.mine).set("first", figure.first));
  const auto name = [&](const std::optional<Candidate>& build) {
    return build ? JsonValue{build_text(*build, catalog)} : JsonValue{};
  };
  auto json = JsonValue::object();
  json.set("schema", "rigplan/why-not/1").set("query", question_json(query, model)).set("verdict", to_text(answer.verdict));
  json.set("reason", text_or_null(answer.reason)).set("build", name(answer.build));
  json.set("plan", answer.build ? JsonValue{plan_text(answer.build->best.plan, query.job.kind)} : JsonValue{});
  json.set("broken", std::move(broken)).set("place", answer.place > 0 ? JsonValue{answer.place} : JsonValue{});
  json.set("place_is_least", answer.place_is_least).set("first", name(answer.leader)).set("rows", std::move(rows));
  return json;
}

}  // namespace rigplan
