// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace rigplan {

/// The languages in which the program speaks to people. What programs read is the same in all of them.
enum class Language { english, chinese };

/// "en", "zh".
std::string_view to_text(Language language);
/// "zh", "zh_CN.UTF-8" and "zh-Hans" are Chinese, "en_GB" is English; nothing for a language without translations.
std::optional<Language> language_named(std::string_view name);

/// Chosen once, before anything is printed. Layers of formulas do not know it.
void set_language(Language language);
Language language();

}  // namespace rigplan
