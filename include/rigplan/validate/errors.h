// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rigplan/validate/predictor.h"

namespace rigplan {

/// How well the rows of one group were predicted. Errors are |predicted - measured| / measured, as shares (0.1 is 10 %).
struct ErrorSummary {
  std::string kind, metric;
  std::string group;  ///< the value of the column asked for; empty when rows are not grouped further
  int rows = 0, predicted = 0;
  struct Reason {
    std::string reason;
    int rows = 0;
    bool operator==(const Reason&) const = default;
  };
  std::vector<Reason> skipped;                            ///< most frequent first, then by name
  std::optional<double> median_abs_error, p90_abs_error;  ///< nothing when no row was predicted
  std::optional<double> bias;                             ///< median of (predicted - measured) / measured
  std::optional<double> range_80_coverage;                ///< share of predicted rows inside [low, high]
};

/// Columns by which rows can be grouped: gpu, gpu_count, engine, model, source, quant, parallel, message_bytes (below 1 MiB and
/// from there on).
std::span<const std::string_view> grouping_columns();

/// The grouping value of a row; "" for an empty column name.
std::string group_of(const Measurement& row, std::string_view column);

/// One summary per kind, metric and value of `column` (empty: kind and metric only), ordered by these three.
std::vector<ErrorSummary> summarize(std::span<const PredictedRow> rows, std::string_view column = "");

/// The q-quantile (0 to 1) by linear interpolation between order statistics; 0 for no values.
double quantile(std::vector<double> values, double q);

}  // namespace rigplan
