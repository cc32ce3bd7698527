// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rigplan {

/// Columns that a terminal gives to a UTF-8 text: 2 for East Asian wide and full-width characters, 0 for combining marks.
int display_width(std::string_view text);
/// The text filled up with spaces to `width` columns.
std::string pad_right(std::string_view text, int width);
std::string pad_left(std::string_view text, int width);

enum class Align { left, right };

/// A table for people: columns as wide as their widest cell, two spaces between them, no rules.
class TextTable {
 public:
  struct Column {
    std::string head;
    Align align = Align::left;
  };
  explicit TextTable(std::vector<Column> columns) : columns_{std::move(columns)} {}

  /// One cell a column; missing ones are empty.
  void row(std::vector<std::string> cells);
  /// A row whose last cell may be longer than its column without widening it.
  void row_with_tail(std::vector<std::string> cells);
  std::string text(int indent = 0) const;
  bool empty() const { return rows_.empty(); }

 private:
  struct Row {
    std::vector<std::string> cells;
    bool tail = false;
  };
  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

}  // namespace rigplan
