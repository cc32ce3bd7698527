// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/models.h"
#include "cli/options.h"
#include "cli/rank_options.h"
#include "rigplan/json/data_error.h"
#include "rigplan/report/explain.h"
#include "rigplan/report/why_not.h"
#include "rigplan/search/rank_builds.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

ExitCode run_why_not(const RankOptions& options, const Session& session, const TransformerModel& model, const Query& query) {
  const auto& catalog = session.catalog();
  const auto pattern = parse_build_pattern(options.why_not);
  const auto answer = why_not(catalog, model, built_in_calibrations(), query, pattern);
  if (answer.verdict == WhyNot::Verdict::unknown_card)
    throw UsageError{fmt::format("--why-not: {}{}", answer.reason, did_you_mean(pattern.gpu, catalog.gpus.ids()))};
  if (answer.verdict == WhyNot::Verdict::unknown_host) {
    auto names = catalog.boards.ids();
    for (const auto& id : catalog.hosts.ids()) names.push_back(id);
    throw UsageError{fmt::format("--why-not: {}{}", answer.reason, did_you_mean(pattern.host, names))};
  }
  const Answer printed{"rank", [&] { return why_not_to_text(answer, query, model, catalog, session.screen()); },
                       [&] { return why_not_to_json(answer, query, model, catalog); }};
  const bool is_ranked = answer.verdict == WhyNot::Verdict::first || answer.verdict == WhyNot::Verdict::ranked;
  return finish_answer(session, options.result, printed, is_ranked ? ExitCode::done : ExitCode::nothing_fits);
}

ExitCode run_flip(const RankOptions& options, const Session& session, const TransformerModel& model,
                  const std::vector<Query>& questions) {
  const auto& catalog = session.catalog();
  const auto flips = flips_of_first(catalog, model, built_in_calibrations(), questions);
  const Answer printed{"rank", [&] { return flips_to_text(flips, questions.front(), model, catalog, session.screen()); },
                       [&] { return flips_to_json(flips, questions.front(), model, catalog); }};
  return finish_answer(session, options.result, printed, flips.first ? ExitCode::done : ExitCode::nothing_fits);
}

ExitCode explain_place(const RankOptions& options, const Session& session, const TransformerModel& model, const Ranking& ranking,
                       const std::string& question) {
  if (options.explain > static_cast<int>(ranking.ranked.size()))
    throw UsageError{
        fmt::format("--explain: there is no place {}; {} builds are ranked", options.explain, ranking.ranked.size())};
  const auto& build = ranking.ranked[static_cast<std::size_t>(options.explain - 1)];
  auto query = ranking.query;
  query.job.weight_format = build.quant;
  query.job.engine = build.engine;
  const auto tree = explain_candidate(build, query, model, session.catalog(), built_in_calibrations());
  session.print(options.result.format == ResultFormat::json ? to_json_text(explanation_to_json(tree)) + "\n"
                                                            : session.fitted(question + "\n\n" + explanation_to_text(tree)));
  return ExitCode::done;
}

ExitCode run_rank(RankOptions options, const Session& session) {
  const auto& catalog = session.catalog();
  const auto model = model_of(session, options.job);
  const auto questions = questions_of(options, catalog);
  if (!options.why_not.empty()) return run_why_not(options, session, model, questions.front());
  if (options.flip) return run_flip(options, session, model, questions);

  const SearchDepth depth{.places = options.view.top > 0 ? std::max(options.view.top, options.explain) : 0,
                          .rejected = options.view.all,
                          .pareto = pareto_measures(options)};
  const auto ranking = rank_builds(catalog, model, built_in_calibrations(), questions, depth);
  const auto report = ranking_report(ranking, options.view, model, catalog);
  if (options.explain > 0) return explain_place(options, session, model, ranking, report.question);
  const Answer answer{"rank", [&] { return ranking_to_text(report, session.screen()); }, [&] { return ranking_to_json(report); }};
  return finish_answer(session, options.result, answer, ranking.ranked.empty() ? ExitCode::nothing_fits : ExitCode::done);
}

Run define_rank(CLI::App& app) {
  const auto options = std::make_shared<RankOptions>();
  define_rank_options(app, *options);
  return [options](const Session& session) { return run_rank(*options, session); };
}

}  // namespace

const Command rank_command{"rank", msg("Rank builds for a job by yuan per usable TFLOP/s"),
                           "rigplan rank --model qwen2.5-32b --quant Q4_K_M --context 8192 --users 1 --budget 30000",
                           define_rank};

}  // namespace rigplan
