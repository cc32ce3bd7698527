// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rigplan/json/value.h"
#include "rigplan/report/sweep_row.h"

namespace rigplan {

enum class SweepFormat { table, jsonl, csv, sqlite };

/// Some rows that lie one behind the other, as text or as values, whichever the output takes.
struct SweepBlock {
  std::int64_t begin = 0, end = 0;  ///< points
  std::string text;
  std::vector<SweepRow> rows;
};

/// Where the rows of a sweep go. A file is written beside its place ("x.jsonl.part") and put there when it is whole.
class SweepOutput {
 public:
  virtual ~SweepOutput() = default;
  /// The first point that is not yet written (beyond the range: all are); what was written before it is kept. @throws UsageError
  /// when what is there belongs to another sweep
  virtual std::int64_t start(std::int64_t begin, bool resume) = 0;
  /// @throws OutputError that says which rows are safe
  virtual void write(const SweepBlock& block) = 0;
  virtual void finish() = 0;
};

/// @param header what tells this sweep from others: {"schema": "rigplan/sweep/1", "query": ..., "points": ..., ...}
/// @param path "-": standard output
std::unique_ptr<SweepOutput> text_output(const std::string& path, SweepFormat format, const JsonValue& header,
                                         const std::vector<std::string>& fields);
/// The same for rows that were written before.
/// @param head the first line with its end
std::unique_ptr<SweepOutput> merged_text_output(const std::string& path, const std::string& head);
std::unique_ptr<SweepOutput> database_output(const std::string& path, const JsonValue& header,
                                             const std::vector<std::string>& fields);

/// By its name: .csv, .sqlite or .db at the end or before a further point; else JSON Lines.
SweepFormat format_of_path(const std::string& path);
/// The number of a row's point: behind `{"point":` or at the start of a CSV line; -1 when there is none.
std::int64_t point_of_line(std::string_view line);

}  // namespace rigplan
