// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rigplan {

class Cursor;
class JsonValue;

/// A fitted constant: exp(log_mean + the offsets of the levels that apply). A level is "engine:llama.cpp-cuda", "arch:gfx906",
/// "family:ampere", "format:k_quant_4" or a pair "engine:vllm|family:cdna". A level that was not seen in the fit has the offset
/// 0, so a new card of a known architecture is predicted from its datasheet alone.
struct FittedTerm {
  std::string name;  ///< "layer_time"
  std::string unit;  ///< "us", "" for shares
  double log_mean = 0;
  double log_spread = 0;  ///< standard deviation of the prior of one level's offset
  std::map<std::string, double, std::less<>> offsets;

  double value(std::span<const std::string> levels) const;
};

/// How far predictions of one kind lie from measurements: log(measured / predicted) at the 10th and 90th percentile, by how far
/// the question is from calibrated ground.
struct ResidualSpread {
  std::string kind;          ///< "decode"
  std::string distance;      ///< "known", "known-architecture", "unknown"
  double low = 0, high = 0;  ///< log ratios, low < 0 < high
  int rows = 0;
};

/// All fitted constants of one family of formulas: "speed", "collectives", "memory", "training", "serving".
struct Calibration {
  std::string family;
  std::string fitted_from;  ///< the measurement files and how many rows
  std::map<std::string, FittedTerm, std::less<>> terms;
  std::vector<ResidualSpread> spreads;
  /// Levels that occur in the rows of the fit, whether or not they have offsets: "card:...", "arch:gfx906",
  /// "engine:...|family:...".
  std::set<std::string, std::less<>> known;

  /// The term's value; a term that is not there is a programming error and throws std::logic_error.
  double value(std::string_view term, std::span<const std::string> levels) const;
  /// The spread of `kind` at `distance`; where that was not measured, the widest of the kind, else of all. A calibration without
  /// any spread is a programming error and throws std::logic_error.
  const ResidualSpread& spread(std::string_view kind, std::string_view distance) const;
};

/// Reads a calibration file ("schema": "rigplan/calibration/1"). @throws DataError with the place.
Calibration read_calibration(Cursor at);
/// What read_calibration() reads.
JsonValue calibration_to_json(const Calibration& calibration);
/// The calibration of that family compiled into the program; a family that is not there is a programming error and throws
/// std::logic_error.
Calibration built_in_calibration(std::string_view family);

}  // namespace rigplan
