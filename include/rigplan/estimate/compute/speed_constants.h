// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rigplan/catalog/calibration.h"
#include "rigplan/estimate/compute/card_speed.h"
#include "rigplan/estimate/compute/inference_work.h"

namespace rigplan {

/// The fitted constants of decode and prefill for one engine on one card with one number format. Units are in
/// speed_terms(); shares are of a datasheet rate.
struct SpeedConstants {
  // Decode
  double bandwidth_share = 0;    ///< odds: v means the share v / (1 + v), so it cannot pass 1
  double unpack_operations = 0;  ///< operations per weight of matrix-vector kernels
  double layer_time = 0;
  double token_time = 0;
  double expert_layer_times = 0;      ///< extra layer_times of an expert layer
  double recurrent_layer_times = 0;   ///< layer_times of a recurrent layer
  double low_rank_layer_times = 0;    ///< extra layer_times of a layer with low-rank projections
  double compressed_layer_times = 0;  ///< extra layer_times of a layer whose cache is compressed along the context
  double cache_share = 0;
  double batch_share = 0;
  double stream_time = 0;
  double sample_time = 0;  ///< of a vocabulary entry of a further stream, where the host draws tokens stream by stream
  // Several cards
  double all_reduce_latency = 0;
  double all_reduce_share = 0;
  double boundary_time = 0;
  double gather_time = 0;
  // Prefill
  double gemm_share = 0;
  double half_rows = 0;
  double half_rows_expert = 0;
  double attention_share = 0;
  double prompt_time = 0;
  double chunk_overlap = 0;
  double small_rows_operations = 0;
  // Power
  double power_arithmetic = 0;  ///< exponent
  double power_bandwidth = 0;   ///< exponent
};

/// One member of SpeedConstants: its name in calibration files and its unit.
struct SpeedTerm {
  std::string_view name, unit;
  double SpeedConstants::*member;
};
std::span<const SpeedTerm> speed_terms();

/// What decides which offsets apply, beside card and work.
struct SpeedSituation {
  std::string engine;       ///< "llama.cpp-cuda"
  std::string engine_date;  ///< "2024-05"; empty: recent
  bool flash_attention = true;
  std::string split;  ///< "single", "layer", "row", "tensor"
};

/// "before-2024-05" for a date of an older build; empty for a recent and for an unstated one.
std::string_view era_of(std::string_view engine_date);
/// "llama.cpp" of "llama.cpp-cuda".
std::string program_of(std::string_view engine);

/// Kind of the spread of rates that people report without saying which build of the engine, backend and flags gave them.
inline constexpr std::string_view reported_kind = "reported";
/// That spread, or nullptr.
const ResidualSpread* find_reports(const Calibration&);
/// The spread of a question that does not state the engine's build: it holds both the scatter of rows and that of reports.
ResidualSpread with_reports(ResidualSpread spread, const Calibration&);

/// The levels of the calibration that apply, such as "engine:llama.cpp-cuda", "arch:sm_86",
/// "engine:llama.cpp-cuda|family:ampere".
std::vector<std::string> speed_levels(const SpeedSituation&, const CardSpeed&, const InferenceWork&);

SpeedConstants resolve_speed_constants(const Calibration&, std::span<const std::string> levels);

/// "llama.cpp-cuda" from "llama.cpp" and the card's vendor; an engine that names its backend already is kept.
std::string engine_with_backend(std::string_view engine, const CardSpeed&);

/// The text of a number-format class in level names: "k_quant_4".
std::string_view to_text(FormatClass);

}  // namespace rigplan
