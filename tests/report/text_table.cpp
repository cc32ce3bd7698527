// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/text_table.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace rigplan;

TEST_CASE("A terminal gives two columns to Chinese characters and one to Latin ones, dashes and blocks", "[bad-input-80]") {
  CHECK(display_width("rig") == 3);
  CHECK(display_width("元") == 2);
  CHECK(display_width("显存 16 GiB") == 11);  // 2 x 2 + 7
  CHECK(display_width("38 [34–43]") == 10);
  CHECK(display_width("█░") == 2);
  CHECK(display_width("e\u0301") == 1);  // a combining accent takes no room
  CHECK(pad_left("元", 4) == "  元");
  CHECK(pad_right("元", 4) == "元  ");
}

TEST_CASE("Columns are as wide as their widest cell, heads included, and lines do not end in spaces") {
  TextTable table{{{"#", Align::right}, {"build", Align::left}, {"yuan", Align::right}}};
  table.row({"1", "显卡", "7,400"});
  table.row({"10", "x", ""});
  CHECK(table.text() ==
        " #  build   yuan\n"
        " 1  显卡   7,400\n"
        "10  x\n");
}

TEST_CASE("The last cell of a row with a tail does not widen its column") {
  TextTable table{{{"a", Align::left}, {"b", Align::right}}};
  table.row({"1", "2"});
  table.row_with_tail({"1", "does not fit by 2 GiB"});
  CHECK(table.text(2) ==
        "  a  b\n"
        "  1  2\n"
        "  1  does not fit by 2 GiB\n");
}

namespace {

TextTable builds() {
  TextTable table{{{"#", Align::right}, {"build", Align::left}, {"yuan", Align::right}, {"doubts", Align::left}}};
  table.narrowed({1, 2}, {3});
  table.row_with_tail({"1", "two cards on a board of Chinese make", "2,710 [1,910–4,560]", "ABOVE4G"});
  table.row_with_tail({"-", "one card", "900", "does not fit by 2 GiB: a shorter context fits"});
  table.row_with_tail({"-", "显卡两张", "is too dear by 400 yuan"});
  return table;
}

int widest(const std::string& text) {
  int widest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    widest = std::max(widest, display_width(text.substr(at, end - at)));
    at = end + 1;
  }
  return widest;
}

}  // namespace

TEST_CASE("A table that fits its screen is the same as without one") {
  // 1 + 36 + 19 + 45 columns and three gaps of two: 107.
  CHECK(builds().text(Screen{107}) == builds().text());
  CHECK(builds().text(Screen{106}) != builds().text());
}

TEST_CASE("A narrow table folds cells, then leaves out columns and says which") {
  // # 1, build at least 24, yuan at least 13 (its range); doubts go.
  CHECK(builds().text(Screen{44}) ==
        "#  build                                yuan\n"
        "1  two cards on a board of             2,710\n"
        "   Chinese make                [1,910–4,560]\n"
        "-  one card                              900\n"
        "-  显卡两张\n"
        "  is too dear by 400 yuan\n"
        "Left out, for want of room: doubts (--wide\n"
        "shows all)\n");
  for (const int columns : {30, 44, 60, 80, 120}) CHECK(widest(builds().text(Screen{columns})) <= columns);
}

TEST_CASE("Colours take no room and stand on a screen with colours alone") {
  CHECK(painted(Screen{}, Ink::bad, "no") == "no");
  const auto red = painted(Screen{0, true}, Ink::bad, "no");
  CHECK(red == "\x1b[31mno\x1b[0m");
  CHECK(display_width(red) == 2);
  CHECK(pad_left(red, 4) == "  " + red);
  // What is broken into lines is coloured line by line, so that the next column keeps its own.
  CHECK(lines_of("\x1b[1mone two\x1b[0m", 3) == std::vector<std::string>{"\x1b[1mone\x1b[0m", "\x1b[1mtwo\x1b[0m"});
}

TEST_CASE("Lines break between words and wide letters, under their own beginning; commands stay whole") {
  CHECK(lines_of("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(lines_of("显卡两张", 4) == std::vector<std::string>{"显卡", "两张"});
  CHECK(lines_of("abcdefgh", 3) == std::vector<std::string>{"abc", "def", "gh"});
  CHECK(folded("  power  idle 141 W\nx\n", Screen{12}) == "  power\n    idle 141\n    W\nx\n");
  CHECK(folded("rigplan estimate RIG --model M: all of it\n", Screen{20}) == "rigplan estimate RIG --model M: all of it\n");
  CHECK(folded("any length without a screen\n", Screen{}) == "any length without a screen\n");
}
