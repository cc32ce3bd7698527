// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/search/evaluator.h"
#include "rigplan/simulate/serving.h"

namespace rigplan {

/// How many want to be served, and how well.
struct ServingQuestion {
  std::optional<double> requests_per_second;  ///< unset: the job's users, each with a request at all times
  ServingTargets targets;
};

/// One way to serve a model on a rig: replicas of tensor-parallel groups.
struct ServingPlan {
  ParallelPlan plan;
  bool fits = false;
  std::string shortfall;            ///< why not
  double streams_held = 0;          ///< that the cache has room for
  std::optional<int> users;         ///< of the load asked about; nothing when no number of users makes so many requests
  ServingPoint point;               ///< at these users
  int knee = 0;                     ///< users beyond which twice as many bring less than a quarter more tokens
  int largest_load = 0;             ///< users for whom the targets hold; 0 where none is given
  std::vector<ServingPoint> curve;  ///< 1, 2, 4, ... users, to twice the knee
  PeerOverPcie peer = PeerOverPcie::yes;
};

/// Engines whose batching was measured, as their ids in the catalog.
std::vector<std::string_view> serving_engines();

/// Every tensor-parallel degree with as many replicas as there are cards for. First those that meet the targets for the users
/// asked about; then the more tokens. Without targets the more tokens first, of equals the shorter time per token. Peer access
/// that is not known counts as absent.
/// @param serving the calibration of the family "serving"
std::vector<ServingPlan> search_serving(const Evaluator& evaluator, const RigGraph& graph, const Calibration& serving,
                                        const ServingQuestion& question);

}  // namespace rigplan
