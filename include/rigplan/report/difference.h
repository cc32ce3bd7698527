// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/report/result.h"
#include "rigplan/report/screen.h"

namespace rigplan {

/// One field that two answers give differently. null where one of them does not have the field, or does not know it.
struct FieldChange {
  std::string row;  ///< empty: the answer around the rows
  std::string field;
  JsonValue before, after;
  std::optional<double> difference;  ///< after - before, where both are numbers
  std::optional<double> relative;    ///< difference over the size of before, as a share; nothing where before is 0
};

/// What differs between two answers of the same kind.
struct Difference {
  std::vector<std::string> gone, added;  ///< rows of the first answer that the second one lacks, and the other way round
  std::vector<FieldChange> changes;      ///< facts around the rows first, then row by row in the order of the first answer
  int compared = 0;                      ///< rows that both have
  bool empty() const { return gone.empty() && added.empty() && changes.empty(); }
};

/// Rows are matched by name, not by place. Numbers count as equal when they differ by at most `tolerance` times the larger of
/// their sizes.
Difference difference_of(const Result& before, const Result& after, double tolerance = 0);

/// A difference and the names of what was compared.
struct DifferenceReport {
  std::string before, after;
  double tolerance = 0;
  Difference difference;
};
std::string difference_to_text(const DifferenceReport& report, const Screen& screen = {});
/// {"schema": "rigplan/diff/1", "query": {...}, "compared": n, "rows": [{"change": "gone" | "added" | "changed", ...}]}; a row
/// for each row that one of them lacks, then one for each changed field, called "row: field".
JsonValue difference_to_json(const DifferenceReport& report);

}  // namespace rigplan
