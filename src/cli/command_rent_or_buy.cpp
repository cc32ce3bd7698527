// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "cli/commands.h"
#include "cli/models.h"
#include "cli/rent_or_buy_options.h"
#include "cli/rig_file.h"
#include "rigplan/json/data_error.h"
#include "rigplan/report/own_rent_ranking.h"
#include "rigplan/report/question.h"
#include "rigplan/report/rent_or_buy.h"
#include "rigplan/search/estimate_rig.h"
#include "rigplan/search/rank_builds.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

std::string build_text(const Catalog& catalog, const BoughtRig& rig) {
  const auto* gpu = catalog.gpus.find(rig.gpu);
  return fmt::format("{} × {}", rig.cards, gpu ? gpu->name : rig.gpu);
}

bool names_rig(const RentOrBuyOptions& options) { return !options.rigs.empty() || !options.gpu.empty(); }

Rig rig_of_options(const RentOrBuyOptions& options, const Session& session) {
  if (!options.rigs.empty()) return read_rig_file(session, options.rigs.front());
  const auto& catalog = session.catalog();
  const auto* gpu = catalog.gpus.find(options.gpu);
  if (!gpu) throw UsageError{fmt::format("--gpu: no card \"{}\"{}", options.gpu, did_you_mean(options.gpu, catalog.gpus.ids()))};
  return rig_of(catalog, gpu->id, options.count, "");
}

/// Each kind of rented card is tried for the job once.
class RentedRigs {
 public:
  explicit RentedRigs(const Evaluator& evaluator) : evaluator_{evaluator} {}
  const std::optional<RentedRig>& find(const std::string& gpu) {
    const auto [at, fresh] = known_.try_emplace(gpu);
    if (fresh) at->second = rented_rig(evaluator_, gpu);
    return at->second;
  }

 private:
  const Evaluator& evaluator_;
  std::map<std::string, std::optional<RentedRig>> known_;
};

ExitCode print_report(RentOrBuyReport report, const RentOrBuyOptions& options, const Session& session) {
  if (report.rows.empty()) {
    session.note(fmt::format(
        "the catalog has no offer to rent {}; name one with --rent, or a price with --rent-price \"1.2 yuan/h\"", report.build));
    return ExitCode::nothing_fits;
  }
  report.said = options.said;
  report.every_month = options.every_month;
  report.all_offers = options.all_offers;
  finish_report(report, session.catalog());
  session.print(options.format == OutputFormat::json ? to_json_text(rent_or_buy_to_json(report)) + "\n"
                                                     : session.fitted(rent_or_buy_to_text(report, session.screen())));
  return ExitCode::done;
}

/// A rig without a job: as many cards for the same hours.
ExitCode compare_hours(const RentOrBuyOptions& options, const Session& session) {
  const auto& catalog = session.catalog();
  RentOrBuyReport report;
  report.question = question_of(options, catalog);
  const auto rig = rig_of_options(options, session);
  report.rig = bought_rig(catalog, PriceBook{catalog}, rig, report.question);
  if (report.rig.cards == 0) throw UsageError{msg("the rig has no card")};
  report.build = build_text(catalog, report.rig);
  auto offers = chosen_offers(options, catalog, report.rig.gpu);
  const auto stated = stated_offer(options.rent_price.value_or(YuanPerSecond{}), report.rig.gpu, catalog);
  if (options.rent_price) offers.push_back(&stated);
  for (const auto* offer : offers)
    if (auto row = deal_of(catalog, report.rig, *offer, report.rig.cards, std::nullopt, report.question))
      report.rows.push_back(std::move(*row));
  return print_report(std::move(report), options, session);
}

/// The rig, or the build that does the job for the least yuan a million tokens.
Candidate chosen_build(const RentOrBuyOptions& options, const Session& session, const Evaluator& evaluator,
                       const Calibrations& calibrations) {
  if (names_rig(options)) {
    const auto rig = rig_of_options(options, session);
    return estimate_rig(evaluator, {rig, rig.nodes.front().board, ""}).candidate;
  }
  auto ranking =
      rank_builds(session.catalog(), evaluator.model(), calibrations, evaluator.query(), {.places = 1, .rejected = false});
  if (ranking.ranked.empty()) throw UsageError{msg("no build does the job within the limits; rigplan rank --all says why")};
  return std::move(ranking.ranked.front());
}

ExitCode compare_work(RentOrBuyOptions options, const Session& session) {
  const auto& catalog = session.catalog();
  const auto model = model_of(session, options.job);
  const auto query = job_query(options, catalog);
  const auto calibrations = built_in_calibrations();
  const Evaluator evaluator{catalog, model, calibrations, query};
  RentOrBuyReport report;
  report.question = question_of(options, catalog);
  report.job = question_text(query, model);
  report.job_query = question_json(query, model);
  const auto candidate = chosen_build(options, session, evaluator, calibrations);
  if (!candidate.best.fits || candidate.misfit == Misfit::no_plan) {
    session.note("the rig does not do the job: " + candidate.why_not);
    return ExitCode::nothing_fits;
  }
  report.rig = bought_rig(catalog, candidate, query, report.question);
  report.build = build_text(catalog, report.rig);
  auto offers = chosen_offers(options, catalog, names_rig(options) ? report.rig.gpu : "");
  const auto stated = stated_offer(options.rent_price.value_or(YuanPerSecond{}), report.rig.gpu, catalog);
  if (options.rent_price) offers.push_back(&stated);
  RentedRigs rented{evaluator};
  for (const auto* offer : offers) {
    // The rig's own cards do rented what they do bought.
    const auto found = offer->gpu == report.rig.gpu ? RentedRig{report.rig.cards, *report.rig.tokens}
                                                    : rented.find(offer->gpu).value_or(RentedRig{});
    if (found.cards == 0) continue;
    if (auto row = deal_of(catalog, report.rig, *offer, found.cards, found.tokens, report.question))
      report.rows.push_back(std::move(*row));
  }
  return print_report(std::move(report), options, session);
}

