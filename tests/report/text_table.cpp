// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/text_table.h"

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
