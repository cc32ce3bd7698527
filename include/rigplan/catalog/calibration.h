// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rigplan {

/// A fitted constant: exp(log_mean + the offsets of the levels that apply). A level is "engine:llama.cpp-cuda", "arch:gfx906",
/// "family:ampere", "format:k_quant_4" or a pair "engine:vllm|family:cdna". A level that was not seen in the fit has the offset
/// 0, so a new card of a known architecture is predicted from its datasheet alone.
struct FittedTerm {
  std::string name;    ///< "layer_time"
  std::string unit;    ///< "us", "" for shares
  double log_mean = 0;
  double log_spread = 0;  ///< standard deviation of the prior of one level's offset
  std::map<std::string, double, std::less<>> offsets;

  double value(std::span<const std::string> levels) const;
};

/// How far predictions of one kind lie from measurements: log(measured / predicted) at the 10th and 90th percentile, by how far
/// the question is from calibrated ground.
struct ResidualSpread {
  std::string kind;      ///< "decode"
  std::string distance;  ///< "known", "known-architecture", "unknown"
  double low = 0, high = 0;  ///< log ratios, low < 0 < high
  int rows = 0;
};

/// All fitted constants of one family of formulas: "speed", "collectives", "memory", "training", "serving".
struct Calibration {
  std::string family;
  std::string fitted_from;  ///< the measurement files and how many rows
  std::map<std::string, FittedTerm, std::less<>> terms;
  std::vector<ResidualSpread> spreads;

  /// The term's value; a term that is not there is a programming error and throws std::logic_error.
  double value(std::string_view term, std::span<const std::string> levels) const;
};

}  // namespace rigplan
