// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/training_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/time_shares.h"
#include "rigplan/economics/energy.h"
#include "rigplan/report/json_values.h"
#include "rigplan/report/question.h"
#include "rigplan/report/ranking.h"
#include "rigplan/report/text_table.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"
#include "text/tr.h"

namespace rigplan {
namespace {

std::string_view offload_name(Offload offload) {
  return offload == Offload::none ? "none" : offload == Offload::optimizer ? "optimizer" : "parameters";
}

std::string extra_text(const TrainingChoice& choice) {
  auto text = fmt::format("micro-batch {}", choice.micro_sequences) + ", ";
  text += choice.checkpointing == Checkpointing::none        ? msg("no checkpointing")
          : choice.checkpointing == Checkpointing::selective ? msg("selective checkpointing")
                                                             : msg("full checkpointing");
  if (choice.plan.sequence_parallel) text += msg(", sequence parallel");
  if (choice.plan.interleave > 1) text += fmt::format(", {} chunks a stage", choice.plan.interleave);
  if (choice.offload != Offload::none)
    text += choice.offload == Offload::optimizer ? msg(", optimizer in host memory") : msg(", parameters in host memory");
  return text;
}

std::string loses_text(const ShapeResult& found, const ShapeResult& first) {
  if (!found.fits) return found.result->shortfall;
  const auto mine = named_parts(found.result->training->parts), best = named_parts(first.result->training->parts);
  const auto excess = [&](std::size_t i) { return mine[i].second - best[i].second; };
  std::size_t most = 0;
  for (std::size_t i = 1; i < mine.size(); ++i)
    if (excess(i) > excess(most)) most = i;
  const double slower = 100 * (found.step / first.step - 1);
  if (excess(most) <= Seconds{}) return fmt::format("{:.3g} % slower", slower);
  return fmt::format("{:.3g} % slower: {} +{}", slower, mine[most].first, to_text(excess(most)));
}

TrainingRun run_of(Tokens tokens, const ShapeResult& first, const Candidate& rig, const WorkSchedule& schedule) {
  const auto& rate = first.result->tokens;
  TrainingRun run{tokens, {tokens / rate.high, tokens / rate.likely, tokens / rate.low}, 0, {}, {}};
  run.cards = first.shape.cards();
  run.energy = run.time.likely * (rig.wall.training * schedule.pue);
  run.energy_cost = run.energy * schedule.tariff;
  return run;
}

std::string rate_cell(const TrainingPlanRow& row) {
  return row.found.fits ? format_range(row.found.result->tokens, token_per_s) : tr("does not fit");
}

JsonValue row_json(const TrainingPlanRow& row) {
  const auto& [shape, choice, fits, step, missing, host, tried, fit, result, with_peer] = row.found;
  const auto& plan = choice.plan;
  auto json = JsonValue::object();
  json.set("rank", row.rank > 0 ? JsonValue{row.rank} : JsonValue{}).set("plan", row.plan).set("fits", fits);
  json.set("tensor", shape.tensor).set("pipeline", shape.pipeline).set("data", shape.data).set("expert", shape.expert);
  json.set("micro_batch", choice.micro_sequences).set("checkpointing", checkpointing_name(choice.checkpointing));
  json.set("zero", plan.sharding).set("shard_cards", plan.shard_cards > 0 ? JsonValue{plan.shard_cards} : JsonValue{});
  json.set("interleave", plan.interleave).set("sequence_parallel", plan.sequence_parallel);
  json.set("offload", offload_name(choice.offload));
  json.set("tokens_per_s", fits ? range_json(result->tokens, token_per_s) : JsonValue{});
  json.set("tokens_per_s_with_peer", with_peer && with_peer->fits ? range_json(with_peer->tokens, token_per_s) : JsonValue{});
  json.set("step_s", fits ? JsonValue{step.in(second)} : JsonValue{});
  json.set("mfu", fits ? JsonValue{result->training->mfu} : JsonValue{});
  auto parts = JsonValue::object();
  if (fits)
    for (auto [name, part] : named_parts(result->training->parts)) {
      std::replace(name.begin(), name.end(), ' ', '_');
      parts.set(name, part.in(second));
    }
  json.set("parts_s", std::move(parts));
  const auto& card = result->memory.front();
  json.set("card_used_gib", card.used.in(GiB)).set("card_usable_gib", card.usable.in(GiB)).set("host_gib", host.in(GiB));
  json.set("limited_by", text_or_null(result->limited_by)).set("loses", text_or_null(row.loses));
  return json.set("plans_tried", tried).set("plans_that_fit", fit);
}

std::string run_text(const TrainingRun& run) {
  const auto hours = [](Seconds time) { return time.in(hour); };
  return trf("{} take {} h, {} card-hours, {} at the wall ({} of electricity)\n", to_text(run.tokens),
             format_range(map_range(run.time, hours)), format_number(run.cards * run.time.likely.in(hour)), to_text(run.energy),
             to_text(run.energy_cost));
}

}  // namespace

TrainingPlanReport training_plan_report(const TrainingSearch& search, const Evaluator& evaluator, const Candidate& rig, int top) {
  const auto& query = evaluator.query();
  TrainingPlanReport report;
  report.question = question_text(query, evaluator.model());
  report.query = question_json(query, evaluator.model());
  report.build = build_text(rig, evaluator.catalog());
  report.tried = search.tried, report.fit = search.fit;
  report.host_memory_known = search.host_memory_known;
  for (const auto& found : search.shapes) {
    if (!found.result || (top > 0 && static_cast<int>(report.rows.size()) == top)) break;
    TrainingPlanRow row{found.fits ? static_cast<int>(report.rows.size()) + 1 : 0, found, {}, {}, {}};
    row.plan = plan_text(found.choice.plan, query.job.kind);
    row.extra = extra_text(found.choice);
    if (!report.rows.empty() || !found.fits) row.loses = loses_text(found, search.shapes.front());
    report.rows.push_back(std::move(row));
  }
  report.more = static_cast<int>(search.shapes.size() - report.rows.size());
  if (report.rows.empty() || !report.rows.front().found.fits) return report;
  const auto& first = report.rows.front().found;
  report.time_shares = time_shares(*first.result);
  if (query.job.tokens_to_train > Tokens{}) report.run = run_of(query.job.tokens_to_train, first, rig, query.schedule);
  return report;
}

std::string training_plan_to_text(const TrainingPlanReport& report) {
  auto text = trf("{}\n{}{}{}\n{} plans, {} fit\n\n", report.question, report.name, report.name.empty() ? "" : " · ",
                  report.build, format_whole(static_cast<double>(report.tried)), format_whole(static_cast<double>(report.fit)));
  TextTable table{{{"#", Align::right},
                   {tr("plan"), Align::left},
                   {tr("with"), Align::left},
                   {tr("s a step"), Align::right},
                   {tr("token/s"), Align::left},
                   {tr("MFU"), Align::right},
                   {tr("GiB a card"), Align::right},
                   {tr("limited by"), Align::left},
                   {tr("why not first"), Align::left}}};
  for (const auto& row : report.rows) {
    const auto& found = row.found;
    const auto& card = found.result->memory.front();
    table.row({row.rank > 0 ? std::to_string(row.rank) : "-", tr(row.plan), tr(row.extra),
               found.fits ? format_number(found.step.in(second)) : "", rate_cell(row),
               found.fits ? fmt::format("{:.0f} %", 100 * found.result->training->mfu) : "",
               trf("{} of {}", format_number(card.used.in(GiB)), format_number(card.usable.in(GiB))),
               tr(found.result->limited_by), tr(row.loses)});
    if (found.with_peer && found.with_peer->fits)
      table.row({"", tr("  if peer-to-peer works"), "", "", format_range(found.with_peer->tokens, token_per_s), "", "",
                 tr(found.with_peer->limited_by), ""});
  }
  text += table.text();
  if (report.more > 0) text += trf("{} more ways to divide the cards are not shown (--top 0)\n", report.more);
  if (!report.time_shares.empty()) {
    text += tr("\nthe first one's time goes to ");
    for (std::size_t i = 0; i < report.time_shares.size(); ++i)
      text += fmt::format("{}{} {:.0f} %", i ? " · " : "", tr(report.time_shares[i].first), 100 * report.time_shares[i].second);
    text += "\n";
  }
  if (report.run) text += run_text(*report.run);
  if (!report.host_memory_known)
    text +=
        tr("The rig states no host memory, so that nothing is put there; \"memory\" of a node in a rig file says how much.\n");
  return text;
}

JsonValue training_plan_to_json(const TrainingPlanReport& report) {
  auto root = JsonValue::object();
  root.set("schema", "rigplan/plan/1")
      .set("rig", text_or_null(report.name))
      .set("build", report.build)
      .set("query", report.query);
  root.set("plans_tried", report.tried).set("plans_that_fit", report.fit).set("host_memory_known", report.host_memory_known);
  if (report.run) {
    const auto& run = *report.run;
    root.set("run", JsonValue::object()
                        .set("tokens", run.tokens.in(token))
                        .set("hours", range_json(run.time, hour))
                        .set("card_hours", run.cards * run.time.likely.in(hour))
                        .set("energy_kwh", run.energy.in(kWh))
                        .set("energy_yuan", run.energy_cost.in(yuan)));
  }
  auto rows = JsonValue::array();
  for (const auto& row : report.rows) rows.push(row_json(row));
  return root.set("rows", std::move(rows)).set("ways_not_shown", report.more);
}

}  // namespace rigplan
