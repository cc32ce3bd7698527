// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rigplan {

/// One record of a CSV text, with the line on which it starts (from 1).
struct CsvRecord {
  std::vector<std::string> fields;
  int line = 0;
};

/// Splits a CSV text after RFC 4180: fields in double quotes may hold commas, line breaks and doubled quotes. A UTF-8 byte order
/// mark, CRLF line ends and a last line without an end are accepted; empty lines are skipped.
/// @throws DataError for a quote that is never closed or that stands inside or right behind a field.
std::vector<CsvRecord> parse_csv(const std::string& file, std::string_view text);

}  // namespace rigplan
