// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rigplan/report/screen.h"

namespace rigplan {

/// Columns that a terminal gives to a UTF-8 text: 2 for East Asian wide and full-width characters, 0 for combining marks and
/// codes of colours.
int display_width(std::string_view text);
/// The text filled up with spaces to `width` columns.
std::string pad_right(std::string_view text, int width);
std::string pad_left(std::string_view text, int width);

enum class Align { left, right };

/// A table for people: columns as wide as their widest cell, two spaces between them, no rules. On a screen that is too narrow
/// for it, cells of the columns that may be folded go on below, and columns are left out, which a line below the table names.
class TextTable {
 public:
  struct Column {
    std::string head;
    Align align = Align::left;
  };
  explicit TextTable(std::vector<Column> columns) : columns_{std::move(columns)} {}

  /// On a narrow screen: the columns whose cells go on below, and those that are left out, in this order.
  TextTable& narrowed(std::vector<std::size_t> folding, std::vector<std::size_t> left_out_first = {});

  /// One cell a column; missing ones are empty.
  void row(std::vector<std::string> cells);
  /// A row whose last cell may be longer than its column without widening it.
  void row_with_tail(std::vector<std::string> cells);
  std::string text(int indent = 0) const { return text(Screen{}, indent); }
  std::string text(const Screen& screen, int indent = 0) const;
  bool empty() const { return rows_.empty(); }

 private:
  struct Row {
    std::vector<std::string> cells;
    bool tail = false;
  };
  /// The columns that are shown, and how wide.
  struct Layout {
    std::vector<std::size_t> columns;
    std::vector<int> widths;  ///< of all columns
    std::vector<std::string> left_out;
    int total(int indent) const;
  };
  std::vector<int> natural_widths(bool narrow) const;
  Layout layout(const Screen& screen, int indent) const;
  void add_row(const Row& row, const Layout& layout, const Screen& screen, int indent, std::string& text) const;
  int widest_word(std::size_t column) const;
  bool tails_fit(const Layout& layout, const Screen& screen, int indent) const;
  bool is_tail(const Row& row, std::size_t column) const;
  bool folds(std::size_t column) const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
  std::vector<std::size_t> folding_, left_out_first_;
};

}  // namespace rigplan
