// SPDX-License-Identifier: Apache-2.0
#include "rigplan/json/value.h"

#include <catch2/catch.hpp>
#include <limits>
#include <nlohmann/json.hpp>

namespace rigplan {
namespace {

TEST_CASE("JSON is written as nlohmann_json writes it") {
  const std::string text = R"({
  "empty": {},
  "none": [],
  "list": [
    1,
    -2,
    0.1,
    1e+300,
    true,
    null,
    [
      "a \"quote\", a \\ and\n a line",
      "显卡 é \u007f"
    ]
  ],
  "a \"key\"": {
    "whole": 1.0
  }
})";
  const auto expected = nlohmann::ordered_json::parse(text);
  const auto inner = JsonValue::array().push("a \"quote\", a \\ and\n a line").push("显卡 é \x7f");
  auto list = JsonValue::array().push(1).push(-2).push(0.1).push(1e300).push(true).push(nullptr).push(inner);
  const auto value = JsonValue::object()
                         .set("empty", JsonValue::object())
                         .set("none", JsonValue::array())
                         .set("list", std::move(list))
                         .set("a \"key\"", JsonValue::object().set("whole", 1.0));
  CHECK(to_json_text(value, 0) == expected.dump());
  for (const int indent : {1, 2, 4}) CHECK(to_json_text(value, indent) == expected.dump(indent));
}

TEST_CASE("What JSON cannot say is written as what it can") {
  CHECK(to_json_text(std::numeric_limits<double>::infinity(), 0) == "null");
  CHECK(to_json_text(std::numeric_limits<double>::quiet_NaN(), 0) == "null");
  CHECK(to_json_text("byte \xff", 0) == "\"byte \uFFFD\"");  // no UTF-8: the replacement character
  CHECK(to_json_text(JsonValue{}, 2) == "null");
}

}  // namespace
}  // namespace rigplan
