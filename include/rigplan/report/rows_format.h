// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "rigplan/json/value.h"

namespace rigplan {

// Any answer in its JSON form as a table of its rows. Columns are the paths of report/result.h, of all rows, in the order in
// which they first appear; numbers have full precision; a value that is unknown is an empty cell.

/// Comma-separated values as RFC 4180 has them, except that lines end in a line feed.
std::string rows_to_csv(const JsonValue& answer);
/// A table in Markdown of GitHub's kind. Columns that no row has a value for are left out.
std::string rows_to_markdown(const JsonValue& answer);
/// One value of a CSV file, in quotes where it needs them.
std::string csv_cell(std::string_view text);

/// Which way is better: the program that keeps benchmarks wants the two kinds in files of their own.
enum class BenchKind { bigger, smaller };
/// [{"name": ..., "unit": ..., "value": ..., "range": ...}]: speeds (bigger is better), or prices, power and waiting times, of
/// every row, as github-action-benchmark reads them.
JsonValue rows_to_bench(const JsonValue& answer, BenchKind kind);

}  // namespace rigplan
