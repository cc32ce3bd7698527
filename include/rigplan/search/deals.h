// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/economics/break_even.h"
#include "rigplan/economics/energy.h"
#include "rigplan/economics/rent_or_buy.h"
#include "rigplan/economics/rent_schedule.h"
#include "rigplan/search/candidate.h"
#include "rigplan/search/evaluator.h"

namespace rigplan {

/// What a comparison of buying and renting is asked, besides rig, job and offers. What is unset comes from the planning defaults.
struct DealQuestion {
  RentSchedule schedule;
  Seconds horizon;
  double idle_hours_per_day = 0;  ///< of the days of the schedule; on other days the rig is off
  YuanPerJoule tariff;
  std::string tariff_name;  ///< empty: given as a price
  double pue = 1;
  std::optional<double> discount_per_year;
  std::optional<double> own_labour_hours;  ///< a month
  std::optional<YuanPerSecond> labour_price;
  std::optional<double> resale;  ///< share of the purchase, at any age; unset: by class and age
  Yuan shipping;
  double tax = 0;  ///< share of the purchase
  double borrowed = 0, loan_rate = 0;
  int loan_months = 0;
  Seconds delivery;
  double storage_gib = 0, egress_gib_per_month = 0;
  Tokens run{0};  ///< tokens of one fine-tune; 0: not asked
  int draws = 2000;
  std::uint64_t seed = 1;
};

/// A rig that could be bought: its bill, what it draws and, where a job is given, what it does.
struct BoughtRig {
  std::string name, gpu;  ///< gpu: id of its card kind; of the first one where they differ
  int cards = 0, machines = 0;
  Purchase purchase;   ///< shipping and tax included
  Watts loaded, idle;  ///< at the wall, cooling of the site included
  int unknown_power = 0;
  SupportLevel support = SupportLevel::unknown;  ///< of the worst-kept card's chip by its maker
  double failures_per_year = 0;                  ///< cards
  Range<double> failures_spread = Range<double>::exactly(1);
  double spares = 0;
  Yuan card;                        ///< price of one
  std::optional<TokenRate> tokens;  ///< while it is loaded
};

/// A rig without a job: every card draws as in training.
BoughtRig bought_rig(const Catalog& catalog, const PriceBook& prices, const Rig& rig, const DealQuestion& question);
/// A build that was evaluated for a job.
BoughtRig bought_rig(const Catalog& catalog, const Candidate& candidate, const Query& query, const DealQuestion& question);

/// Offer against rig.
struct DealRow {
  const RentOffer* offer = nullptr;
  int cards = 0;  ///< rented, whole instances
  YuanPerSecond per_card;
  Seconds billed;                   ///< of one card in the horizon
  std::optional<TokenRate> tokens;  ///< of these cards, for the job
  bool other_card = false;          ///< not the rig's; without a job the same hours of as many cards are compared
  bool old = false;                 ///< older than allowed, or undated
  Deal deal;
  CashFlow own, rent;
  Yuan own_value, rent_value;  ///< present values
  std::optional<Seconds> break_even;
  std::optional<int> break_even_month;
  std::vector<Flip> flips;
  Draws draws;
};

/// @param rented_rate what `cards` of the offer's card do; unset: as much as the rig
std::optional<DealRow> deal_of(const Catalog& catalog, const BoughtRig& rig, const RentOffer& offer, int cards,
                               std::optional<TokenRate> rented_rate, const DealQuestion& question);

/// Cards of one kind that do a job, and how fast.
struct RentedRig {
  int cards = 0;
  TokenRate tokens;
};
/// The number of cards (1, 2, 4 or 8) that does the evaluator's job for the fewest card-hours; nothing when it never fits.
std::optional<RentedRig> rented_rig(const Evaluator& evaluator, const std::string& gpu);

/// The tokens that count, of a candidate: decoded ones of the whole time it is loaded, or trained ones.
TokenRate tokens_while_loaded(const Candidate& candidate, const Query& query);

}  // namespace rigplan
