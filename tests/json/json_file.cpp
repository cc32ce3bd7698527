// SPDX-License-Identifier: Apache-2.0
#include "rigplan/json/json_file.h"

#include <catch2/catch.hpp>

using namespace rigplan;

static std::string message_of(std::string text, JsonComments comments = JsonComments::refused) {
  try {
    JsonFile::parse("a.json", std::move(text), comments);
  } catch (const DataError& error) {
    return error.what();
  }
  return "accepted";
}

TEST_CASE("members keep their order", "[bad-input-44]") {
  const auto file = JsonFile::parse("a.json", R"({"b": 1, "a": [true, null, "x", 1.5]})");
  REQUIRE(file.root().members());
  CHECK(file.root().members()->front().key == "b");
  CHECK(file.root().find("a")->elements()->size() == 4);
}
TEST_CASE("a key that stands twice is an error that names both lines", "[bad-input-41]") {
  CHECK(message_of("{\n \"gpus\": [\n  {\"id\": 1,\n   \"vram\": 2,\n   \"vram\": 3}\n ]\n}") ==
        "a.json:5: /gpus/0/vram: the key \"vram\" stands twice, first on line 4");
}
TEST_CASE("a syntax error names its line and the value that was being read") {
  CHECK(message_of("{\n \"a\": [1, {\"b\": 2 3}]\n}").rfind("a.json:2: /a/1: syntax error", 0) == 0);
  CHECK(message_of("{\n \"a\": [1, x]\n}").rfind("a.json:2: /a/1: syntax error", 0) == 0);
  CHECK(message_of("").rfind("a.json:1: syntax error", 0) == 0);
}
TEST_CASE("a trailing comma, NaN and a comment are told in words", "[bad-input-38][bad-input-39]") {
  CHECK(message_of("{\n \"a\": 1,\n}") == "a.json:3: a comma stands before the closing }; take it away");
  CHECK(message_of("[[1, 2\n, ] ]") == "a.json:2: /0/2: a comma stands before the closing ]; take it away");
  CHECK(message_of("[1,2}").find("comma") == std::string::npos);
  for (const std::string word : {"NaN", "Infinity", "-Infinity"})
    CHECK(message_of("{\n \"a\": " + word + "\n}") ==
          "a.json:2: /a: " + word + " is not a number of JSON; write null for what is not known");
  CHECK(message_of("{\n // why\n \"a\": 1}") == "a.json:2: has a comment; this file has to be plain JSON");
  CHECK(message_of("{\n /* why", JsonComments::allowed).find("has a comment") == std::string::npos);
}
TEST_CASE("nesting is accepted to 64 levels and no deeper", "[bad-input-42]") {
  CHECK(message_of(std::string(64, '[') + std::string(64, ']')) == "accepted");
  CHECK(message_of(std::string(65, '[') + std::string(65, ']')).find("deeper than 64") != std::string::npos);
  CHECK(message_of(std::string(100000, '[')).find("deeper than 64") != std::string::npos);
}
TEST_CASE("a byte order mark is skipped", "[bad-input-40]") { CHECK(message_of("\xEF\xBB\xBF{}") == "accepted"); }
TEST_CASE("text that is not UTF-8 says so", "[bad-input-45]") {
  CHECK(message_of("{\"a\": \"\xB0\xA1\"}").find("UTF-8") != std::string::npos);
}
TEST_CASE("a number that no double holds is an error", "[bad-input-43]") { CHECK(message_of("{\"a\": 1E400}") != "accepted"); }
TEST_CASE("comments are for files that people write") {
  CHECK(message_of("{ // why\n}", JsonComments::allowed) == "accepted");
  CHECK(message_of("{ // why\n}") != "accepted");
}
TEST_CASE("the place of a value is its line and pointer") {
  const auto file = JsonFile::parse("a.json", "{\n \"a\": [\n  1,\n  {\"b/c\": 2}\n ]\n}");
  const auto& value = *(*file.root().find("a")->elements())[1].find("b/c");
  CHECK(file.place_of(value) == Place{"a.json", 4, "/a/1/b~1c"});
}
TEST_CASE("what is written is read back equal") {
  auto value = JsonValue::object();
  value.set("x", 0.1).set("list", JsonValue::array().push(1).push("é").push(nullptr).push(true));
  CHECK(JsonFile::parse("a", to_json_text(value)).root() == value);
}
