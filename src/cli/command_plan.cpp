// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/job_options.h"
#include "cli/models.h"
#include "cli/options.h"
#include "cli/result_output.h"
#include "cli/rig_options.h"
#include "cli/training_pins.h"
#include "rigplan/report/serving_plan.h"
#include "rigplan/report/training_plan.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

struct PlanOptions {
  JobOptions job;
  RigOptions rig;
  std::vector<std::string> fix;
  ServingQuestion serving;
  int top = 10;
  ResultOptions result;
};

/// @throws UsageError where cards differ, because a plan gives each the same work
void check_cards(const RigGraph& graph) {
  for (int card = 1; card < graph.cards(); ++card)
    if (graph.gpu(card).id != graph.gpu(0).id)
      throw UsageError{msg("plan: a plan gives every card the same work, and the cards of this rig differ")};
}

/// The rig as it is built, and its cards.
struct BuiltRig {
  Candidate candidate;
  RigGraph graph;
};
BuiltRig built_rig(const Evaluator& evaluator, const Rig& rig) {
  BuiltRig built{evaluator.evaluate({rig, rig.nodes.front().board, ""}, true), {}};
  if (built.candidate.misfit == Misfit::no_slots) throw UsageError{fmt::format("plan: {}", built.candidate.why_not)};
  built.graph = build_graph(built.candidate.rig, evaluator.catalog());
  if (built.graph.cards() == 0) throw UsageError{msg("plan: the rig has no card")};
  check_cards(built.graph);
  return built;
}

ExitCode plan_training(const PlanOptions& options, const Session& session, const Evaluator& evaluator, const Rig& rig) {
  if (options.serving.requests_per_second || options.serving.targets.per_token || options.serving.targets.first_token)
    throw UsageError{msg("plan: --rate, --max-tpot and --max-ttft are about serving; a job with --method trains")};
  const auto pins = read_training_pins(options.fix);
  const auto built = built_rig(evaluator, rig);
  const auto search = search_training(evaluator, built.graph, pins, options.top);
  if (search.shapes.empty()) {
    session.note("no plan divides the model over these cards as --fix asks");
    return ExitCode::nothing_fits;
  }
  auto report = training_plan_report(search, evaluator, built.candidate, options.top);
  report.name = rig.name;
  const Answer answer{rig.name, [&] { return training_plan_to_text(report); }, [&] { return training_plan_to_json(report); }};
  return finish_answer(session, options.result, answer, search.fit > 0 ? ExitCode::done : ExitCode::nothing_fits);
}

ExitCode plan_serving(const PlanOptions& options, const Session& session, const Evaluator& evaluator, const Rig& rig) {
  if (!options.fix.empty() || options.job.job.tokens_to_train > Tokens{})
    throw UsageError{msg("plan: --fix and --tokens are about training; give --method lora, qlora or full")};
  const auto& engine = evaluator.query().job.engine;
  const auto known = serving_engines();
  if (std::find(known.begin(), known.end(), engine) == known.end())
    throw UsageError{
        fmt::format("plan: how {} serves many users was not measured; --engine takes {} here (rigplan estimate shows "
                    "the plans of one load with any engine)",
                    engine, fmt::join(known, ", "))};
  const auto built = built_rig(evaluator, rig);
  auto plans = search_serving(evaluator, built.graph, built_in_calibration("serving"), options.serving);
  const bool fits = std::any_of(plans.begin(), plans.end(), [](const ServingPlan& plan) { return plan.fits && plan.users; });
  auto report = serving_plan_report(std::move(plans), evaluator, built.candidate, options.serving);
  report.name = rig.name;
  const Answer answer{rig.name, [&] { return serving_plan_to_text(report); }, [&] { return serving_plan_to_json(report); }};
  return finish_answer(session, options.result, answer, fits ? ExitCode::done : ExitCode::nothing_fits);
}

ExitCode run_plan(const PlanOptions& options, const Session& session) {
  const auto rig = rig_from(options.rig, session);
  auto job = options.job;
  const auto model = model_of(session, job);
  const auto query = query_of(job, session.catalog());
  const auto calibrations = built_in_calibrations();
  const Evaluator evaluator{session.catalog(), model, calibrations, query};
  return query.job.kind == JobKind::inference ? plan_serving(options, session, evaluator, rig)
                                              : plan_training(options, session, evaluator, rig);
}

Run define_plan(CLI::App& app) {
  const auto options = std::make_shared<PlanOptions>();
  add_rig_options(app, options->rig);
  add_job_options(app, options->job);
  add_schedule_options(app, options->job);
  const auto training = msg("Training"), serving = msg("Serving");
  add_token_count(app, "--tokens", options->job.job.tokens_to_train,
                  msg("Tokens to train on, such as 10M or 2.5B (millions, billions): hours, energy and its price"))
      ->group(training);
  app.add_option("--fix", options->fix,
                 msg("What is not to be searched: tensor, pipeline, data, expert, micro-batch, interleave, zero, checkpointing, "
                     "sequence-parallel or offload; may be given again"))
      ->type_name("KEY=VALUE")
      ->group(training);
  app.add_option("--top", options->top, msg("Ways to divide the cards that are shown; 0: all"))
      ->check(CLI::Range(0, 100000))
      ->capture_default_str()
      ->group(training);
  app.add_option("--rate", options->serving.requests_per_second, msg("Requests a second in place of --users"))
      ->check(CLI::PositiveNumber)
      ->group(serving);
  add_quantity<Seconds>(app, "--max-tpot", options->serving.targets.per_token,
                        msg("Longest time per token: the most users it allows"))
      ->group(serving);
  add_quantity<Seconds>(app, "--max-ttft", options->serving.targets.first_token, msg("Longest time to the first token"))
      ->group(serving);
  add_result_format(app, options->result.format);
  add_policy_options(app, options->result);
  return [options](const Session& session) { return run_plan(*options, session); };
}

}  // namespace

const Command plan_command{"plan", msg("The best way to divide training or serving over a rig's cards, and why others lose"),
                           "rigplan plan examples/two-3090-x570.json --model qwen2.5-7b --method lora --tokens 10M", define_plan};

}  // namespace rigplan
