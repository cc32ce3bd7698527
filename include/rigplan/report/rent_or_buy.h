// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/json/value.h"
#include "rigplan/report/screen.h"
#include "rigplan/search/deals.h"

namespace rigplan {

/// The report of rigplan rent-or-buy.
struct RentOrBuyReport {
  std::string job;  ///< the question about the job in one line; empty without one
  JsonValue job_query;
  std::string build;  ///< "2 × Radeon RX 7900 XTX"
  DealQuestion question;
  BoughtRig rig;
  std::vector<DealRow> rows;       ///< cheapest rent first; not empty
  std::optional<Yuan> said;        ///< rent that somebody states for the first offer and this schedule
  bool every_month = false;        ///< the table of months shows all of them
  bool all_offers = false;         ///< the table of offers shows all of them
  std::vector<std::string> notes;  ///< remarks, one sentence each
  std::vector<std::string> next;
};

/// Sorts the rows and fills the notes.
void finish_report(RentOrBuyReport& report, const Catalog& catalog);

std::string rent_or_buy_to_text(const RentOrBuyReport& report, const Screen& screen = {});
/// {"schema": "rigplan/rent-or-buy/1", "query": {...}, ...}
JsonValue rent_or_buy_to_json(const RentOrBuyReport& report);

/// "Renting is cheaper by 3,000 yuan undiscounted and by 3,200 yuan in money of the first day", or both verdicts where they
/// differ.
std::string verdict_text(const DealRow& row);
/// What an input is at the point where the verdict turns: "rent above 2.4 yuan/h".
std::string flip_text(const Flip& flip, const DealRow& row);

}  // namespace rigplan
