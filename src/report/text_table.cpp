// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/text_table.h"

#include <algorithm>
#include <cstdint>

namespace rigplan {
namespace {

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

/// The code point at `at`, which is moved behind it. Stray bytes count as one letter each.
char32_t next_letter(std::string_view text, std::size_t& at) {
  const auto lead = static_cast<std::uint8_t>(text[at++]);
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
  char32_t letter = more == 0 ? lead : lead & (0x3F >> more);
  for (int i = 0; i < more && at < text.size(); ++i) letter = letter << 6 | (static_cast<std::uint8_t>(text[at++]) & 0x3F);
  return letter;
}

std::string spaces(int count) { return std::string(static_cast<std::size_t>(std::max(0, count)), ' '); }

void trim_right(std::string& line) {
  while (!line.empty() && line.back() == ' ') line.pop_back();
}

}  // namespace

int display_width(std::string_view text) {
  int width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto letter = next_letter(text, at);
    width += in(zero, letter) ? 0 : in(wide, letter) ? 2 : 1;
  }
  return width;
}

std::string pad_right(std::string_view text, int width) { return std::string{text} + spaces(width - display_width(text)); }
std::string pad_left(std::string_view text, int width) { return spaces(width - display_width(text)) + std::string{text}; }

void TextTable::row(std::vector<std::string> cells) { rows_.push_back({std::move(cells), false}); }
void TextTable::row_with_tail(std::vector<std::string> cells) { rows_.push_back({std::move(cells), true}); }

std::string TextTable::text(int indent) const {
  std::vector<int> widths;
  for (const auto& column : columns_) widths.push_back(display_width(column.head));
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.cells.size() && i < widths.size(); ++i)
      if (!(row.tail && i + 1 == row.cells.size())) widths[i] = std::max(widths[i], display_width(row.cells[i]));

  std::string text;
  const auto add_line = [&](auto cell_at, std::size_t count, bool tail) {
    std::string line = spaces(indent);
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) line += "  ";
      const bool free = tail && i + 1 == count;
      line += columns_[i].align == Align::right && !free ? pad_left(cell_at(i), widths[i]) : pad_right(cell_at(i), widths[i]);
    }
    trim_right(line);
    text += line + "\n";
  };
  const bool has_heads = std::any_of(columns_.begin(), columns_.end(), [](const Column& c) { return !c.head.empty(); });
  if (has_heads) add_line([&](std::size_t i) -> const std::string& { return columns_[i].head; }, columns_.size(), false);
  for (const auto& row : rows_)
    add_line([&](std::size_t i) -> const std::string& { return row.cells[i]; }, std::min(row.cells.size(), columns_.size()),
             row.tail);
  return text;
}

}  // namespace rigplan
