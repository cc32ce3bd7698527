// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/json/value.h"
#include "rigplan/report/screen.h"
#include "rigplan/search/deals.h"

namespace rigplan {

/// One way to get a job done: a rig that is owned, or an offer that is rented.
struct OwnRentRow {
  std::string what{};  ///< "own ten Radeon Pro VII", "rent gpushare-rtx-a6000"
  bool owned = false;
  int cards = 0;
  Yuan purchase{};        ///< 0 for what is rented
  Yuan total{}, value{};  ///< over the horizon, and in money of the first day
  TokenRate tokens{};     ///< of all cards while they work
  double mtokens = 0;     ///< in the horizon
  int unknown_prices = 0;
  bool old = false;
  std::string why_not{};  ///< why the job cannot be done; empty when it can

  double yuan_per_mtoken() const { return mtokens > 0 ? total.in(yuan) / mtokens : 0; }
};

/// Several rigs and all offers for one job. Each rig works in the hours of the schedule; what is rented does the work of the
/// first rig that can do the job.
struct OwnRentRanking {
  std::string job;
  JsonValue job_query;
  DealQuestion question;
  std::vector<OwnRentRow> rows;
  std::vector<std::string> notes;
};

/// Cheapest million tokens first, what cannot do the job last.
void sort_rows(OwnRentRanking& ranking);
std::string own_rent_ranking_to_text(const OwnRentRanking& ranking, const Screen& screen = {});
/// {"schema": "rigplan/rent-or-buy-ranking/1", "query": {...}, "rows": [...]}
JsonValue own_rent_ranking_to_json(const OwnRentRanking& ranking);

}  // namespace rigplan
