// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rigplan/catalog/calibration.h"
#include "rigplan/validate/collective_row.h"

namespace rigplan {

/// What the formulas say of a mapped row, likely value, in the row's own unit ("time_us", "busbw_gb_s", "gb_s").
double predict_collective(const CollectiveCase& row, const Calibration& calibration);
double predict_copy(const CopyCase& row, const Calibration& calibration);

/// Fits the constants of collectives and copies to mapped rows: least squares of logarithms, large errors count linearly, every
/// constant is drawn to its prior, rows of one table share its weight. Always gives the same result for the same rows.
/// `start` is where the search begins; the priors where it is missing.
Calibration fit_collectives(std::span<const MappedRow> rows, const Calibration* start = nullptr);

/// What is left out together: card and source of a mapped row; nullptr for a skipped one.
const std::string* system_of(const MappedRow& row);

/// A row that was predicted by constants fitted without its system.
struct LeftOutRow {
  std::size_t row = 0;   ///< index into the rows given
  double log_ratio = 0;  ///< log(measured / predicted), of times; of the rates for copies
};

/// Fits once for every system (card and source) without its rows and predicts them.
std::vector<LeftOutRow> leave_systems_out(std::span<const MappedRow> rows, const Calibration& full);

/// What kind of question a row is, for the spread of predictions: "copy", "node_small", "node_large", "nodes_small", ...
std::string spread_kind(const GroupLinks& links, Bytes size);

/// The 10th and 90th percentile of left-out rows, by kind of question.
std::vector<ResidualSpread> collective_spreads(std::span<const MappedRow> rows, std::span<const LeftOutRow> left_out);

}  // namespace rigplan
