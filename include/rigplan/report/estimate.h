// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rigplan/economics/site_costs.h"
#include "rigplan/json/value.h"
#include "rigplan/report/screen.h"
#include "rigplan/report/topology.h"
#include "rigplan/search/estimate_rig.h"

namespace rigplan {

/// One plan as every printer shows it.
struct PlanRow {
  std::string plan;
  bool fits = false;
  std::string reason;
  std::optional<Range<TokenRate>> decode, decode_all, prefill, training;
  std::optional<Range<Seconds>> first_token;
  Range<FlopRate> usable;
  std::string limited_by, link;
  std::vector<std::string> warnings;  ///< that come from the plan; those of the best one are the rig's
};
struct PlanRows {
  PlanRow row;
  std::optional<PlanRow> with_peer;
};

/// A warning that is about some plans only.
struct PlanWarning {
  std::string code, title;
  std::vector<std::string> plans;
};

/// The report of rigplan estimate.
struct EstimateReport {
  std::string question, build, name;
  JsonValue query;
  bool trains = false;
  std::vector<std::string> places;                          ///< one line a card: where it is plugged and what its link is
  std::vector<TopologyNode> machines;                       ///< one of each kind, with its tree
  std::vector<CardUse> memory;                              ///< in card order
  std::vector<PlanRows> plans;                              ///< the best one first
  std::vector<std::pair<std::string, double>> time_shares;  ///< of a decode step or a training step under the best plan
  std::optional<double> mfu;
  Tokens largest_context{0};
  int most_users = 0;
  std::string peer;  ///< "yes", "no", "unknown"; empty with one card
  std::vector<PeerCondition> peer_conditions;
  PhasePower wall;
  Watts loaded;
  double supply_margin = 1;  ///< 1: no supply named
  std::string supplies;
  std::string circuits;
  int unknown_power = 0;  ///< cards and hosts whose power no source states
  Purchase purchase;
  std::vector<SiteCost> site;  ///< of several machines or more than one circuit; in no sum above
  double horizon_months = 0;
  Cost cost;
  Merit merit;
  Joules energy;
  Bytes vram;
  std::vector<std::pair<std::string, std::string>> warnings;  ///< code and title
  std::vector<PlanWarning> other_warnings;                    ///< of plans beside the best one alone
  std::string why_not;
  std::vector<std::string> next;
};

EstimateReport estimate_report(const RigEstimate& estimate, const Evaluator& evaluator, const std::string& name);

std::string estimate_to_text(const EstimateReport& report, const Screen& screen = {});
/// {"schema": "rigplan/estimate/1", "query": {...}, ...}
JsonValue estimate_to_json(const EstimateReport& report);

}  // namespace rigplan
