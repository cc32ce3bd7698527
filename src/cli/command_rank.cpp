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
#include "rigplan/json/data_error.h"
#include "rigplan/report/explain.h"
#include "rigplan/report/ranking.h"
#include "rigplan/search/rank_builds.h"

namespace rigplan {
namespace {

struct RankOptions {
  JobOptions job;
  std::vector<std::string> gpus;
  std::string by;
  RankingView view;
  ResultOptions result;
  int explain = 0;
};

std::vector<std::string> names_of(const std::vector<std::string_view>& views) { return {views.begin(), views.end()}; }

RankBy rank_by(const std::string& text) {
  if (text.empty()) return RankBy::yuan_per_usable_tflop;
  const auto names = names_of(rank_names());
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end())
    throw UsageError{
        fmt::format("--by: no measure \"{}\"{}; there are {}", text, did_you_mean(text, names), fmt::join(names, ", "))};
  return static_cast<RankBy>(found - names.begin());
}

ExitCode run_rank(const RankOptions& options, const Session& session) {
  const auto& catalog = session.catalog();
  auto job = options.job;
  const auto model = model_of(session, job);
  auto query = query_of(job, catalog);
  query.gpu_patterns = options.gpus;
  query.by = rank_by(options.by);

  const SearchDepth depth{.places = options.view.top > 0 ? std::max(options.view.top, options.explain) : 0,
                          .rejected = options.view.all};
  const auto calibrations = built_in_calibrations();
  const auto ranking = rank_builds(catalog, model, calibrations, query, depth);
  const auto report = ranking_report(ranking, options.view, model, catalog);
  if (options.explain > 0) {
    if (options.explain > static_cast<int>(ranking.ranked.size()))
      throw UsageError{
          fmt::format("--explain: there is no place {}; {} builds are ranked", options.explain, ranking.ranked.size())};
    const auto tree = explain_candidate(ranking.ranked[static_cast<std::size_t>(options.explain - 1)], ranking.query, model,
                                        catalog, calibrations);
    session.print(options.result.format == ResultFormat::json ? to_json_text(explanation_to_json(tree)) + "\n"
                                                              : report.question + "\n\n" + explanation_to_text(tree));
    return ExitCode::done;
  }
  const Answer answer{"rank", [&] { return ranking_to_text(report); }, [&] { return ranking_to_json(report); }};
  return finish_answer(session, options.result, answer, ranking.ranked.empty() ? ExitCode::nothing_fits : ExitCode::done);
}

Run define_rank(CLI::App& app) {
  const auto options = std::make_shared<RankOptions>();
  add_job_options(app, options->job);
  add_limit_options(app, options->job);
  add_schedule_options(app, options->job);
  const auto group = "Ranking";
  app.add_option("--gpu", options->gpus, "Only cards whose id or name matches, * and ? allowed (repeatable)")
      ->type_name("PATTERN")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--by", options->by, "What to rank by: " + fmt::format("{}", fmt::join(rank_names(), ", ")))->group(group);
  app.add_option("--top,-n", options->view.top, "Rows to show; 0: all")->check(CLI::Range(0, 1000000))->group(group);
  app.add_flag("--all", options->view.all, "Show builds that do not fit or that another one beats, with the reason")
      ->group(group);
  app.add_option("--explain", options->explain, "Show how the figures of this place come about")
      ->check(CLI::Range(1, 1000000))
      ->group(group);
  add_result_format(app, options->result.format)->group(group);
  add_policy_options(app, options->result);
  return [options](const Session& session) { return run_rank(*options, session); };
}

}  // namespace

const Command rank_command{"rank", "Rank builds for a job by yuan per usable TFLOP/s",
                           "rigplan rank --model qwen2.5-32b --quant Q4_K_M --context 8192 --users 1 --budget 30000",
                           define_rank};

}  // namespace rigplan
