// SPDX-License-Identifier: Apache-2.0
#include "rigplan/json/cursor.h"

#include <catch2/catch.hpp>
#include <functional>

using namespace rigplan;

static std::string error_of(const std::string& text, const std::function<void(Cursor)>& read) {
  const auto file = JsonFile::parse("rig.json", text);
  try {
    read(Cursor{file});
  } catch (const DataError& error) {
    return error.what();
  }
  return "accepted";
}

TEST_CASE("a quantity without unit names file, line, pointer and what was expected") {
  CHECK(error_of("{\n \"vram_bandwidth\": 1024\n}", [](Cursor at) {
          ObjectReader{at}.required("vram_bandwidth").quantity<Bandwidth>();
        }) == "rig.json:2: /vram_bandwidth: \"1024\" has no unit; expected a bandwidth such as \"1024 GB/s\"");
}
TEST_CASE("an unknown key is an error and suggests the nearest one") {
  CHECK(error_of("{\n \"vrma\": \"1 GiB\"\n}", [](Cursor at) {
          ObjectReader object{at};
          object.optional("vram");
          object.finish();
        }) == "rig.json:2: /vrma: has the unknown key \"vrma\"; did you mean \"vram\"?");
}
TEST_CASE("null means unknown for what is optional and missing for what is required") {
  const std::string text = "{\"a\": null}";
  CHECK(error_of(text, [](Cursor at) { CHECK_FALSE(ObjectReader{at}.optional("a").has_value()); }) == "accepted");
  CHECK(error_of(text, [](Cursor at) { ObjectReader{at}.required("a"); }) == "rig.json:1: has no \"a\"");
}
TEST_CASE("numbers are held within their bounds") {
  const auto within = [](Cursor at) { ObjectReader{at}.required("n").integer(1, 8); };
  CHECK(error_of("{\"n\": 8}", within) == "accepted");
  CHECK(error_of("{\"n\": 9}", within).find("from 1 to 8") != std::string::npos);
  CHECK(error_of("{\"n\": 1.5}", within).find("whole number") != std::string::npos);
}
