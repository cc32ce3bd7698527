// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/serving_plan.h"

#include <fmt/format.h>

#include "rigplan/report/json_values.h"
#include "rigplan/report/question.h"
#include "rigplan/report/ranking.h"
#include "rigplan/report/text_table.h"
#include "rigplan/units/format.h"
#include "text/tr.h"

namespace rigplan {
namespace {

std::string plan_name(const ServingPlan& plan) { return plan_text(plan.plan, JobKind::inference); }

bool has_targets(const ServingPlanReport& report) { return report.asked.targets.per_token || report.asked.targets.first_token; }

/// "12.3 ms [10–14], 15 for 1 in 20".
std::string time_text(const Range<Seconds>& time, Seconds p95, Seconds unit) {
  return trf("{} (p95 {})", format_range(time, unit), format_number(p95 / unit));
}

std::string plans_table(const ServingPlanReport& report) {
  TextTable table{{{"#", Align::right},
                   {tr("plan"), Align::left},
                   {tr("users"), Align::right},
                   {tr("token/s in all"), Align::right},
                   {tr("TPOT ms"), Align::left},
                   {tr("TTFT s"), Align::left},
                   {tr("limited by"), Align::left},
                   {tr("users held"), Align::right},
                   {tr("knee"), Align::right},
                   {has_targets(report) ? tr("most users") : "", Align::right}}};
  int place = 0;
  for (const auto& plan : report.plans) {
    if (!plan.fits) {
      table.row_with_tail({"-", tr(plan_name(plan)), trf("does not fit: {}", plan.shortfall)});
      continue;
    }
    const auto held = format_whole(std::min(plan.streams_held, 1e6)), knee = std::to_string(plan.knee);
    const auto most = has_targets(report) ? std::to_string(plan.largest_load) : std::string{};
    if (!plan.users) {
      table.row({"-", tr(plan_name(plan)), tr("too slow"), "", "", "", "", held, knee, most});
      continue;
    }
    const auto& point = plan.point;
    table.row({std::to_string(++place), tr(plan_name(plan)), std::to_string(point.users),
               format_number(point.generated.in(token_per_s)), time_text(point.per_token, point.per_token_p95, ms),
               time_text(point.first_token, point.first_token_p95, second), tr(point.limited_by), held, knee, most});
  }
  return table.text();
}

std::string curve_table(const ServingPlan& plan) {
  TextTable table{{{tr("users"), Align::right},
                   {tr("token/s in all"), Align::right},
                   {tr("token/s a user"), Align::right},
                   {tr("TPOT ms"), Align::left},
                   {tr("TTFT s"), Align::left},
                   {tr("limited by"), Align::left}}};
  for (const auto& point : plan.curve)
    table.row({std::to_string(point.users), format_number(point.generated.in(token_per_s)),
               format_number(point.generated_per_user.in(token_per_s)), time_text(point.per_token, point.per_token_p95, ms),
               time_text(point.first_token, point.first_token_p95, second), tr(point.limited_by)});
  return table.text(2);
}

JsonValue point_json(const ServingPoint& point) {
  return JsonValue::object()
      .set("users", point.users)
      .set("running", point.running)
      .set("tokens_per_s", point.generated.in(token_per_s))
      .set("tokens_per_s_per_user", point.generated_per_user.in(token_per_s))
      .set("tpot_ms", range_json(point.per_token, ms))
      .set("tpot_p95_ms", point.per_token_p95.in(ms))
      .set("ttft_s", range_json(point.first_token, second))
      .set("ttft_p95_s", point.first_token_p95.in(second))
      .set("limited_by", point.limited_by);
}

JsonValue plan_json(const ServingPlan& plan, bool targets) {
  auto json = JsonValue::object();
  json.set("plan", plan_name(plan)).set("tensor", plan.plan.tensor).set("replicas", plan.plan.replicas);
  json.set("fits", plan.fits).set("reason", text_or_null(plan.shortfall));
  json.set("users_held", plan.streams_held).set("knee_users", plan.fits ? JsonValue{plan.knee} : JsonValue{});
  json.set("most_users", plan.fits && targets ? JsonValue{plan.largest_load} : JsonValue{});
  json.set("load", plan.users ? point_json(plan.point) : JsonValue{});
  auto curve = JsonValue::array();
  for (const auto& point : plan.curve) curve.push(point_json(point));
  return json.set("curve", std::move(curve));
}

std::string asked_text(const ServingQuestion& asked) {
  std::string text;
  if (asked.requests_per_second) text += fmt::format(" · {} requests a second", format_number(*asked.requests_per_second));
  if (asked.targets.per_token) text += fmt::format(" · at most {} a token", to_text(*asked.targets.per_token));
  if (asked.targets.first_token) text += fmt::format(" · first token within {}", to_text(*asked.targets.first_token));
  return text;
}

}  // namespace

ServingPlanReport serving_plan_report(std::vector<ServingPlan> plans, const Evaluator& evaluator, const Candidate& rig,
                                      const ServingQuestion& question) {
  ServingPlanReport report;
  report.question = question_text(evaluator.query(), evaluator.model()) + asked_text(question);
  report.query = question_json(evaluator.query(), evaluator.model());
  report.build = build_text(rig, evaluator.catalog());
  report.asked = question;
  report.plans = std::move(plans);
  return report;
}

std::string serving_plan_to_text(const ServingPlanReport& report) {
  auto text =
      fmt::format("{}\n{}{}{}\n\n", tr(report.question), tr(report.name), report.name.empty() ? "" : " · ", tr(report.build));
  text += plans_table(report);
  if (!report.plans.empty() && report.plans.front().fits)
    text += trf("\n{}, by users at the same time\n{}", tr(plan_name(report.plans.front())), curve_table(report.plans.front()));
  for (const auto& plan : report.plans)
    if (plan.peer == PeerOverPcie::unknown) return text + tr("Peer-to-peer access is not known and counts as absent.\n");
  return text;
}

JsonValue serving_plan_to_json(const ServingPlanReport& report) {
  auto root = JsonValue::object();
  root.set("schema", "rigplan/plan/1")
      .set("rig", text_or_null(report.name))
      .set("build", report.build)
      .set("query", report.query);
  const auto& asked = report.asked;
  root.set("requests_per_s", asked.requests_per_second ? JsonValue{*asked.requests_per_second} : JsonValue{});
  root.set("target_tpot_ms", asked.targets.per_token ? JsonValue{asked.targets.per_token->in(ms)} : JsonValue{});
  root.set("target_ttft_s", asked.targets.first_token ? JsonValue{asked.targets.first_token->in(second)} : JsonValue{});
  auto rows = JsonValue::array();
  for (const auto& plan : report.plans) rows.push(plan_json(plan, has_targets(report)));
  return root.set("rows", std::move(rows));
}

}  // namespace rigplan
