// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "report/letters.h"
#include "text/tr.h"

namespace rigplan {
namespace {

constexpr int between_columns = 2;
/// Columns that a folded cell has at least; and where even that is too much.
constexpr int comfortable = 24, bearable = 12;

struct Interval {
  char32_t first, last;
};

// Unicode 15, EastAsianWidth.txt: W and F, merged over unassigned gaps.
constexpr Interval wide[] = {{0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},  {0x25FD, 0x25FE},
                             {0x2614, 0x2615},   {0x26A1, 0x26A1},   {0x2705, 0x2705},   {0x274C, 0x274C},  {0x2E80, 0x303E},
                             {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},  {0xAC00, 0xD7A3},
                             {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F},
                             {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x2FFFD}, {0x30000, 0x3FFFD}};
constexpr Interval zero[] = {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};

template <std::size_t N>
bool in(const Interval (&intervals)[N], char32_t letter) {
  return std::any_of(std::begin(intervals), std::end(intervals),
                     [&](const Interval& i) { return letter >= i.first && letter <= i.last; });
}

/// The code point of a letter. A stray byte counts as one letter.
char32_t code_point(std::string_view letter) {
  const auto lead = static_cast<std::uint8_t>(letter.front());
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
  char32_t point = more == 0 ? lead : lead & (0x3F >> more);
  for (const auto byte : letter.substr(1)) point = point << 6 | (static_cast<std::uint8_t>(byte) & 0x3F);
  return point;
}

std::string spaces(int count) { return std::string(static_cast<std::size_t>(std::max(0, count)), ' '); }

int longest_word(std::string_view text) {
  int longest = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    longest = std::max(longest, display_width(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return longest;
}

void trim_right(std::string& line) {
  while (!line.empty() && line.back() == ' ') line.pop_back();
}

/// A cell in one or more lines.
struct Folded {
  std::vector<std::string> lines;
  int width;
  Align align;
};

std::string lines_beside(const std::vector<Folded>& cells, int indent) {
  std::size_t height = 1;
  for (const auto& cell : cells) height = std::max(height, cell.lines.size());
  std::string text;
  for (std::size_t at = 0; at < height; ++at) {
    std::string line = spaces(indent);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) line += spaces(between_columns);
      const auto part = at < cells[i].lines.size() ? cells[i].lines[at] : std::string{};
      line += cells[i].align == Align::right ? pad_left(part, cells[i].width) : pad_right(part, cells[i].width);
    }
    trim_right(line);
    text += line + "\n";
  }
  return text;
}

}  // namespace

int display_width(std::string_view text) {
  int width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto letter = letter_at(text, at);
    at += letter.size();
    if (letter.front() == '\x1b' && letter.size() > 1) continue;
    const auto point = code_point(letter);
    width += in(zero, point) ? 0 : in(wide, point) ? 2 : 1;
  }
  return width;
}

std::string pad_right(std::string_view text, int width) { return std::string{text} + spaces(width - display_width(text)); }
std::string pad_left(std::string_view text, int width) { return spaces(width - display_width(text)) + std::string{text}; }

void TextTable::row(std::vector<std::string> cells) { rows_.push_back({std::move(cells), false}); }
void TextTable::row_with_tail(std::vector<std::string> cells) { rows_.push_back({std::move(cells), true}); }

TextTable& TextTable::narrowed(std::vector<std::size_t> folding, std::vector<std::size_t> left_out_first) {
  folding_ = std::move(folding);
  left_out_first_ = std::move(left_out_first);
  return *this;
}

bool TextTable::folds(std::size_t column) const { return std::find(folding_.begin(), folding_.end(), column) != folding_.end(); }

/// What a tail says stands in no column: in a row of all columns it is the last cell, in a shorter row a reason.
bool TextTable::is_tail(const Row& row, std::size_t column) const {
  return row.tail && column + 1 == row.cells.size() && column < columns_.size();
}

/// `narrow`: for a screen that is too narrow, where heads are folded too, and the last cell of a whole row if its column is.
std::vector<int> TextTable::natural_widths(bool narrow) const {
  std::vector<int> widths;
  for (const auto& column : columns_) widths.push_back(narrow ? longest_word(column.head) : display_width(column.head));
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.cells.size() && i < widths.size(); ++i)
      if (!is_tail(row, i) || (narrow && folds(i) && row.cells.size() == columns_.size()))
        widths[i] = std::max(widths[i], display_width(row.cells[i]));
  return widths;
}

