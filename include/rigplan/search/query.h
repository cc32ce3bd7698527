// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rigplan/catalog/catalog.h"
#include "rigplan/units/quantity.h"
#include "rigplan/workload/job.h"
#include "rigplan/workload/model.h"

namespace rigplan {

/// What a build must keep to. A build that breaks one is kept with the reason, its usable rate is 0.
struct Limits {
  std::optional<Yuan> budget;                   ///< for the likely price of the whole build
  int max_cards = 0;                            ///< 0: no limit
  std::optional<Watts> max_watts;               ///< at the wall, every card at full power
  std::optional<TokenRate> min_tokens;          ///< likely decode rate of one user; of the whole build in training
  SupportLevel software = SupportLevel::ended;  ///< worst level of support that will do
  int max_circuits = 0;                         ///< of the planning defaults' kind, every card at full power; 0: no limit
  Tokens min_context{0};                        ///< window of one user that must have room, where it is more than the job's
  std::optional<Condition> condition;           ///< of the cards: fresh, or used for everything second-hand
  bool no_old_prices = false;                   ///< cards and boards whose price is older than the price policy allows are out
  std::vector<Cooling> coolings;                ///< that the cards may have; empty: any
  bool operator==(const Limits&) const = default;
};

/// How long and how hard a build works, and what its power costs. Taken from the catalog's planning defaults, then from flags.
struct WorkSchedule {
  Seconds horizon;
  double loaded_hours_per_day = 0, idle_hours_per_day = 0;
  YuanPerJoule tariff;
  std::string tariff_name;  ///< empty: given as a price
  double pue = 1;
};

/// What a ranking goes by. Costs rise, rates and memory fall.
enum class RankBy {
  yuan_per_usable_tflop,
  price,
  decode,
  prefill,
  usable,
  yuan_per_mtoken,
  yuan_per_token_rate,
  yuan_per_gib,
  watts,
  cost,
  vram,
};
/// "yuan-per-usable-tflop", ...: in the order of RankBy.
std::vector<std::string_view> rank_names();
/// The member of a ranking's rows in JSON that holds the measure: "yuan_per_usable_tflop", ...: in the order of RankBy.
std::vector<std::string_view> rank_keys();

/// The question, with every default filled in.
struct Query {
  Job job;
  Limits limits;
  WorkSchedule schedule;
  RankBy by = RankBy::yuan_per_usable_tflop;
  std::vector<std::string> gpu_patterns;  ///< with * and ?; none: every card that has a price
  int machines = 1;                       ///< most machines of a build, all alike
};

/// The planning defaults in force. @throws std::logic_error when the catalog has none.
const PlanningDefaults& planning_defaults(const Catalog& catalog);
/// The schedule that the defaults describe.
WorkSchedule default_schedule(const Catalog& catalog);

/// Whether `text` matches a pattern with * (any letters) and ? (one letter), without regard to case. A pattern without either
/// also matches as a part of the text.
bool matches_pattern(std::string_view text, std::string_view pattern);

}  // namespace rigplan
