// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/job_options.h"
#include "cli/models.h"
#include "cli/options.h"
#include "cli/result_output.h"
#include "cli/rig_options.h"
#include "rigplan/report/estimate.h"
#include "rigplan/report/explain.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

struct EstimateOptions {
  JobOptions job;
  RigOptions rig;
  ResultOptions result;
  int explain = 0;
};

ExitCode run_estimate(const EstimateOptions& options, const Session& session) {
  const auto& catalog = session.catalog();
  const auto rig = rig_from(options.rig, session);
  auto job = options.job;
  const auto model = model_of(session, job);
  const auto query = query_of(job, catalog);
  const auto calibrations = built_in_calibrations();
  const Evaluator evaluator{catalog, model, calibrations, query};
  const auto estimate = estimate_rig(evaluator, {rig, rig.nodes.front().board, ""});
  const auto otherwise = estimate.candidate.misfit == Misfit::none ? ExitCode::done : ExitCode::nothing_fits;
  if (options.explain > 0) {
    const auto tree = explain_candidate(estimate.candidate, query, model, catalog, calibrations);
    session.print(options.result.format == ResultFormat::json ? to_json_text(explanation_to_json(tree)) + "\n"
                                                              : session.fitted(explanation_to_text(tree)));
    return otherwise;
  }
  const auto report = estimate_report(estimate, evaluator, rig.name);
  const Answer answer{rig.name, [&] { return estimate_to_text(report, session.screen()); },
                      [&] { return estimate_to_json(report); }};
  return finish_answer(session, options.result, answer, otherwise);
}

Run define_estimate(CLI::App& app) {
  const auto options = std::make_shared<EstimateOptions>();
  add_rig_options(app, options->rig);
  add_job_options(app, options->job);
  add_training_choices(app, options->job);
  add_limit_options(app, options->job);
  add_schedule_options(app, options->job);
  app.add_option("--explain", options->explain, msg("Show how the figures come about"))->check(CLI::Range(1, 1));
  add_result_format(app, options->result.format);
  add_policy_options(app, options->result);
  return [options](const Session& session) { return run_estimate(*options, session); };
}

}  // namespace

const Command estimate_command{"estimate", msg("One rig in full: memory, speed, links, power, money"),
                               "rigplan estimate examples/two-7900-xtx.json --model qwen2.5-14b --quant Q4_K_M", define_estimate};

}  // namespace rigplan
