// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rigplan/json/value.h"
#include "rigplan/report/screen.h"
#include "rigplan/validate/errors.h"
#include "rigplan/validate/outliers.h"

namespace rigplan {

/// What `rigplan validate` found.
struct ValidationReport {
  std::vector<ErrorSummary> summary;
  std::string grouped_by;              ///< column; empty: none
  std::span<const PredictedRow> rows;  ///< all, in the order of the files
  int worst = 0;                       ///< rows with the largest errors to list
  std::vector<Outlier> outliers;       ///< rows among them that contradict physics or their equals; the summary counts them
};

/// Tables for people: one line a group, skipped rows with their reasons, the worst rows.
std::string to_text(const ValidationReport& report, const Screen& screen = {});
/// "schema": "rigplan/validation/1"; shares as numbers, null where nothing was predicted.
JsonValue to_json(const ValidationReport& report);
/// Measured against predicted on logarithmic axes, one mark a row, one colour a kind; lines at equality and at a factor of 1.25.
std::string to_svg(const ValidationReport& report);

}  // namespace rigplan
