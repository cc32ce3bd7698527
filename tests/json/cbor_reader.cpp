// SPDX-License-Identifier: Apache-2.0
#include "json/cbor_reader.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "rigplan/json/embedded_data.h"
#include "rigplan/json/json_file.h"

namespace rigplan {
namespace {

std::string cbor_of(const std::string& json) {
  const auto bytes = nlohmann::ordered_json::to_cbor(nlohmann::ordered_json::parse(json));
  return {bytes.begin(), bytes.end()};
}

JsonValue parsed(const std::string& json) { return JsonFile::parse("t.json", json).root(); }

TEST_CASE("Every file inside the program says as CBOR what its text says") {
  REQUIRE(embedded_files().size() > 60);
  for (const auto& file : embedded_files()) {
    INFO(file.name);
    CHECK(JsonFile::read(file).root() == JsonFile::parse(std::string{file.name}, std::string{file.text}).root());
  }
}

TEST_CASE("A file inside the program knows its lines") {
  for (const auto& file : embedded_files()) {
    if (file.name != "data/planning.json") continue;
    const auto json = JsonFile::read(file);
    CHECK(json.text() == file.text);
    CHECK(json.place_of(*json.root().find("schema")) == Place{"data/planning.json", 2, "/schema"});
  }
}

TEST_CASE("CBOR on both sides of each length and each width of a number") {
  // RFC 8949, section 3: 23 and below stand in the first byte, 255, 65535 and 2^32 - 1 are the last of 1, 2 and 4 bytes.
  for (const std::string number : {"0",          "23",
                                   "24",         "255",
                                   "256",        "65535",
                                   "65536",      "4294967295",
                                   "4294967296", "9223372036854775807",
                                   "-1",         "-24",
                                   "-25",        "-256",
                                   "-257",       "-9223372036854775808",
                                   "0.5",        "0.1",
                                   "-1e300",     "1.5e9"}) {
    INFO(number);
    CHECK(read_cbor(cbor_of(number)) == parsed(number));
  }
  for (const std::size_t length : {0u, 23u, 24u, 255u, 256u, 65535u, 65536u})
    CHECK(*read_cbor(cbor_of('"' + std::string(length, 'x') + '"')).text() == std::string(length, 'x'));
  for (const std::string json : {R"([])", R"({})", R"([true, false, null])", R"({"b": {"a": [1, {"ü": "显卡"}]}, "a": []})"})
    CHECK(read_cbor(cbor_of(json)) == parsed(json));
}

TEST_CASE("Bytes that no build wrote are refused") {
  const auto whole = cbor_of(R"({"price": [1, "900 yuan", 0.1]})");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    INFO(length);
    CHECK_THROWS_AS(read_cbor(whole.substr(0, length)), std::logic_error);
  }
  CHECK_THROWS_AS(read_cbor(whole + '\0'), std::logic_error);
  CHECK_THROWS_AS(read_cbor("\x9f\xff"), std::logic_error);      // an array without a stated length
  CHECK_THROWS_AS(read_cbor("\x40"), std::logic_error);          // bytes, which JSON does not have
  CHECK_THROWS_AS(read_cbor("\xa1\x01\x01"), std::logic_error);  // a key that is no text
}

}  // namespace
}  // namespace rigplan
