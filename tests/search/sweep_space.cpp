// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/sweep_space.h"

#include <catch2/catch.hpp>
#include <set>
#include <stdexcept>

using namespace rigplan;

namespace {

SweepAxis axis(const std::string& text, bool tokens = false) {
  auto parsed = parse_axis(text, [&](std::string_view) { return tokens; });
  if (const auto* error = std::get_if<AxisError>(&parsed)) FAIL(error->message);
  return std::get<SweepAxis>(parsed);
}

std::vector<std::string> values(const std::string& text, bool tokens = false) {
  const auto parsed = axis("x=" + text, tokens);
  std::vector<std::string> texts;
  for (std::int64_t i = 0; i < parsed.size(); ++i) texts.push_back(parsed.values.front().text(i));
  return texts;
}

std::string fault(const std::string& text, bool tokens = false) {
  const auto parsed = parse_axis(text, [&](std::string_view) { return tokens; });
  const auto* error = std::get_if<AxisError>(&parsed);
  return error ? error->message : "none";
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("An axis is a list, a range with steps, or both") {
  CHECK(values("2,4,8") == Texts{"2", "4", "8"});
  CHECK(values("1..4") == Texts{"1", "2", "3", "4"});
  CHECK(values("100..200+25") == Texts{"100", "125", "150", "175", "200"});
  CHECK(values("100..199+25") == Texts{"100", "125", "150", "175"});  // never beyond the end
  CHECK(values("8k..128k*2", true) == Texts{"8192", "16384", "32768", "65536", "131072"});
  CHECK(values("512..2k*2", true) == Texts{"512", "1024", "2048"});
  CHECK(values("1, 8..32*2 ,100") == Texts{"1", "8", "16", "32", "100"});
  CHECK(values("Q4_K_M,Q8_0") == Texts{"Q4_K_M", "Q8_0"});
  CHECK(values("../a.json") == Texts{"../a.json"});
  CHECK(values("7..7") == Texts{"7"});
}
TEST_CASE("Steps of a tenth do not drift") {
  CHECK(values("0.1..1+0.1") == Texts{"0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"});
}
TEST_CASE("A range keeps the unit of its ends") {
  CHECK(values("20000..30000 yuan+5000") == Texts{"20000 yuan", "25000 yuan", "30000 yuan"});
  CHECK(values("1..4 mo*2") == Texts{"1 mo", "2 mo", "4 mo"});
  CHECK(values("8k", false) == Texts{"8k"});  // only tokens are counted in k
}
TEST_CASE("Nonsense is refused with its reason") {
  CHECK(fault("cards").find("not of the form") != std::string::npos);
  CHECK(fault("=3").find("not of the form") != std::string::npos);
  CHECK(fault("x=").find("empty value") != std::string::npos);
  CHECK(fault("x=1,,2").find("empty value") != std::string::npos);
  CHECK(fault("x=8..4").find("backwards") != std::string::npos);
  CHECK(fault("x=1..4+0").find("never arrives") != std::string::npos);
  CHECK(fault("x=1..4*1").find("never arrives") != std::string::npos);
  CHECK(fault("x=0..4*2").find("never arrives") != std::string::npos);
  CHECK(fault("x=1..nan").find("not a range") != std::string::npos);
  CHECK(fault("x=1..inf").find("not a range") != std::string::npos);
  CHECK(fault("x=1 mo..3 h").find("mixes the units") != std::string::npos);
  CHECK(fault("x=1..1e300").find("more than") != std::string::npos);
  CHECK(fault("a,b=1:2,3").find("1 values for 2 linked fields") != std::string::npos);
}
TEST_CASE("Linked fields move together") {
  const auto linked = axis("cards,users=2:1,4:8");
  CHECK(linked.fields == Texts{"cards", "users"});
  REQUIRE(linked.size() == 2);
  CHECK(linked.values[0].text(1) == "4");
  CHECK(linked.values[1].text(1) == "8");
}
TEST_CASE("Points count through all combinations, the last axis fastest, each once") {
  const SweepSpace space{{axis("a=1..3"), axis("b=1,2"), axis("c=1..4")}};
  REQUIRE(space.points() == 24);
  std::vector<std::int64_t> at;
  space.coordinates(0, at);
  CHECK(at == std::vector<std::int64_t>{0, 0, 0});
  space.coordinates(1, at);
  CHECK(at == std::vector<std::int64_t>{0, 0, 1});
  space.coordinates(23, at);
  CHECK(at == std::vector<std::int64_t>{2, 1, 3});
  std::set<std::vector<std::int64_t>> seen;
  for (std::int64_t point = 0; point < space.points(); ++point) {
    space.coordinates(point, at);
    seen.insert(at);
  }
  CHECK(seen.size() == 24);
}
TEST_CASE("A space without axes has one point, and one too large for exact numbers is refused") {
  CHECK(SweepSpace{{}}.points() == 1);
  CHECK(SweepSpace{{axis("a=1..1000000"), axis("b=1..1000000")}}.points() == 1'000'000'000'000);
  CHECK_THROWS_AS(SweepSpace({axis("a=1..1000000"), axis("b=1..1000000"), axis("c=1..1000000")}), std::overflow_error);
}
TEST_CASE("Shards lie one behind the other and cover everything, whatever their number") {
  const auto points =
      GENERATE(std::int64_t{0}, std::int64_t{1}, std::int64_t{6}, std::int64_t{1000}, std::int64_t{9007199254740992});
  const auto shards = GENERATE(1, 2, 3, 7, 1000);
  std::int64_t end = 0;
  for (int i = 1; i <= shards; ++i) {
    const auto part = shard_of(points, i, shards);
    CHECK(part.begin == end);
    CHECK(part.end >= part.begin);
    CHECK(part.end - part.begin <= points / shards + 1);
    end = part.end;
  }
  CHECK(end == points);
}
