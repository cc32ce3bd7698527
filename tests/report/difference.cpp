// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/difference.h"

#include <catch2/catch.hpp>

#include "rigplan/json/json_file.h"
#include "rigplan/report/rows_format.h"

using namespace rigplan;

namespace {

JsonValue parsed(const std::string& text) { return JsonFile::parse("answer", text).root(); }

JsonValue builds(const std::string& rows, const std::string& around = "") {
  return parsed(R"({"schema": "rigplan/rank/1")" + around + R"(, "rows": [)" + rows + "]}");
}

}  // namespace

TEST_CASE("An answer does not differ from itself") {
  const auto one = builds(R"({"build": "A", "price_yuan": {"low": 1, "likely": 2.5, "high": 3}, "warnings": ["W_A"]})");
  const auto difference = difference_of(result_of(one), result_of(one));
  CHECK(difference.empty());
  CHECK(difference.compared == 1);
}
TEST_CASE("Rows are matched by name, not by place; those without a partner are gone or added") {
  const auto before = builds(R"({"build": "A", "cards": 1}, {"build": "B", "cards": 2})");
  const auto after = builds(R"({"build": "C", "cards": 9}, {"build": "B", "cards": 2})");
  const auto difference = difference_of(result_of(before), result_of(after));
  CHECK(difference.gone == std::vector<std::string>{"A"});
  CHECK(difference.added == std::vector<std::string>{"C"});
  CHECK(difference.changes.empty());
}
TEST_CASE("A change is signed, and relative to what was before") {
  const auto before = builds(R"({"build": "A", "price_yuan": {"likely": 200}, "profit": -50, "nothing": 0, "plan": "x"})");
  const auto after = builds(R"({"build": "A", "price_yuan": {"likely": 150}, "profit": -25, "nothing": 3, "plan": "y"})");
  const auto changes = difference_of(result_of(before), result_of(after)).changes;
  REQUIRE(changes.size() == 4);
  CHECK(changes[0].field == "price_yuan.likely");
  CHECK(*changes[0].difference == -50);
  CHECK(*changes[0].relative == Approx(-0.25));
  CHECK(*changes[1].relative == Approx(0.5));  // from -50 to -25 is up by half of 50
  CHECK_FALSE(changes[2].relative.has_value());
  CHECK(changes[3].after == JsonValue{"y"});
  CHECK_FALSE(changes[3].difference.has_value());
}
TEST_CASE("The tolerance includes its edge") {
  const auto before = builds(R"({"build": "A", "x": 100})"), after = builds(R"({"build": "A", "x": 99})");
  CHECK(difference_of(result_of(before), result_of(after), 0.01).empty());
  CHECK_FALSE(difference_of(result_of(before), result_of(after), 0.0099).empty());
}
TEST_CASE("Facts around the rows are compared too, and known is not unknown") {
  const auto before = builds(R"({"build": "A", "x": null})", R"(, "candidates": 5)");
  const auto after = builds(R"({"build": "A", "x": 1})", R"(, "candidates": 7)");
  const auto changes = difference_of(result_of(before), result_of(after), 0.5).changes;
  REQUIRE(changes.size() == 1);  // 5 and 7 are within half of each other
  CHECK(changes[0].before.is_null());
  CHECK(difference_of(result_of(before), result_of(after)).changes.size() == 2);
}
TEST_CASE("Two rows of one name are compared in their order") {
  const auto before = builds(R"({"build": "A", "x": 1}, {"build": "A", "x": 2})");
  const auto after = builds(R"({"build": "A", "x": 1}, {"build": "A", "x": 3})");
  const auto changes = difference_of(result_of(before), result_of(after)).changes;
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].row == "A (2)");
}
TEST_CASE("CSV quotes what would end a cell, and a range that one row lacks has empty cells there") {
  const auto answer = builds(R"({"build": "A, \"b\"", "price": {"low": 1, "high": 0.1}}, {"build": "C", "price": null})");
  CHECK(rows_to_csv(answer) ==
        "build,price.low,price.high\n"
        "\"A, \"\"b\"\"\",1,0.1\n"
        "C,,\n");
}
TEST_CASE("Markdown leaves out columns without a value and keeps bars inside cells") {
  const auto answer = builds(R"({"build": "A|B", "reason": null, "cards": 2})");
  CHECK(rows_to_markdown(answer) ==
        "| build | cards |\n"
        "| --- | --- |\n"
        "| A\\|B | 2 |\n");
}
TEST_CASE("Benchmarks are divided by which way is better") {
  const auto answer = builds(R"({"build": "A", "price_yuan": {"low": 1, "likely": 2, "high": 3}, "decode_tokens_per_s": null,
                                 "usable_tflops": 1.5})");
  const auto bigger = rows_to_bench(answer, BenchKind::bigger), smaller = rows_to_bench(answer, BenchKind::smaller);
  REQUIRE(bigger.elements()->size() == 1);
  CHECK(*bigger.elements()->front().find("name")->text() == "A: usable_tflops");
  REQUIRE(smaller.elements()->size() == 1);
  CHECK(*smaller.elements()->front().find("range")->text() == "1 to 3");
}
