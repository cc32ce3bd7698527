// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/job_options.h"
#include "cli/options.h"
#include "cli/session.h"
#include "rigplan/search/deals.h"

namespace rigplan {

/// The command line of rigplan rent-or-buy.
struct RentOrBuyOptions {
  JobOptions job;
  std::vector<std::string> rigs;  ///< files
  std::string gpu;
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

void add_rent_or_buy_options(CLI::App& app, RentOrBuyOptions& options);

/// An offer that the command line states, for the cards of the rig.
RentOffer stated_offer(YuanPerSecond per_card, const std::string& gpu, const Catalog& catalog);

/// The offers that are named, or all for one kind of card (`gpu` empty: for any whose figures nobody disputes). None when only a
/// price is stated.
/// @throws UsageError for an offer that the catalog does not know
std::vector<const RentOffer*> chosen_offers(const RentOrBuyOptions& options, const Catalog& catalog, const std::string& gpu);

/// What is asked about money, every default filled in.
DealQuestion question_of(const RentOrBuyOptions& options, const Catalog& catalog);

/// The job. Its schedule follows --schedule, so that power and tokens are those of the loaded hours.
Query job_query(const RentOrBuyOptions& options, const Catalog& catalog);

}  // namespace rigplan