OwnRentRow owned_row(const Catalog& catalog, const BoughtRig& rig, const DealQuestion& question) {
  // Owning does not depend on the offer; any one fills the deal.
  const auto row = deal_of(catalog, rig, stated_offer(1 * yuan_per_hour, rig.gpu, catalog), rig.cards, std::nullopt, question);
  OwnRentRow own{.what = "own " + rig.name, .owned = true, .cards = rig.cards};
  own.purchase = rig.purchase.total.likely;
  own.unknown_prices = rig.purchase.unknown;
  own.total = row->own.total();
  own.value = row->own_value;
  own.tokens = *rig.tokens;
  own.mtokens = (own.tokens * (question.horizon / month * question.schedule.per_month())).in(Mtoken);
  return own;
}

/// Several rigs and all offers, ranked for one job.
ExitCode rank_ways(RentOrBuyOptions options, const Session& session) {
  const auto& catalog = session.catalog();
  const auto model = model_of(session, options.job);
  const auto query = job_query(options, catalog);
  const auto calibrations = built_in_calibrations();
  const Evaluator evaluator{catalog, model, calibrations, query};
  auto question = question_of(options, catalog);
  question.draws = 10;  // a ranking shows no draws
  OwnRentRanking ranking;
  ranking.job = question_text(query, model);
  ranking.job_query = question_json(query, model);
  ranking.question = question;
  std::optional<BoughtRig> first;
  for (const auto& path : options.rigs) {
    const auto rig = read_rig_file(session, path);
    const auto candidate = estimate_rig(evaluator, {rig, rig.nodes.front().board, ""}).candidate;
    const auto bought = bought_rig(catalog, candidate, query, question);
    if (candidate.best.fits && *bought.tokens > TokenRate{}) {
      ranking.rows.push_back(owned_row(catalog, bought, question));
      if (!first) first = bought;
    } else {
      OwnRentRow row{.what = "own " + rig.name, .owned = true, .cards = rig.cards()};
      row.why_not = candidate.why_not;
      ranking.rows.push_back(row);
    }
  }
  RentedRigs rented{evaluator};
  const auto offers = first ? chosen_offers(options, catalog, "") : std::vector<const RentOffer*>{};
  for (const auto* offer : offers) {
    const auto found = rented.find(offer->gpu);
    const auto deal = found ? deal_of(catalog, *first, *offer, found->cards, found->tokens, question) : std::nullopt;
    if (!deal) continue;
    OwnRentRow row{.what = "rent " + offer->id, .owned = false, .cards = deal->cards};
    row.total = deal->rent.total();
    row.value = deal->rent_value;
    row.tokens = *deal->tokens;
    row.mtokens = (*first->tokens * (question.horizon / month * question.schedule.per_month())).in(Mtoken);
    row.old = deal->old;
    ranking.rows.push_back(row);
  }
  sort_rows(ranking);
  ranking.notes.push_back(
      first ? fmt::format("What is rented does the work of {}; each rig makes what it makes in these hours.", first->name)
            : msg("No rig can do the job, so that there is no work to rent for."));
  session.print(options.format == OutputFormat::json ? to_json_text(own_rent_ranking_to_json(ranking)) + "\n"
                                                     : session.fitted(own_rent_ranking_to_text(ranking, session.screen())));
  return first ? ExitCode::done : ExitCode::nothing_fits;
}

ExitCode run_rent_or_buy(const RentOrBuyOptions& options, const Session& session) {
  if (!options.rigs.empty() && !options.gpu.empty()) throw UsageError{msg("give either a rig file or --gpu, not both")};
  if (options.rigs.size() > 1) {
    if (options.job.job.model.empty()) throw UsageError{msg("several rigs can only be compared for a job; give --model")};
    return rank_ways(options, session);
  }
  if (!options.job.job.model.empty()) return compare_work(options, session);
  if (!names_rig(options))
    throw UsageError{msg("give a rig file, --gpu with --count, or a job with --model; try rigplan rent-or-buy --help")};
  return compare_hours(options, session);
}

Run define_rent_or_buy(CLI::App& app) {
  const auto options = std::make_shared<RentOrBuyOptions>();
  add_rent_or_buy_options(app, *options);
  return [options](const Session& session) { return run_rent_or_buy(*options, session); };
}

}  // namespace

const Command rent_or_buy_command{
    "rent-or-buy", msg("Buy a rig or rent the same: cash flow, break-even and what would turn the verdict"),
    "rigplan rent-or-buy examples/two-7900-xtx.json --rent-price \"1.5 yuan/h\" --schedule \"8h x 22d\" --horizon 24mo",
    define_rent_or_buy};

}  // namespace rigplan
