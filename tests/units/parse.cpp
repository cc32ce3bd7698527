// SPDX-License-Identifier: Apache-2.0
#include "rigplan/units/parse.h"

#include <catch2/catch.hpp>
#include <clocale>

using namespace rigplan;

template <class Q>
static double read(std::string_view text, Q unit) {
  const auto result = parse_quantity<Q>(text);
  INFO(text << ": " << (std::holds_alternative<UnitError>(result) ? std::get<UnitError>(result).message : ""));
  REQUIRE(std::holds_alternative<Q>(result));
  return std::get<Q>(result).in(unit);
}
template <class Q>
static std::string refuse(std::string_view text) {
  const auto result = parse_quantity<Q>(text);
  REQUIRE(std::holds_alternative<UnitError>(result));
  return std::get<UnitError>(result).message;
}

TEST_CASE("decimal and binary prefixes are distinct", "[bad-input-55]") {
  CHECK(read("16 GiB", byte) == 16.0 * 1024 * 1024 * 1024);
  CHECK(read("16 GB", byte) == 16e9);
  CHECK(read<Bytes>("16GB", byte) == 16e9);
}
TEST_CASE("bits and bytes are distinct", "[bad-input-56]") {
  CHECK(read("100 Gbit/s", GB_per_s) == Approx(12.5));
  CHECK(read("1.02 TB/s", GB_per_s) == Approx(1020));
}
TEST_CASE("thousands may be grouped by commas, by three digits only") {
  CHECK(read("1,024 GB/s", GB_per_s) == 1024);
  CHECK(refuse<Bandwidth>("1,02 GB/s").find("comma") != std::string::npos);
  CHECK(refuse<Bandwidth>("1,0240 GB/s").find("comma") != std::string::npos);
}
TEST_CASE("money is read as people in China write it") {
  CHECK(read("3,140元", yuan) == 3140);
  CHECK(read("0.3万元", yuan) == Approx(3000));
  CHECK(read("4200 CNY", yuan) == 4200);
}
TEST_CASE("a context may be a bare number or have the suffix k of 1,024") {
  CHECK(read("8192", token) == 8192);
  CHECK(read("8k", token) == 8192);
  CHECK(read("128K", token) == 131072);
}
TEST_CASE("what is not a quantity is refused with what was expected") {
  CHECK(refuse<Bandwidth>("1024") == "\"1024\" has no unit; expected a bandwidth such as \"1024 GB/s\"");
  CHECK(refuse<Watts>("-5 W").find("negative") != std::string::npos);
  CHECK(refuse<Watts>("nan W").find("not a number") != std::string::npos);
  CHECK(refuse<Watts>("inf").find("not a number") != std::string::npos);
  CHECK(refuse<Watts>("1e999 W").find("out of range") != std::string::npos);
  CHECK(refuse<Watts>("350 VA").find("unit \"VA\"") != std::string::npos);
  CHECK(refuse<Bytes>("").find("empty") != std::string::npos);
  CHECK(refuse<Bytes>("16 GiB extra").find("unit") != std::string::npos);
  CHECK(refuse<Bytes>(".").find("not a number") != std::string::npos);
}
TEST_CASE("the locale does not change how numbers are read", "[bad-input-54]") {
  if (!std::setlocale(LC_ALL, "de_DE.UTF-8")) return;
  CHECK(read("0.5 GB", byte) == 5e8);
  std::setlocale(LC_ALL, "C");
}
TEST_CASE("a plain number may group its thousands as a quantity does") {
  CHECK(std::get<double>(parse_number("12,000")) == 12000);
  CHECK(std::get<double>(parse_number("1,234,567.5")) == 1234567.5);
  for (const auto* text : {"1,5", "12,00", ",000", "12,000,", "1,000,00"})
    CHECK(std::holds_alternative<UnitError>(parse_number(text)));
}
TEST_CASE("whole numbers are checked against their bounds") {
  CHECK(std::get<long long>(parse_integer("7", 1, 8)) == 7);
  CHECK(std::get<long long>(parse_integer("8", 1, 8)) == 8);
  CHECK(std::holds_alternative<UnitError>(parse_integer("9", 1, 8)));
  CHECK(std::holds_alternative<UnitError>(parse_integer("0", 1, 8)));
  CHECK(std::holds_alternative<UnitError>(parse_integer("7.5", 1, 8)));
}
