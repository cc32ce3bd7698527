// SPDX-License-Identifier: Apache-2.0
#include "cli/wrap_text.h"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

#include "rigplan/report/text_table.h"

namespace rigplan {
namespace {

/// Bytes of the letter that begins at `at`.
std::size_t letter_size(std::string_view text, std::size_t at) {
  std::size_t size = 1;
  while (at + size < text.size() && (static_cast<unsigned char>(text[at + size]) & 0xC0) == 0x80) ++size;
  return size;
}

bool stands_in(std::string_view letter, std::initializer_list<std::string_view> marks) {
  return std::find(marks.begin(), marks.end(), letter) != marks.end();
}

bool may_break(std::string_view before, std::string_view behind) {
  if (display_width(before) < 2 && display_width(behind) < 2) return false;
  return !stands_in(before, {"（", "“", "(", "\""}) &&
         !stands_in(behind, {"，", "。", "；", "：", "、", "）", "”", "？", "！", ")", ",", ".", ";", ":", "\""});
}

/// A word in parts between which a line may end.
std::vector<std::string> parts_of(const std::string& word) {
  std::vector<std::string> parts;
  std::string_view before;
  for (std::size_t at = 0; at < word.size();) {
    const auto letter = std::string_view{word}.substr(at, letter_size(word, at));
    if (before.empty() || may_break(before, letter)) parts.emplace_back();
    parts.back() += letter;
    before = letter;
    at += letter.size();
  }
  return parts;
}

}  // namespace

std::string wrap_text(const std::string& text, int width, int indent) {
  std::string lines, line;
  std::stringstream words{text};
  for (std::string word; words >> word;) {
    std::string gap = line.empty() ? "" : " ";
    for (const auto& part : parts_of(word)) {
      if (!line.empty() && display_width(line) + display_width(gap) + display_width(part) > width - indent) {
        lines += line + "\n" + std::string(static_cast<std::size_t>(indent), ' ');
        line.clear();
        gap.clear();
      }
      line += gap + part;
      gap.clear();
    }
  }
  return lines + line;
}

std::string cut_text(const std::string& text, int width) {
  if (display_width(text) <= width) return text;
  std::size_t most = 0;
  for (int columns = 0; most < text.size();) {
    const auto size = letter_size(text, most);
    columns += display_width(std::string_view{text}.substr(most, size));
    if (columns > width - 3) break;
    most += size;
  }
  for (const auto* clause : {"; ", ". ", ": ", " (", ", ", "；", "。", "：", "（", "，"}) {
    const auto at = text.rfind(clause, most);
    if (at != std::string::npos && at >= most / 3) return text.substr(0, at) + "...";
  }
  const auto space = text.rfind(' ', most);
  const bool has_space =
      space != std::string::npos && (space >= most / 3 || display_width(text) == static_cast<int>(text.size()));
  return text.substr(0, has_space ? space : most) + "...";
}

}  // namespace rigplan
