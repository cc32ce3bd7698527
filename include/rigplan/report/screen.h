// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rigplan {

/// What an answer for people is written to. Without anything said it is a pipe or a file: lines of any length, the answer alone.
struct Screen {
  int columns = 0;        ///< width of the lines; 0: any
  bool colour = false;    ///< understands the colours of ISO 6429
  bool pictures = false;  ///< wants bars beside figures that say the same
};

enum class Ink { strong, faint, good, warn, bad, part_1, part_2, part_3, part_4, part_5, part_6 };
/// One of the six inks in which parts of a whole are told apart, in turn.
Ink part_ink(std::size_t part);
/// The text in a colour where the screen has colours, else the text.
std::string painted(const Screen& screen, Ink ink, std::string_view text);

/// The text in lines of at most `width` columns, the first of at most `first` where that is given: broken between words and
/// between wide letters, inside a word only where the word is longer than a line. Nothing is left out but the blanks at the
/// breaks.
std::vector<std::string> lines_of(std::string_view text, int width, int first = 0);
/// Lines longer than the screen go on below, under their own beginning. Lines that begin with "rigplan " stay whole, for copying.
std::string folded(std::string_view text, const Screen& screen);

}  // namespace rigplan