int TextTable::Layout::total(int indent) const {
  const auto gaps = between_columns * std::max(0, static_cast<int>(columns.size()) - 1);
  return std::accumulate(columns.begin(), columns.end(), indent + gaps, [&](int sum, std::size_t i) { return sum + widths[i]; });
}

/// The narrowest that a column of figures may be: "2,710 [1,910–4,560]" breaks before its range alone.
int TextTable::widest_word(std::size_t column) const {
  int widest = longest_word(columns_[column].head);
  for (const auto& row : rows_)
    if (column < row.cells.size() && !is_tail(row, column)) widest = std::max(widest, longest_word(row.cells[column]));
  return widest;
}

/// Whether the last cells of whole rows fit behind the others.
bool TextTable::tails_fit(const Layout& layout, const Screen& screen, int indent) const {
  if (columns_.empty()) return true;
  const auto last = columns_.size() - 1;
  const int start = layout.total(indent) - layout.widths[last];
  return std::all_of(rows_.begin(), rows_.end(), [&](const Row& row) {
    return row.cells.size() <= last || !is_tail(row, last) || start + display_width(row.cells[last]) <= screen.columns;
  });
}

TextTable::Layout TextTable::layout(const Screen& screen, int indent) const {
  Layout layout;
  layout.columns.resize(columns_.size());
  std::iota(layout.columns.begin(), layout.columns.end(), std::size_t{0});
  layout.widths = natural_widths(false);
  if (screen.columns <= 0 || (layout.total(indent) <= screen.columns && tails_fit(layout, screen, indent))) return layout;

  const auto natural = natural_widths(true);
  layout.widths = natural;
  const auto narrow_to = [&](int least) {
    for (const auto i : folding_)
      layout.widths[i] = std::min(natural[i], columns_[i].align == Align::right ? widest_word(i) : least);
  };
  narrow_to(comfortable);
  for (const auto column : left_out_first_) {
    if (layout.total(indent) <= screen.columns) break;
    std::erase(layout.columns, column);
    layout.left_out.push_back(columns_[column].head);
  }
  if (layout.total(indent) > screen.columns) narrow_to(bearable);
  for (bool grown = true; grown && layout.total(indent) < screen.columns;) {
    grown = false;
    for (const auto i : layout.columns)
      if (folds(i) && layout.widths[i] < natural[i] && layout.total(indent) < screen.columns) {
        ++layout.widths[i];
        grown = true;
      }
  }
  return layout;
}

void TextTable::add_row(const Row& row, const Layout& layout, const Screen& screen, int indent, std::string& text) const {
  if (row.cells.empty()) return;
  const auto last = row.cells.size() - 1;
  const bool narrow = screen.columns > 0;
  std::vector<Folded> cells;
  int start = indent;
  for (const auto i : layout.columns) {
    if (i > last || is_tail(row, i)) continue;
    cells.push_back(
        {narrow ? lines_of(row.cells[i], layout.widths[i]) : std::vector{row.cells[i]}, layout.widths[i], columns_[i].align});
    start += layout.widths[i] + between_columns;
  }
  // A whole row's tail goes with its column; that of a shorter one is a reason, which is always told.
  const bool is_shown =
      last < columns_.size() - 1 || std::find(layout.columns.begin(), layout.columns.end(), last) != layout.columns.end();
  std::vector<std::string> below;
  if (row.tail && is_shown) {
    const int room = screen.columns - start;
    if (!narrow)
      cells.push_back({{row.cells[last]}, 0, Align::left});
    else if (room >= std::min(comfortable, display_width(row.cells[last])))
      cells.push_back({lines_of(row.cells[last], room), 0, Align::left});
    else
      below = lines_of(row.cells[last], screen.columns - indent - between_columns);
  }
  text += lines_beside(cells, indent);
  for (const auto& line : below) text += spaces(indent + between_columns) + line + "\n";
}

std::string TextTable::text(const Screen& screen, int indent) const {
  const auto layout = this->layout(screen, indent);
  std::string text;
  Row heads;
  for (const auto& column : columns_) heads.cells.push_back(painted(screen, Ink::faint, column.head));
  const bool has_heads = std::any_of(columns_.begin(), columns_.end(), [](const Column& c) { return !c.head.empty(); });
  if (has_heads) add_row(heads, layout, screen, indent, text);
  for (const auto& row : rows_) add_row(row, layout, screen, indent, text);
  if (!layout.left_out.empty())
    text += folded(
        spaces(indent) +
            trf("Left out, for want of room: {} (--wide shows all)", fmt::format("{}", fmt::join(layout.left_out, ", "))) + "\n",
        screen);
  return text;
}

}  // namespace rigplan
