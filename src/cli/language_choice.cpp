// SPDX-License-Identifier: Apache-2.0
#include "cli/language_choice.h"

#include <cstdlib>
#include <optional>

#include "cli/terminal.h"

namespace rigplan {
namespace {

constexpr std::string_view language_option = "--lang", language_option_with_value = "--lang=";

std::string language_setting(const std::vector<std::string>& words) {
  std::string setting;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == language_option && i + 1 < words.size()) setting = words[i + 1];
    if (words[i].starts_with(language_option_with_value)) setting = words[i].substr(language_option_with_value.size());
  }
  for (const char* name : {"RIGPLAN_LANG", "LC_ALL", "LC_MESSAGES", "LANG"})
    if (const char* value = std::getenv(name); setting.empty() && value) setting = value;
  return setting;
}

}  // namespace

Language choose_language(const std::vector<std::string>& words) {
  if (terminal_needs_ascii()) return Language::english;
  return language_named(language_setting(words)).value_or(Language::english);
}

std::vector<std::string> take_language(std::vector<std::string>& words) {
  std::vector<std::string> others, of_language;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool name_and_value = words[i] == language_option && i + 1 < words.size();
    auto& part = name_and_value || words[i].starts_with(language_option_with_value) ? of_language : others;
    part.push_back(std::move(words[i]));
    if (name_and_value) part.push_back(std::move(words[++i]));
  }
  words = std::move(others);
  return of_language;
}

}  // namespace rigplan
