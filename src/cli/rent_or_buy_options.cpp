// SPDX-License-Identifier: Apache-2.0
#include "cli/rent_or_buy_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include "rigplan/json/data_error.h"
#include "rigplan/units/message.h"

namespace rigplan {

RentOffer stated_offer(YuanPerSecond per_card, const std::string& gpu, const Catalog& catalog) {
  RentOffer offer;
  offer.date = catalog.price_policy.as_of;
  offer.id = "--rent-price";
  offer.provider = msg("as stated");
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
    const auto* card = catalog.gpus.find(offer.gpu);
    const bool wanted = gpu.empty() ? card && !card->disputed : offer.gpu == gpu;
    if (!wanted || (age && *age < 0)) continue;
    offers.push_back(&offer);
  }
  return offers;
}

DealQuestion question_of(const RentOrBuyOptions& options, const Catalog& catalog) {
  if (options.job.hours_per_day)
    throw UsageError{msg("--hours-per-day: the hours are those of --schedule here, such as \"8h x 22d\"")};
  auto question = options.question;
  const auto schedule = parse_rent_schedule(options.schedule);
  if (const auto* error = std::get_if<UnitError>(&schedule)) throw UsageError{"--schedule: " + error->message};
  question.schedule = std::get<RentSchedule>(schedule);
  auto job = options.job;
  job.hours_per_day = question.schedule.hours_per_day;
  const auto defaults = query_of(job, catalog).schedule;
  question.horizon = defaults.horizon;
  question.idle_hours_per_day = defaults.idle_hours_per_day;
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

Query job_query(const RentOrBuyOptions& options, const Catalog& catalog) {
  auto job = options.job;
  const auto schedule = parse_rent_schedule(options.schedule);
  if (const auto* parsed = std::get_if<RentSchedule>(&schedule))
    job.hours_per_day = std::round(parsed->per_month() / month * 2400) / 100;
  auto query = query_of(job, catalog);
  query.by = RankBy::yuan_per_mtoken;
  return query;
}

namespace {

void add_money_options(CLI::App& app, RentOrBuyOptions& options) {
  const auto group = msg("Money");
  auto& question = options.question;
  app.add_option("--discount", options.discount, msg("What money costs, percent a year"))
      ->check(CLI::Range(0.0, 100.0))
      ->group(group);
  app.add_option("--labour-hours", options.labour_hours,
                 msg("Hours of work a month that owning takes; by the chip's support unless given"))
      ->check(CLI::Range(0.0, 744.0))
      ->group(group);
  add_quantity<YuanPerSecond>(app, "--labour-price", options.labour_price, msg("Price of an hour of work"), yuan_per_hour)
      ->group(group);
  app.add_option("--resale", options.resale_percent,
                 msg("What selling brings at the end, percent of the purchase; by class and age unless given"))
      ->check(CLI::Range(0.0, 100.0))
      ->group(group);
  add_quantity<Yuan>(app, "--shipping", question.shipping, msg("Freight of the purchase"), yuan)->group(group);
  app.add_option("--tax", options.tax_percent, msg("Tax and duty on the purchase, percent"))
      ->check(CLI::Range(0.0, 100.0))
      ->group(group);
  app.add_option("--borrow", options.borrowed_percent, msg("Percent of the purchase paid by a loan"))
      ->check(CLI::Range(0.0, 100.0))
      ->group(group);
  app.add_option("--loan-rate", options.loan_rate_percent, msg("Interest of the loan, percent a year"))
      ->check(CLI::Range(0.0, 100.0))
      ->group(group);
  app.add_option("--loan-months", question.loan_months, msg("Months in which the loan is paid back"))
      ->check(CLI::Range(0, 240))
      ->group(group);
  add_quantity<Seconds>(app, "--delivery", question.delivery, msg("Until the rig works; meanwhile the work is rented"), day)
      ->group(group);
  app.add_option("--tariff-band", options.band,
                 msg("average, or cheapest: work is put into the cheapest hours of a tariff with bands"))
      ->check(CLI::IsMember({"average", "cheapest"}))
      ->group(group);
  add_token_count(app, "--run-tokens", question.run, msg("Tokens of one fine-tune, such as 50M, for a price per run"))
      ->group(group);
  app.add_option("--storage-gib", question.storage_gib, msg("Storage kept while renting, where the offer has a price"))
      ->check(CLI::Range(0.0, 1e9))
      ->group(group);
  app.add_option("--egress-gib", question.egress_gib_per_month,
                 msg("GiB a month sent out while renting, where the offer has a price"))
      ->check(CLI::Range(0.0, 1e9))
      ->group(group);
}

}  // namespace

void add_rent_or_buy_options(CLI::App& app, RentOrBuyOptions& options) {
  const auto group = msg("Rig and offers");
  app.add_option("RIG", options.rigs, msg("Rig file, - for standard input; several are ranked with all offers, for a job"))
      ->group(group);
  app.add_option("--gpu", options.gpu, msg("Card, in place of a rig file"))->group(group);
  app.add_option("--count", options.count, msg("Number of cards"))->check(CLI::Range(1, 4096))->group(group);
  app.add_option("--rent", options.offers,
                 msg("Offer of rigplan catalog list rent (repeatable); every one for the rig's card unless given"))
      ->type_name("ID")
      ->allow_extra_args(false)
      ->group(group);
  add_quantity<YuanPerSecond>(app, "--rent-price", options.rent_price, msg("Price of one card and hour, in place of an offer"),
                              yuan_per_hour)
      ->group(group);
  app.add_option("--schedule", options.schedule, msg("Hours a day and days a month, such as \"8h x 22d\", or 24/7"))
      ->group(group);
  add_quantity<Yuan>(app, "--says", options.said, msg("Rent that somebody states for this: which schedule it belongs to"), yuan)
      ->group(group);
  add_job_options(app, options.job);
  app.get_option("--model")->required(false)->description(msg("Model: compare the same work in place of the same hours"));
  add_limit_options(app, options.job);
  add_schedule_options(app, options.job);
  add_money_options(app, options);
  app.add_option("--draws", options.question.draws, msg("Draws over the ranges"))->check(CLI::Range(10, 1000000));
  app.add_option("--seed", options.question.seed, msg("Seed of the draws"));
  app.add_flag("--months", options.every_month, msg("Show every month"));
  app.add_flag("--all", options.all_offers, msg("Show every offer"));
  add_format(app, options.format);
}

}  // namespace rigplan
