// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace rigplan {
namespace {

constexpr std::pair<std::string_view, char> stand_ins[] = {
    {"×", 'x'}, {"·", '|'}, {"–", '-'}, {"█", '#'}, {"░", '.'}, {"├", '|'},
    {"└", '`'}, {"│", '|'}, {"─", '-'}, {"µ", 'u'}, {"≤", '<'}, {"≥", '>'},
};

bool names_utf8(std::string_view locale) {
  return locale.find("UTF-8") != std::string_view::npos || locale.find("utf8") != std::string_view::npos ||
         locale.find("UTF8") != std::string_view::npos || locale.find("utf-8") != std::string_view::npos;
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
