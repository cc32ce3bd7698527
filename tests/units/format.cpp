// SPDX-License-Identifier: Apache-2.0
#include "rigplan/units/format.h"

#include <catch2/catch.hpp>

using namespace rigplan;

TEST_CASE("people see three significant digits and grouped thousands") {
  CHECK(format_number(0) == "0");
  CHECK(format_number(12345.6) == "12,300");
  CHECK(format_number(1234567) == "1,230,000");
  CHECK(format_number(3.14159) == "3.14");
  CHECK(format_number(38) == "38");
  CHECK(format_number(0.01234) == "0.0123");
  CHECK(format_number(999.6) == "1,000");
  CHECK(format_number(-1234) == "-1,230");
}
TEST_CASE("bills keep every yuan") {
  CHECK(format_whole(12345.4) == "12,345");
  CHECK(format_whole(999.5) == "1,000");
}
TEST_CASE("a range is short, and a range without width is one number") {
  CHECK(format_range({34, 38, 43}) == "38 [34–43]");
  CHECK(format_range({38, 38, 38}) == "38");
}
TEST_CASE("each quantity has the unit that people expect") {
  CHECK(to_text(16 * GiB) == "16 GiB");
  CHECK(to_text(1020 * GB_per_s) == "1,020 GB/s");
  CHECK(to_text(90 * ms) == "90 ms");
  CHECK(to_text(12 * us) == "12 us");
  CHECK(to_text(250 * watt) == "250 W");
}
