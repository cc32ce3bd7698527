// SPDX-License-Identifier: Apache-2.0
#include "rigplan/catalog/calibration.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "rigplan/json/cursor.h"

using namespace rigplan;

static Calibration read(const std::string& text) { return read_calibration(Cursor{JsonFile::parse("c.json", text)}); }

static const std::string text = R"({"schema": "rigplan/calibration/1", "family": "speed", "terms": [
  {"name": "layer_time", "unit": "us", "log_mean": 4, "log_spread": 0.4, "offsets": {"engine:a": 0.5, "arch:b": -0.25}}],
  "spreads": [{"kind": "decode", "distance": "known", "low": -0.2, "high": 0.3, "rows": 9},
              {"kind": "decode", "distance": "unknown", "low": -0.4, "high": 0.5}]})";

TEST_CASE("a fitted constant is the exponential of its mean and the offsets of the levels that were seen") {
  const auto calibration = read(text);
  CHECK(calibration.value("layer_time", std::vector<std::string>{"engine:a", "arch:b"}) == Approx(std::exp(4.25)));
  CHECK(calibration.value("layer_time", std::vector<std::string>{"engine:never seen"}) == Approx(std::exp(4.0)));
  CHECK_THROWS_AS(calibration.value("no such term", {}), std::logic_error);
}
TEST_CASE("a spread that was not measured is the widest of its kind") {
  const auto calibration = read(text);
  CHECK(calibration.spread("decode", "known").rows == 9);
  CHECK(calibration.spread("decode", "known-architecture").high == 0.5);
  CHECK(calibration.spread("prefill", "known").low == -0.4);
}
TEST_CASE("a calibration reads back as it was written") {
  const auto calibration = read(text);
  const auto written = to_json_text(calibration_to_json(calibration));
  CHECK(to_json_text(calibration_to_json(read(written))) == written);
}
TEST_CASE("a calibration of another schema is refused") {
  CHECK_THROWS_AS(read(R"({"schema": "rigplan/gpu/1", "family": "speed", "terms": []})"), DataError);
}
