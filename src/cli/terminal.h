// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rigplan/report/screen.h"

namespace rigplan {

/// Whether standard output is a terminal of another encoding than UTF-8, as LC_ALL, LC_CTYPE or LANG say, the first that is set
/// and not empty. Pipes and files always get UTF-8: their bytes do not depend on the locale.
bool terminal_needs_ascii();

enum class ColourWish { automatic, always, never };

struct ScreenOptions {
  std::optional<int> columns;  ///< in place of those of the terminal
  bool wide = false;
  ColourWish colour = ColourWish::automatic;
};

/// Standard output as a screen: its width where it is a terminal or where --columns or COLUMNS says so, colours where it is a
/// terminal unless NO_COLOR is set, or where CLICOLOR_FORCE is. A pipe is none of this.
Screen screen_of(const ScreenOptions& options);

/// The same text in ASCII with columns kept: bars and lines as # . | -, "×" as x, a letter that fills two columns as ??.
std::string to_ascii(std::string_view text);

}  // namespace rigplan
