// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "rigplan/units/parse.h"

namespace rigplan {
namespace {

constexpr std::pair<std::string_view, char> stand_ins[] = {
    {"×", 'x'}, {"·", '|'}, {"–", '-'}, {"█", '#'}, {"░", '.'}, {"▓", '='}, {"▒", ':'},
    {"├", '|'}, {"└", '`'}, {"│", '|'}, {"─", '-'}, {"µ", 'u'}, {"≤", '<'}, {"≥", '>'},
};

bool names_utf8(std::string_view locale) {
  return locale.find("UTF-8") != std::string_view::npos || locale.find("utf8") != std::string_view::npos ||
         locale.find("UTF8") != std::string_view::npos || locale.find("utf-8") != std::string_view::npos;
}

constexpr int narrowest = 20, widest = 10'000;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// COLUMNS; 0 where it says nothing that makes sense.
int columns_of_environment() {
  const auto columns = parse_integer(environment("COLUMNS"), narrowest, widest);
  const auto* number = std::get_if<long long>(&columns);
  return number ? static_cast<int>(*number) : 0;
}

int columns_of_terminal() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool wants_colour(ColourWish wish, bool is_terminal) {
  if (wish != ColourWish::automatic) return wish == ColourWish::always;
  if (!environment("NO_COLOR").empty()) return false;
  const auto force = environment("CLICOLOR_FORCE");
  if (!force.empty() && force != "0") return true;
  return is_terminal && environment("TERM") != "dumb" && environment("CLICOLOR") != "0";
}

/// Bytes of the letter that begins with `first`; a byte that begins none stands alone.
std::size_t letter_length(unsigned char first) { return first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4; }

}  // namespace

bool terminal_needs_ascii() {
  if (isatty(STDOUT_FILENO) != 1) return false;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char* locale = std::getenv(name); locale && *locale) return !names_utf8(locale);
  return false;
}

Screen screen_of(const ScreenOptions& options) {
  const bool is_terminal = isatty(STDOUT_FILENO) == 1;
  int columns = options.columns.value_or(0);
  if (columns == 0) columns = columns_of_environment();
  if (columns == 0 && is_terminal) columns = columns_of_terminal();
  Screen screen;
  screen.colour = wants_colour(options.colour, is_terminal);
  screen.pictures = columns > 0 || is_terminal;
  screen.columns = options.wide ? 0 : columns;
  return screen;
}

std::string to_ascii(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto letter = text.substr(0, letter_length(static_cast<unsigned char>(text.front())));
    text.remove_prefix(letter.size());
    const auto known = std::find_if(std::begin(stand_ins), std::end(stand_ins), [&](const auto& s) { return s.first == letter; });
    if (letter.size() == 1 && static_cast<unsigned char>(letter.front()) < 0x80)
      out += letter;
    else if (known != std::end(stand_ins))
      out += known->second;
    else
      out += letter.size() == 3 ? "??" : "?";  // Chinese letters take three bytes and two columns
  }
  return out;
}

}  // namespace rigplan
