// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rigplan/text/language.h"

namespace rigplan {

/// The language asked for: the last --lang, else RIGPLAN_LANG, else the first of LC_ALL, LC_MESSAGES and LANG that is set. Any
/// other language, C and POSIX mean English, as does a terminal that cannot show Chinese.
Language choose_language(const std::vector<std::string>& words);

/// Puts --lang behind all other words, so that it may stand before the command too.
std::vector<std::string> with_language_last(std::vector<std::string> words);

}  // namespace rigplan
