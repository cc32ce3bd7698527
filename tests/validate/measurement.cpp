// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/measurement.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <functional>
#include <sstream>

#include "rigplan/json/data_error.h"

using namespace rigplan;

static std::string error_of(const std::string& text) {
  try {
    read_measurements("rows.csv", text);
  } catch (const DataError& error) {
    return error.what();
  }
  return "accepted";
}

TEST_CASE(
    "columns may stand in any order, with a byte order mark and CRLF, and quoted fields hold commas, quotes and line breaks") {
  const auto rows = read_measurements("rows.csv",
                                      "\xEF\xBB\xBFvalue,metric,kind,note,batch\r\n"
                                      "12.5,tokens_per_s,decode,\"one, \"\"two\"\"\nthree\",8\r\n"
                                      "7,tokens_per_s,decode,,");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].value == 12.5);
  CHECK(rows[0].note == "one, \"two\"\nthree");
  CHECK(rows[0].batch == 8);
  CHECK(rows[0].line == 2);
  CHECK(rows[1].line == 4);  // the first record holds a line break
  CHECK(rows[1].id == "line-4");
  CHECK_FALSE(rows[1].batch.has_value());
}
TEST_CASE("a row that cannot be read is an error that names its line") {
  const std::string head = "id,kind,metric,value,batch\n";
  CHECK(error_of(head + "a,decode,tokens_per_s,1,1\nb,decode,tokens_per_s,x,1") ==
        "rows.csv:3: column value: \"x\" is not a number");
  CHECK(error_of(head + "a,decode,tokens_per_s,1,1.5").starts_with("rows.csv:2: column batch: \"1.5\" is not a whole number"));
  CHECK(error_of(head + "a,decode,tokens_per_s,1") == "rows.csv:2: has 4 fields; expected 5 as in the header");
  CHECK(error_of(head + "a,decode,tokens_per_s,0,1") == "rows.csv:2: column value: 0 is not above 0");
  CHECK(error_of(head + "a,decode,tokens_per_s,1,1\na,decode,tokens_per_s,2,1") ==
        "rows.csv:3: has the id \"a\", which stands in line 2 too");
  CHECK(error_of(head + "a,decode,tokens_per_s,1,\"1") == "rows.csv:2: opens a quote that is never closed");
  CHECK(error_of("kind,metrik,value\n") == "rows.csv:1: has the unknown column \"metrik\"; did you mean \"metric\"?");
  CHECK(error_of("kind,metric\n").starts_with("rows.csv:1: has no column \"value\""));
  CHECK(error_of("") == "rows.csv: is empty; expected a header line and rows");
}
TEST_CASE("what is written reads back to the same rows") {
  const auto rows =
      read_measurements("rows.csv", "id,kind,metric,value,note,weights_gib\na,decode,tokens_per_s,0.1,\"x,\"\"y\"\"\",4.58\n");
  const auto text = to_csv(rows);
  const auto again = read_measurements("rows.csv", text);
  REQUIRE(again.size() == 1);
  CHECK(again[0].note == rows[0].note);
  CHECK(again[0].weights_gib == 4.58);
  CHECK(to_csv(again) == text);
}
TEST_CASE("all published rows can be read") {
  int found = 0;
  for (const auto& [name, count] :
       {std::pair{"speed", 1086}, {"memory", 316}, {"serving", 2947}, {"train", 552}, {"collectives", 1516}}) {
    std::ifstream file{std::string{RIGPLAN_SOURCE_DIR} + "/../shared/truth/" + name + ".csv"};
    if (!file) continue;
    std::ostringstream text;
    text << file.rdbuf();
    CHECK(read_measurements(name, text.str()).size() == static_cast<std::size_t>(count));
    ++found;
  }
  if (found == 0) WARN("the published rows are not here; skipped");
}
