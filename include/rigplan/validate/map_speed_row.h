// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "rigplan/catalog/catalog.h"
#include "rigplan/simulate/inference.h"
#include "rigplan/validate/measurement.h"
#include "rigplan/validate/predictor.h"

namespace rigplan {

/// What the number of a speed row is.
enum class SpeedQuantity {
  decode,   ///< tokens per second while generating, all streams together
  mixed,    ///< generated tokens per second of requests that begin with prompts of stated or unstated length
  prefill,  ///< prompt tokens per second
  step,     ///< milliseconds per output token with prompts of other streams in between
};

/// A measured row as a question to the planner.
struct SpeedRow {
  const Measurement* row = nullptr;
  SpeedQuantity quantity{};
  const TransformerModel* model = nullptr;
  CardSpeed card;
  Job job;
  ParallelPlan plan;
  GroupFabric fabric;
  InferenceSetting setting;
  bool build_stated = false;  ///< the engine's build, by date, number or version
  double depth = 0;           ///< tokens behind a decode step; for prefill, tokens cached before the prompt
  double streams = 1;
  double prompt = 0;    ///< tokens of one prompt; 0: not stated
  double generate = 0;  ///< tokens generated for each prompt; 0: not stated
};

/// True for kinds decode, prefill and report with tokens_per_s, and for serve with tokens_per_s or tpot_ms.
bool is_speed_row(const Measurement& row);

/// Reads a row: model and number format by name, engine, date, split, link, flash attention, micro-batch and power cap from its
/// texts. What cannot be understood is skipped with the reason.
std::variant<SpeedRow, Skipped> map_speed_row(const Measurement& row, const Catalog& catalog);

/// What the prompts of other streams do to a stream that generates.
struct MixedPrompts {
  double unstated = 1;      ///< prompt tokens for each generated one, where a row does not say
  double interference = 1;  ///< share of a prompt's time by which the others are held up
};

/// The row's number from a prepared estimate.
double speed_of_row(const SpeedRow& row, const PreparedInference& prepared, const MixedPrompts& prompts);

/// "decode", "decode-several", "decode-batch", "prefill": the kind of spread that applies.
std::string_view spread_kind(const SpeedRow& row);

}  // namespace rigplan
