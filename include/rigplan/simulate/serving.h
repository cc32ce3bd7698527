// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rigplan/catalog/calibration.h"
#include "rigplan/estimate/collectives/group_fabric.h"
#include "rigplan/estimate/compute/card_speed.h"
#include "rigplan/estimate/compute/serving_constants.h"
#include "rigplan/units/range.h"
#include "rigplan/workload/job.h"
#include "rigplan/workload/model.h"
#include "rigplan/workload/number_format.h"

namespace rigplan {

/// What one replica's layers of one kind cost to serve. Weights are of one layer, bytes as stored.
struct ServedLayers {
  double count = 0;
  double dense_weights = 0;  ///< every token uses them: attention, dense and shared feed-forward, router
  double experts = 0, active = 0, expert_weights = 0;  ///< of one routed expert
  double cache_bytes = 0;      ///< of one token in one layer's cache, on one card of the tensor-parallel group
  double window = 0;           ///< tokens that a query sees; 0: all
  double state_bytes = 0;      ///< of one stream, recurrent layers, on one card
  double attention_width = 0;  ///< values of keys and values over all heads
  bool latent = false, indexer = false;
};

struct ServedModel {
  std::vector<ServedLayers> layers;
  double hidden = 0, head_weights = 0;
  double dense_bytes = 0, expert_bytes = 0, head_bytes = 0;  ///< per weight
  std::string dense_class, expert_class;                     ///< "bf16", "fp8", "fp4", "int4", "mxfp4", "nvfp4"
  double total_layers() const;
};

/// One way to serve a model: cards of a replica, how they divide it, and the constants of the engine.
struct ServingSetup {
  ServedModel model;
  CardSpeed card;
  GroupFabric fabric;            ///< of one tensor-parallel group
  int tensor = 1;                ///< divides attention and dense parts
  int groups = 1;                ///< data-parallel attention groups that share the experts
  int replicas = 1;              ///< independent copies; users are spread evenly
  double memory_share = 0.9;     ///< of the card's memory that the engine takes
  bool starts_together = false;  ///< all requests are sent at once, and a new one for each that is answered
  bool prompts_first = false;    ///< the engine computes prompts that wait before it goes on with answers
  ServingConstants constants;
  ResidualSpread step_spread, first_spread;  ///< of time per token and of time to first token
};

/// @throws std::invalid_argument for a number format that does not exist
ServingSetup prepare_serving(const TransformerModel&, const Job&, const ParallelPlan&, const CardSpeed&, const GroupFabric&,
                             const Calibration&, std::string_view engine, bool starts_together = false);
/// The model's part of it.
ServedModel served_model(const TransformerModel&, const Job&, int tensor);

/// Steady state at one load: every user sends the next request when the last one is answered.
struct ServingPoint {
  int users = 0;               ///< over all replicas
  double running = 0;          ///< streams that the cache holds at once, all replicas; the others wait
  Range<Seconds> per_token;    ///< TPOT, median of streams
  Range<Seconds> first_token;  ///< TTFT, mean of requests, waiting included
  Seconds per_token_p95;       ///< 95th percentile of streams, likely: where requests come at random
  Seconds first_token_p95;     ///< the same of requests
  TokenRate generated;         ///< all replicas
  TokenRate generated_per_user;
  std::string_view limited_by;  ///< "memory bandwidth", "arithmetic", "KV cache", "launches", "links", "prompts", "cache size"
};
ServingPoint serve_at(const ServingSetup&, Tokens prompt, Tokens generate, int users);

/// Streams that the cache of all replicas holds when each has its prompt and half of its answer.
double streams_held(const ServingSetup&, Tokens prompt, Tokens generate);
/// One decode iteration of `streams` running streams of one replica that see `depth` tokens each; prompts not included.
Seconds iteration_time(const ServingSetup&, double streams, double depth);
/// One prompt alone on a replica.
Seconds prompt_time(const ServingSetup&, double tokens);

struct ServingTargets {
  std::optional<Seconds> per_token, first_token;
};
/// Whether both targets hold (likely values); one that is not set does.
bool meets(const ServingPoint&, const ServingTargets&);
/// The most users for which both targets hold (likely values); 0 when not even one user's are.
int largest_load(const ServingSetup&, Tokens prompt, Tokens generate, const ServingTargets&, int limit = 4096);
/// The fewest users at a time who make `rate` requests a second between them; nothing when no number of users up to the limit is
/// answered that fast.
std::optional<int> users_at_rate(const ServingSetup&, Tokens prompt, Tokens generate, double requests_per_second,
                                 int limit = 4096);
/// Users beyond which twice the users bring less than a quarter more tokens.
int knee(const ServingSetup&, Tokens prompt, Tokens generate, int limit = 4096);

}  // namespace rigplan
