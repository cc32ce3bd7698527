// SPDX-License-Identifier: Apache-2.0
#include "rigplan/text/language.h"

#include <array>

#include "rigplan/text/catalog.h"
#include "text/embedded_messages.h"
#include "text/tr.h"

namespace rigplan {
namespace {

constexpr std::array<std::string_view, 2> language_codes{"en", "zh"};
Language chosen_language = Language::english;

/// nullptr for English, the language of the sources.
const MessageCatalog* messages_in_use() {
  if (chosen_language == Language::english) return nullptr;
  static const MessageCatalog chinese{chinese_messages()};
  return &chinese;
}

}  // namespace

std::string_view to_text(Language language) { return language_codes[static_cast<std::size_t>(language)]; }

std::optional<Language> language_named(std::string_view name) {
  const auto code = name.substr(0, name.find_first_of("_-.@"));
  for (std::size_t i = 0; i < language_codes.size(); ++i)
    if (code == language_codes[i]) return static_cast<Language>(i);
  return std::nullopt;
}

void set_language(Language language) { chosen_language = language; }
Language language() { return chosen_language; }

std::string tr(std::string_view english) {
  const auto* messages = messages_in_use();
  return messages ? messages->translate(english) : std::string{english};
}

std::string trc(std::string_view context, std::string_view english) {
  constexpr char separator = '\4';  // as gettext writes it
  const auto* messages = messages_in_use();
  const auto* found = messages ? messages->find(std::string{context} + separator + std::string{english}) : nullptr;
  return found ? std::string{*found} : tr(english);
}

const std::map<std::string_view, std::string_view>& translations() {
  static const std::map<std::string_view, std::string_view> none;
  const auto* messages = messages_in_use();
  return messages ? messages->messages() : none;
}

fmt::string_view translated_format(fmt::string_view english) {
  const auto* messages = messages_in_use();
  const auto* found = messages ? messages->find({english.data(), english.size()}) : nullptr;
  return found ? fmt::string_view{found->data(), found->size()} : english;
}

}  // namespace rigplan
