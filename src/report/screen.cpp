// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/screen.h"

#include <algorithm>

#include "report/letters.h"
#include "rigplan/report/text_table.h"

namespace rigplan {
namespace {

constexpr std::string_view ink_codes[] = {"1", "2", "32", "33", "31", "34", "36", "35", "33", "32", "31"};
constexpr std::string_view end_of_colour = "\x1b[0m";
constexpr int deepest_hang = 24;

/// Columns of the spaces and of the lines of a drawn tree that a line begins with.
int beginning(std::string_view line) {
  std::size_t at = 0;
  int width = 0;
  while (at < line.size()) {
    const auto letter = letter_at(line, at);
    if (letter != " " && letter != "├" && letter != "└" && letter != "│" && letter != "─") break;
    width += 1;
    at += letter.size();
  }
  return width;
}

/// Collects pieces that must not be broken into lines.
class LineBreaker {
 public:
  LineBreaker(int width, int first) : width_{std::max(first, 2)}, later_width_{std::max(width, 2)} {}

  void blanks(std::size_t count) { blanks_ += count; }
  void piece(std::string_view text) {
    const int size = display_width(text);
    if (size > width_) return in_parts(text);
    if (!line_.empty() && used_ + static_cast<int>(blanks_) + size > width_) end_line();
    if (!line_.empty() || lines_.empty()) {
      line_.append(blanks_, ' ');
      used_ += static_cast<int>(blanks_);
    }
    blanks_ = 0;
    line_ += text;
    used_ += size;
  }
  std::vector<std::string> lines() {
    lines_.push_back(std::move(line_));
    return std::move(lines_);
  }

 private:
  void end_line() {
    lines_.push_back(std::move(line_));
    line_.clear();
    used_ = 0;
    width_ = later_width_;
  }
  void in_parts(std::string_view word) {
    for (std::size_t at = 0; at < word.size();) {
      const auto letter = letter_at(word, at);
      piece(letter);
      at += letter.size();
    }
  }

  int width_, later_width_, used_ = 0;
  std::size_t blanks_ = 0;
  std::string line_;
  std::vector<std::string> lines_;
};

/// Between wide letters a line may end, though not before a closing mark or behind an opening one.
bool may_break(std::string_view before, std::string_view behind) {
  constexpr std::string_view opening[] = {"（", "“", "《", "("};
  constexpr std::string_view closing[] = {"，", "。", "；", "：", "、", "）", "”", "》", "？", "！", ")", ",", ".", ";", ":"};
  const auto is_among = [](std::string_view letter, const auto& marks) {
    return std::find(std::begin(marks), std::end(marks), letter) != std::end(marks);
  };
  return (display_width(before) == 2 || display_width(behind) == 2) && !is_among(before, opening) && !is_among(behind, closing);
}

/// A colour that goes on over a break ends with the line and begins again on the next, so that nothing beside it takes it.
std::vector<std::string> with_own_colours(std::vector<std::string> lines) {
  std::string colour;
  for (auto& line : lines) {
    line.insert(0, colour);
    for (std::size_t at = 0; at < line.size();) {
      const auto letter = letter_at(line, at);
      if (colour_code_at(line, at)) colour = letter == end_of_colour ? "" : letter;
      at += letter.size();
    }
    if (!colour.empty()) line += end_of_colour;
  }
  return lines;
}

}  // namespace

Ink part_ink(std::size_t part) { return static_cast<Ink>(static_cast<std::size_t>(Ink::part_1) + part % 6); }

std::string painted(const Screen& screen, Ink ink, std::string_view text) {
  if (!screen.colour || text.empty()) return std::string{text};
  return "\x1b[" + std::string{ink_codes[static_cast<std::size_t>(ink)]} + "m" + std::string{text}.append(end_of_colour);
}

std::vector<std::string> lines_of(std::string_view text, int width, int first) {
  LineBreaker breaker{width, first > 0 ? first : width};
  std::string word;
  std::string_view before = " ";
  const auto end_word = [&] {
    if (!word.empty()) breaker.piece(word);
    word.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto letter = letter_at(text, at);
    at += letter.size();
    if (letter == " ") {
      end_word();
      breaker.blanks(1);
    } else {
      if (may_break(before, letter)) end_word();
      word += letter;
    }
    if (letter.front() != '\x1b') before = letter;
  }
  end_word();
  return with_own_colours(breaker.lines());
}

std::string folded(std::string_view text, const Screen& screen) {
  if (screen.columns <= 0) return std::string{text};
  std::string out;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (display_width(line) <= screen.columns || line.starts_with("rigplan ")) {
      out.append(line).append("\n");
      continue;
    }
    const int begin = beginning(line), hang = std::min(begin > 0 ? begin + 2 : 0, std::min(deepest_hang, screen.columns / 3));
    const auto lines = lines_of(line, screen.columns - hang, screen.columns);
    for (std::size_t i = 0; i < lines.size(); ++i)
      out.append(i > 0 ? std::string(static_cast<std::size_t>(hang), ' ') : "").append(lines[i]).append("\n");
  }
  return out;
}

}  // namespace rigplan
