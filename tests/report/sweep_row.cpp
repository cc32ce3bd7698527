// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/sweep_row.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "rigplan/json/json_file.h"
#include "rigplan/report/result.h"

using namespace rigplan;

namespace {

const std::vector<std::string> fields{"context", "quant"};

SweepRow sample_row(std::int64_t point, std::mt19937& random) {
  std::uniform_real_distribution<double> exponent{-20, 20};
  SweepRow row;
  row.point = point;
  row.axis_values = {std::to_string(random() % 100000), "Q\"4\", K"};
  row.fits = random() % 2 == 0;
  row.reason = row.fits ? "" : "misses 1.5 GiB, \"much\"";
  row.plan = "layer split 2";
  for (auto& number : row.numbers) number = std::pow(10, exponent(random));
  return row;
}

}  // namespace

TEST_CASE("A line of JSON gives every number back to the last bit, under the names of the columns") {
  std::mt19937 random{3};
  SweepLines lines{fields};
  for (int i = 0; i < 200; ++i) {
    const auto row = sample_row(i, random);
    std::string line;
    lines.append_json(row, line);
    REQUIRE(line.back() == '\n');
    const auto flat = flat_fields(JsonFile::parse("line", line).root());
    const auto names = sweep_column_names(fields);
    REQUIRE(flat.size() == names.size());
    for (std::size_t c = 0; c < names.size(); ++c) CHECK(flat[c].first == names[c]);
    CHECK(*flat[0].second.integer() == i);
    CHECK(*flat[2].second.text() == row.axis_values[1]);
    for (std::size_t n = 0; n < sweep_number_count; ++n) {
      const auto& value = flat[names.size() - sweep_number_count + n].second;
      const double read = value.integer() ? static_cast<double>(*value.integer()) : *value.real();
      CHECK(read == row.numbers[n]);
    }
  }
}
TEST_CASE("A line depends on its row alone, not on the rows before it") {
  std::mt19937 random{5};
  std::vector<SweepRow> rows;
  for (int i = 0; i < 50; ++i) rows.push_back(sample_row(i, random));
  rows[7].numbers = rows[6].numbers;
  SweepLines together{fields};
  for (const auto& row : rows) {
    std::string one, other;
    together.append_csv(row, one);
    SweepLines{fields}.append_csv(row, other);
    CHECK(one == other);
    one.clear();
    other.clear();
    together.append_json(row, one);
    SweepLines{fields}.append_json(row, other);
    CHECK(one == other);
  }
}
TEST_CASE("What is unknown is null in JSON, nothing in CSV, and never a number") {
  SweepRow row;
  row.axis_values = {"8192", "Q4_K_M"};
  fill_failed_row("no card\nat all", row);
  SweepLines lines{fields};
  std::string json, csv;
  lines.append_json(row, json);
  lines.append_csv(row, csv);
  CHECK(json.starts_with(R"({"point":0,"context":8192,"quant":"Q4_K_M","fits":false,"reason":"no card at all","plan":null,)"));
  CHECK(json.find("\"price_yuan\":null") != std::string::npos);
  CHECK(json.find("nan") == std::string::npos);
  CHECK(csv == "0,8192,Q4_K_M,false,no card at all,,," + std::string(sweep_number_count - 1, ',') + "\n");
}
TEST_CASE("An axis value is a number only where it is written as one") {
  CHECK(axis_value_json("8192") == "8192");
  CHECK(axis_value_json("0.5") == "0.5");
  for (const auto* text : {"007", "1e3", "1.", ".5", "nan", "inf", "8k", ""})
    CHECK(axis_value_json(text) == "\"" + std::string{text} + "\"");
}
