// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "cli/commands.h"
#include "cli/job_options.h"
#include "cli/models.h"
#include "cli/options.h"
#include "cli/rig_file.h"
#include "rigplan/json/data_error.h"
#include "rigplan/report/question.h"
#include "rigplan/report/rent_or_buy.h"
#include "rigplan/search/estimate_rig.h"
#include "rigplan/search/rank_builds.h"
#include "rigplan/units/format.h"

namespace rigplan {
namespace {

struct RentOrBuyOptions {
  JobOptions job;
  std::string rig, gpu;
  int count = 1;
  std::vector<std::string> offers;
  std::optional<YuanPerSecond> rent_price;
  std::string schedule = "8h x 22d", band = "average";
  std::optional<double> discount, labour_hours, resale_percent;
  std::optional<YuanPerSecond> labour_price;
  DealQuestion question;
  double tax_percent = 0, borrowed_percent = 0, loan_rate_percent = 0;
  std::optional<Yuan> said;
  bool every_month = false, all_offers = false;
  OutputFormat format = OutputFormat::table;
};

/// An offer that the command line states, for the cards of the rig.
RentOffer stated_offer(YuanPerSecond per_card, const std::string& gpu, const Catalog& catalog) {
  RentOffer offer;
  offer.date = catalog.price_policy.as_of;
  offer.id = "--rent-price";
  offer.provider = "as stated";
  offer.gpu = gpu;
  offer.per_card_hour = {(per_card * hour).in(yuan), "CNY"};
  offer.terms = "on-demand";
  return offer;
}

std::vector<const RentOffer*> chosen_offers(const RentOrBuyOptions& options, const Catalog& catalog, const std::string& gpu) {
  std::vector<const RentOffer*> offers;
  for (const auto& id : options.offers) {
    const auto* offer = catalog.rent.find(id);
    if (!offer) throw UsageError{fmt::format("--rent: no offer \"{}\"{}", id, did_you_mean(id, catalog.rent.ids()))};
    offers.push_back(offer);
  }
  if (!options.offers.empty() || options.rent_price) return offers;
  for (const auto& offer : catalog.rent.entries) {
    const auto age = price_age_days(offer.date, catalog.price_policy.as_of);
    if (offer.gpu.empty() || (!gpu.empty() && offer.gpu != gpu) || (age && *age < 0)) continue;
    offers.push_back(&offer);
  }
  return offers;
}

DealQuestion question_of(const RentOrBuyOptions& options, const Catalog& catalog, const WorkSchedule& defaults) {
  auto question = options.question;
  const auto schedule = parse_rent_schedule(options.schedule);
  if (const auto* error = std::get_if<UnitError>(&schedule)) throw UsageError{"--schedule: " + error->message};
  question.schedule = std::get<RentSchedule>(schedule);
  question.horizon = defaults.horizon;
  question.idle_hours_per_day = std::min(defaults.idle_hours_per_day, 24 - question.schedule.hours_per_day);
  question.tariff = defaults.tariff;
  question.tariff_name = defaults.tariff_name;
  if (options.band == "cheapest")
    if (const auto* tariff = catalog.tariffs.find(defaults.tariff_name))
      question.tariff = tariff_price(*tariff, question.schedule.hours_per_day, BandChoice::cheapest_first);
  question.pue = defaults.pue;
  if (options.discount) question.discount_per_year = *options.discount / 100;
  question.own_labour_hours = options.labour_hours;
  question.labour_price = options.labour_price;
  if (options.resale_percent) question.resale = *options.resale_percent / 100;
  question.tax = options.tax_percent / 100;
  question.borrowed = options.borrowed_percent / 100;
  question.loan_rate = options.loan_rate_percent / 100;
  return question;
}

/// The job's schedule follows --schedule, so that power and tokens are those of the loaded hours.
Query job_query(const RentOrBuyOptions& options, const Catalog& catalog) {
  auto query = query_of(options.job, catalog);
  query.by = RankBy::yuan_per_mtoken;
  const auto schedule = parse_rent_schedule(options.schedule);
  if (const auto* parsed = std::get_if<RentSchedule>(&schedule)) {
    query.schedule.loaded_hours_per_day = std::round(parsed->per_month() / month * 2400) / 100;
    query.schedule.idle_hours_per_day = std::min(query.schedule.idle_hours_per_day, 24 - query.schedule.loaded_hours_per_day);
  }
  return query;
}

std::string build_text(const Catalog& catalog, const BoughtRig& rig) {
  const auto* gpu = catalog.gpus.find(rig.gpu);
  return fmt::format("{} × {}", rig.cards, gpu ? gpu->name : rig.gpu);
}

Rig rig_of_options(const RentOrBuyOptions& options, const Session& session) {
  if (!options.rig.empty()) return read_rig_file(session, options.rig);
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
    session.note(fmt::format("the catalog has no offer to rent {}; name one with --rent, or a price with --rent-price \"1.2 yuan/h\"",
                             report.build));
    return ExitCode::nothing_fits;
  }
  report.said = options.said;
  report.every_month = options.every_month;
  report.all_offers = options.all_offers;
  finish_report(report, session.catalog());
  session.print(options.format == OutputFormat::json ? to_json_text(rent_or_buy_to_json(report)) + "\n"
                                                     : rent_or_buy_to_text(report));
  return ExitCode::done;
}

/// A rig without a job: as many cards for the same hours.
ExitCode compare_hours(const RentOrBuyOptions& options, const Session& session) {
  const auto& catalog = session.catalog();
  auto job = options.job;
  const auto defaults = query_of(job, catalog).schedule;
  RentOrBuyReport report;
  report.question = question_of(options, catalog, defaults);
  const auto rig = rig_of_options(options, session);
  report.rig = bought_rig(catalog, PriceBook{catalog}, rig, report.question);
  if (report.rig.cards == 0) throw UsageError{"the rig has no card"};
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
  if (!options.rig.empty() || !options.gpu.empty()) {
    const auto rig = rig_of_options(options, session);
    return estimate_rig(evaluator, {rig, rig.nodes.front().board, ""}).candidate;
  }
  auto ranking = rank_builds(session.catalog(), evaluator.model(), calibrations, evaluator.query());
  if (ranking.ranked.empty()) throw UsageError{"no build does the job within the limits; rigplan rank --all says why"};
  return std::move(ranking.ranked.front());
}

ExitCode compare_work(RentOrBuyOptions options, const Session& session) {
  const auto& catalog = session.catalog();
  const auto model = model_of(session, options.job);
  const auto query = job_query(options, catalog);
  const auto calibrations = built_in_calibrations();
  const Evaluator evaluator{catalog, model, calibrations, query};
  RentOrBuyReport report;
  report.question = question_of(options, catalog, query_of(options.job, catalog).schedule);
  report.job = question_text(query, model);
  report.job_query = question_json(query, model);
  const auto candidate = chosen_build(options, session, evaluator, calibrations);
  if (!candidate.best.fits || candidate.misfit == Misfit::no_plan) {
    session.note("the rig does not do the job: " + candidate.why_not);
    return ExitCode::nothing_fits;
  }
  report.rig = bought_rig(catalog, candidate, query, report.question);
  report.build = build_text(catalog, report.rig);
  const bool whole_rig = !options.rig.empty() || !options.gpu.empty();
  auto offers = chosen_offers(options, catalog, whole_rig ? report.rig.gpu : "");
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

ExitCode run_rent_or_buy(const RentOrBuyOptions& options, const Session& session) {
  if (!options.rig.empty() && !options.gpu.empty()) throw UsageError{"give either a rig file or --gpu, not both"};
  if (!options.job.job.model.empty()) return compare_work(options, session);
  if (options.rig.empty() && options.gpu.empty())
    throw UsageError{"give a rig file, --gpu with --count, or a job with --model; try rigplan rent-or-buy --help"};
  return compare_hours(options, session);
}

void add_money_options(CLI::App& app, RentOrBuyOptions& options) {
  const auto group = "Money";
  auto& question = options.question;
  app.add_option("--discount", options.discount, "What money costs, percent a year")->check(CLI::Range(0.0, 100.0))->group(group);
  app.add_option("--labour-hours", options.labour_hours, "Hours of work a month that owning takes; by the chip's support unless given")
      ->check(CLI::Range(0.0, 744.0))
      ->group(group);
  add_quantity<YuanPerSecond>(app, "--labour-price", options.labour_price, "Price of an hour of work", yuan_per_hour)->group(group);
  app.add_option("--resale", options.resale_percent,
                 "What selling brings at the end, percent of the purchase; by class and age unless given")
      ->check(CLI::Range(0.0, 100.0))
      ->group(group);
  add_quantity<Yuan>(app, "--shipping", question.shipping, "Freight of the purchase", yuan)->group(group);
  app.add_option("--tax", options.tax_percent, "Tax and duty on the purchase, percent")->check(CLI::Range(0.0, 100.0))->group(group);
  app.add_option("--borrow", options.borrowed_percent, "Percent of the purchase paid by a loan")
      ->check(CLI::Range(0.0, 100.0))
      ->group(group);
  app.add_option("--loan-rate", options.loan_rate_percent, "Interest of the loan, percent a year")
      ->check(CLI::Range(0.0, 100.0))
      ->group(group);
  app.add_option("--loan-months", question.loan_months, "Months in which the loan is paid back")
      ->check(CLI::Range(0, 240))
      ->group(group);
  add_quantity<Seconds>(app, "--delivery", question.delivery, "Until the rig works; meanwhile the work is rented", day)->group(group);
  app.add_option("--tariff-band", options.band, "average, or cheapest: work is put into the cheapest hours of a tariff with bands")
      ->check(CLI::IsMember({"average", "cheapest"}))
      ->group(group);
  add_quantity<Tokens>(app, "--run-tokens", question.run, "Tokens of one fine-tune, for a price per run")->group(group);
  app.add_option("--storage-gib", question.storage_gib, "Storage kept while renting, where the offer has a price")
      ->check(CLI::Range(0.0, 1e9))
      ->group(group);
  app.add_option("--egress-gib", question.egress_gib_per_month, "GiB a month sent out while renting, where the offer has a price")
      ->check(CLI::Range(0.0, 1e9))
      ->group(group);
}

Run define_rent_or_buy(CLI::App& app) {
  const auto options = std::make_shared<RentOrBuyOptions>();
  const auto group = "Rig and offers";
  app.add_option("RIG", options->rig, "Rig file; - reads standard input")->group(group);
  app.add_option("--gpu", options->gpu, "Card, in place of a rig file")->group(group);
  app.add_option("--count", options->count, "Number of cards")->check(CLI::Range(1, 4096))->group(group);
  app.add_option("--rent", options->offers, "Offer of rigplan catalog list rent (repeatable); every one for the rig's card unless given")
      ->type_name("ID")
      ->allow_extra_args(false)
      ->group(group);
  add_quantity<YuanPerSecond>(app, "--rent-price", options->rent_price, "Price of one card and hour, in place of an offer",
                              yuan_per_hour)
      ->group(group);
  app.add_option("--schedule", options->schedule, "Hours a day and days a month, such as \"8h x 22d\", or 24/7")->group(group);
  add_quantity<Yuan>(app, "--says", options->said, "Rent that somebody states for this: which schedule it belongs to", yuan)
      ->group(group);
  add_job_options(app, options->job);
  app.get_option("--model")->required(false)->description("Model: compare the same work in place of the same hours");
  add_limit_options(app, options->job);
  add_schedule_options(app, options->job);
  add_money_options(app, *options);
  app.add_option("--draws", options->question.draws, "Draws over the ranges")->check(CLI::Range(10, 1000000));
  app.add_option("--seed", options->question.seed, "Seed of the draws");
  app.add_flag("--months", options->every_month, "Show every month");
  app.add_flag("--all", options->all_offers, "Show every offer");
  add_format(app, options->format);
  return [options](const Session& session) { return run_rent_or_buy(*options, session); };
}

}  // namespace

const Command rent_or_buy_command{
    "rent-or-buy", "Buy a rig or rent the same: cash flow, break-even and what would turn the verdict",
    "rigplan rent-or-buy examples/two-7900-xtx.json --rent-price \"1.5 yuan/h\" --schedule \"8h x 22d\" --horizon 24mo",
    define_rent_or_buy};

}  // namespace rigplan
