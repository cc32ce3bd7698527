// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rigplan/text/language.h"

namespace rigplan {

/// The language asked for: the last --lang, else RIGPLAN_LANG, else the first of LC_ALL, LC_MESSAGES and LANG that is set. Any
/// other language, C and POSIX mean English, as does a terminal that cannot show Chinese.
Language choose_language(const std::vector<std::string>& words);

/// --lang may stand anywhere, before the command too: takes it and its value out of the words, and returns them.
std::vector<std::string> take_language(std::vector<std::string>& words);

}  // namespace rigplan
