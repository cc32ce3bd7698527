// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace rigplan {

/// Whether standard output is a terminal of another encoding than UTF-8, as LC_ALL, LC_CTYPE or LANG say, the first that is set
/// and not empty. Pipes and files always get UTF-8: their bytes do not depend on the locale.
bool terminal_needs_ascii();

/// The same text in ASCII with columns kept: bars and lines as # . | -, "×" as x, a letter that fills two columns as ??.
std::string to_ascii(std::string_view text);

}  // namespace rigplan
