// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <type_traits>

namespace rigplan {

/// The text in the language chosen: a message, or a text that was made of messages elsewhere. Literals are found by po/update.py.
std::string tr(std::string_view english);

/// A word that means several things, by what it is said of: trc("bill", "memory") is not that of a card.
std::string trc(std::string_view context, std::string_view english);

/// All translations of the language chosen, by their English; none in English.
const std::map<std::string_view, std::string_view>& translations();

/// A message that is looked up as it stands; its placeholders are not filled.
fmt::string_view translated_format(fmt::string_view english);

/// A text is translated too, anything else stays as it is.
template <class T>
decltype(auto) translated_argument(const T& argument) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>)
    return tr(argument);
  else
    return (argument);
}

/// fmt::format in the language chosen, also of arguments that are texts. The English text is checked against its arguments when
/// it is compiled, the translation by a test that compares placeholders.
template <class... T>
std::string trf(fmt::format_string<T...> english, T&&... arguments) {
  return fmt::vformat(translated_format(english), fmt::make_format_args(translated_argument(arguments)...));
}

}  // namespace rigplan
