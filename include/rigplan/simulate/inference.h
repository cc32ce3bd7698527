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
#include "rigplan/estimate/compute/inference_work.h"
#include "rigplan/estimate/compute/speed_constants.h"
#include "rigplan/estimate/compute/split_time.h"
#include "rigplan/simulate/decode.h"
#include "rigplan/simulate/speculation.h"
#include "rigplan/units/range.h"
#include "rigplan/workload/job.h"

namespace rigplan {

/// Part of the model that the processor computes from host memory, card layers and host layers taking turns.
struct HostPart {
  double layers = 0;   ///< share of whole layers, 0 to 1
  double experts = 0;  ///< share of the routed experts' weights of the other layers, 0 to 1
  Bandwidth memory;    ///< of the host's memory, as measured by a copy
  Bandwidth link;      ///< from host memory to a card: prompts bring the weights to the card
};

/// What is known of an installation beyond the job; everything may be left out.
struct InferenceSetting {
  std::optional<Bytes> weights;  ///< of the file, where stated; rescales the body that the number format gives
  bool full_windows = false;     ///< sliding layers read the whole context, as old builds do
  std::optional<HostPart> host;
  std::optional<Speculation> speculation;
};

struct InferenceSpeed {
  Range<TokenRate> decode;  ///< all users together
  Range<TokenRate> decode_per_user;
  Range<TokenRate> prefill;     ///< one prompt of the job's length at a time
  Range<Seconds> first_token;   ///< of one user alone on the rig: its prompt, then one step
  DecodeParts parts;            ///< of the likely decode step
  std::string_view limited_by;  ///< of decode: "memory bandwidth", "arithmetic", "KV cache", "launches", "link", "host memory"
  FlopRate usable;              ///< model FLOPs per second sustained over the job's mix of prompt and generated tokens
};

/// How far a question is from what was measured: "known" (card and engine were), "known-architecture", "unknown" (an
/// architecture or an engine on it that no row has).
std::string_view distance_from_rows(const Calibration&, const CardSpeed&, std::string_view engine_level);

/// The levels by which the constants of a job under a plan differ, for one of its cards. @throws as PreparedInference does
std::vector<std::string> inference_levels(const TransformerModel&, const Job&, const ParallelPlan&, const CardSpeed&);

/// Everything about one model on one group of cards that does not depend on depth and users, as numbers. Built once; each
/// question after that takes about a microsecond. Throws std::invalid_argument for no cards or an unknown number format.
class PreparedInference {
 public:
  /// @param cards one per card of a replica, in layer order; one entry stands for all when they are alike
  PreparedInference(const TransformerModel& model, const Job& job, const ParallelPlan& plan, std::span<const CardSpeed> cards,
                    const GroupFabric& fabric, const Calibration& calibration, const InferenceSetting& setting = {});

  /// Speed when `users` streams (spread over the replicas) have `depth` tokens behind them.
  InferenceSpeed at(Tokens depth, int users) const;
  /// At half of the generated tokens behind the prompt.
  InferenceSpeed at_lengths(int users) const;
  /// At the job's users and half of its generated tokens behind the prompt.
  InferenceSpeed at_job() const;

  /// One step of `streams` streams of one replica; likely value.
  DecodeParts decode_step(double depth, double streams) const;
  /// One prompt of `tokens` tokens of one replica whose first `behind` tokens are cached; likely value.
  Seconds prompt_time(double tokens, double behind = 0) const;

  const InferenceWork& work() const { return work_; }
  std::span<const ResolvedCard> cards() const { return cards_; }
  /// Other lengths of prompt and answer than the job's, for the questions that follow.
  void use_lengths(Tokens prompt, Tokens generate);
  /// Replaces the constants of every card: how a fit asks the same formulas with other constants.
  void use_constants(const SpeedConstants& constants);

 private:
  DecodeParts on_cards(double depth, double streams) const;
  Seconds on_host(double depth, double streams) const;
  const ResidualSpread& decode_spread(double streams) const;
  FlopRate usable(double streams, double replicas) const;
  void prepare_request();

  InferenceWork work_;
  SplitShape split_;
  std::vector<ResolvedCard> cards_;
  GroupFabric fabric_;
  InferenceSetting setting_;
  double prompt_ = 0, generate_ = 0, chunk_ = 0;
  int users_ = 1, replicas_ = 1;
  Seconds prompt_alone_;  ///< of the job's prompt; with the next one all of a request that neither depth nor users change
  Flops request_work_;
  ResidualSpread single_spread_, several_spread_, batch_spread_, prefill_spread_;
};

}  // namespace rigplan
