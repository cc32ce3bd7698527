// SPDX-License-Identifier: Apache-2.0
#include "cli/rank_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/options.h"
#include "rigplan/json/data_error.h"
#include "rigplan/search/limits.h"
#include "rigplan/units/message.h"
#include "rigplan/workload/number_format.h"

namespace rigplan {
namespace {

/// A measure by its name or by its member in the JSON rows.
RankBy measure_of(std::string_view option, const std::string& text) {
  const auto names = rank_names(), keys = rank_keys();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (text == names[i] || text == keys[i]) return static_cast<RankBy>(i);
  std::vector<std::string> all{names.begin(), names.end()};
  const auto listed = fmt::format("{}", fmt::join(names, ", "));
  all.insert(all.end(), keys.begin(), keys.end());
  throw UsageError{fmt::format("{}: no measure \"{}\"{}; there are {}", option, text, did_you_mean(text, all), listed)};
}

std::vector<std::string> parts_of_list(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= text.size();) {
    const auto to = std::min(text.find(',', from), text.size());
    if (to > from) parts.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  if (parts.empty()) parts.emplace_back();
  return parts;
}

bool engine_reads(const Catalog& catalog, const Job& job) {
  const auto* engine = catalog.engines.find(job.engine);
  const auto* mix = find_weight_mix(job.weight_format);
  if (job.kind != JobKind::inference || !engine || !mix) return true;
  return std::find(engine->formats.begin(), engine->formats.end(), mix->family) != engine->formats.end();
}

void set_limits(const RankOptions& options, Limits& limits) {
  if (options.used) limits.condition = Condition::used;
  if (options.fresh) limits.condition = Condition::fresh;
  for (const auto& text : options.coolings)
    for (const auto kind : {Cooling::passive, Cooling::blower, Cooling::open, Cooling::liquid, Cooling::unknown})
      if (to_text(kind) == text) limits.coolings.push_back(kind);
}

void define_rank_limits(CLI::App& app, RankOptions& options) {
  const auto group = msg("Limits");
  auto& limits = options.job.limits;
  app.add_option("--max-circuits", limits.max_circuits, msg("Most circuits of the kind that the planning defaults name"))
      ->check(CLI::Range(1, 1000))
      ->group(group);
  add_quantity<Tokens>(app, "--min-context", limits.min_context, msg("Window of one user that must have room, beyond --context"))
      ->group(group);
  auto* used =
      app.add_flag("--used", options.used, msg("Only cards bought second-hand, at their second-hand price"))->group(group);
  app.add_flag("--new", options.fresh, msg("Only cards bought new, at their price when new"))->excludes(used)->group(group);
  app.add_flag("--no-old-prices", limits.no_old_prices,
               msg("Leave out cards and boards whose newest price is undated or older than --max-price-age"))
      ->group(group);
  app.add_option("--cooling", options.coolings,
                 msg("Only cards cooled so: passive, blower, open, liquid, unknown (list with commas)"))
      ->delimiter(',')
      ->check(CLI::IsMember({"passive", "blower", "open", "liquid", "unknown"}))
      ->group(group);
}

}  // namespace

void define_rank_options(CLI::App& app, RankOptions& options) {
  add_job_options(app, options.job);
  app.get_option("--quant")->description(app.get_option("--quant")->get_description() +
                                         msg("; several with commas, each row names its own"));
  app.get_option("--engine")->description(app.get_option("--engine")->get_description() + msg("; several with commas"));
  add_limit_options(app, options.job);
  define_rank_limits(app, options);
  add_schedule_options(app, options.job);
  const auto group = msg("Ranking");
  const auto measures = fmt::format("{}", fmt::join(rank_names(), ", "));
  app.add_option("--gpu", options.gpus, msg("Only cards whose id or name matches, * and ? allowed (repeatable)"))
      ->type_name("PATTERN")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option(
         "--machines", options.machines,
         msg("Most equal machines that share the cards, on networks of 1, 10, 25 or 100 Gbit/s; an engine that cannot divide a "
             "model over them runs copies"))
      ->check(CLI::Range(1, 4))
      ->group(group);
  app.add_option("--by", options.by, msg("What to rank by: ") + measures)->group(group);
  auto* pareto =
      app.add_option(
             "--pareto", options.pareto,
             msg("Builds that no other one beats in all of these measures: price,decode or price_yuan,wall_watts,vram_gib"))
          ->type_name("A,B[,C]")
          ->group(group);
  app.add_option("--top,-n", options.view.top, msg("Rows to show; 0: all"))->check(CLI::Range(0, 1000000))->group(group);
  app.add_flag("--all", options.view.all, msg("Show builds that do not fit or that another one beats, with the reason"))
      ->group(group);
  auto* explain = app.add_option("--explain", options.explain, msg("Show how the figures of this place come about"))
                      ->check(CLI::Range(1, 1000000))
                      ->group(group);
  app.add_option("--draws", options.view.draws,
                 msg("Draw prices and speeds from their ranges so often: how often each build is first"))
      ->check(CLI::Range(1, 1000000))
      ->group(group);
  app.add_option("--seed", options.view.seed, msg("Seed of the draws"))->group(group);
  auto* why =
      app.add_option(
             "--why-not", options.why_not,
             msg("Where the best build of this kind stands, or which limits keep it out: \"4x mi50-32gb on x99\", rtx-3090"))
          ->type_name("BUILD")
          ->excludes(pareto)
          ->excludes(explain)
          ->group(group);
  app.add_flag("--flip", options.flip,
               msg("What would have to change for another build to be first: a price, the tariff, hours, horizon"))
      ->excludes(pareto)
      ->excludes(explain)
      ->excludes(why)
      ->group(group);
  add_result_format(app, options.result.format)->group(group);
  add_policy_options(app, options.result);
}

std::vector<RankBy> pareto_measures(const RankOptions& options) {
  if (options.pareto.empty()) return {};
  std::vector<RankBy> measures;
  for (const auto& part : parts_of_list(options.pareto)) measures.push_back(measure_of("--pareto", part));
  if (measures.size() < 2 || measures.size() > 3)
    throw UsageError{fmt::format("--pareto: \"{}\" names {} measure{}; expected two or three with commas", options.pareto,
                                 measures.size(), measures.size() == 1 ? "" : "s")};
  return measures;
}

std::vector<Query> questions_of(const RankOptions& options, const Catalog& catalog) {
  const auto quants = parts_of_list(options.job.quant), engines = parts_of_list(options.job.engine);
  const auto measures = pareto_measures(options);
  std::vector<Query> questions;
  for (const auto& quant : quants)
    for (const auto& engine : engines) {
      auto job = options.job;
      job.quant = quant;
      job.engine = engine;
      auto query = query_of(job, catalog);
      if (quants.size() * engines.size() > 1 && !engine_reads(catalog, query.job)) continue;
      query.gpu_patterns = options.gpus;
      query.machines = options.machines;
      query.by = !options.by.empty() ? measure_of("--by", options.by) : measures.empty() ? RankBy{} : measures.front();
      set_limits(options, query.limits);
      questions.push_back(std::move(query));
    }
  if (questions.empty())
    throw UsageError{fmt::format("--quant and --engine: none of {} reads any of {}", options.job.engine, options.job.quant)};
  return questions;
}

}  // namespace rigplan
