// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/fit.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace rigplan;

namespace {

/// Times of a machine that needs `a` seconds and `b` seconds a unit, twice as many a unit on cards called "slow".
std::vector<Measurement> times() {
  std::vector<Measurement> rows;
  for (const char* gpu : {"fast", "slow"})
    for (const int units : {1, 2, 4, 8, 16, 32}) {
      Measurement m;
      m.id = gpu + std::to_string(units);
      m.gpu = gpu;
      m.batch = units;
      m.value = 3 + (m.gpu == "slow" ? 2 : 1) * units;
      rows.push_back(m);
    }
  return rows;
}

std::vector<FitRow> fit_rows(const std::vector<Measurement>& measurements) {
  std::vector<FitRow> rows;
  for (const auto& m : measurements)
    rows.push_back({&m, 1, {"card:" + m.gpu, "engine:x|card:" + m.gpu}, [units = *m.batch](std::span<const double> c) {
                      return c[0] + c[1] * units;
                    }});
  return rows;
}

const std::vector<FitTerm> terms{{"fixed", "s", 1, 3, {}}, {"unit", "s", 1, 3, {{"card", 1}}}};
constexpr std::string_view kinds[] = {"card"};

}  // namespace

TEST_CASE("the kind of a level names its parts") {
  CHECK(level_kind("engine:vllm-cuda") == "engine");
  CHECK(level_kind("engine:vllm-cuda|family:ada") == "engine|family");
  CHECK(level_kind("engine:vllm-cuda|recurrent") == "engine|recurrent");
}
TEST_CASE("a fit finds the constants behind exact rows") {
  const auto measurements = times();
  const auto rows = fit_rows(measurements);
  const auto calibration = fit_calibration("test", terms, rows, kinds);
  CHECK(calibration.value("fixed", {}) == Approx(3).epsilon(0.02));
  CHECK(calibration.value("unit", std::vector<std::string>{"card:slow"}) == Approx(2).epsilon(0.02));
  CHECK(calibration.value("unit", std::vector<std::string>{"card:fast"}) == Approx(1).epsilon(0.02));
  CHECK(calibration.known == std::set<std::string, std::less<>>{"card:fast", "card:slow"});
}
TEST_CASE("one row that is off by ten hardly moves a robust fit") {
  auto measurements = times();
  measurements[2].value *= 10;
  const auto rows = fit_rows(measurements);
  CHECK(fit_calibration("test", terms, rows, kinds).value("unit", std::vector<std::string>{"card:slow"}) ==
        Approx(2).epsilon(0.05));
}
TEST_CASE("a level that was left out is predicted from the mean of the others") {
  const auto measurements = times();
  const auto rows = fit_rows(measurements);
  const auto held_out = cross_validate(
      "test", terms, rows, kinds, [](const Measurement& m) { return m.gpu; }, 2,
      [](const Calibration& c, const FitRow& row) { return std::string{c.known.contains(row.levels[0]) ? "known" : "unknown"}; });
  REQUIRE(held_out.size() == rows.size());
  for (const auto& row : held_out) CHECK(row.distance == "unknown");
  // 32 units on the slow card, seen from the fast one: 3 + 32, not 3 + 64.
  for (const auto& row : held_out)
    if (row.row->row->id == "slow32") CHECK(row.predicted == Approx(35).epsilon(0.15));
}
TEST_CASE("a cluster of sixteen rows weighs as much as eight single ones") {
  std::vector<Measurement> measurements(17);
  for (std::size_t i = 0; i < 16; ++i) measurements[i].source = "table";
  std::vector<FitRow> rows;
  for (const auto& m : measurements) rows.push_back({&m, 1, {}, nullptr});
  weigh_by_cluster(rows, [](const Measurement& m) { return m.source; });
  CHECK(rows[0].weight == Approx(0.5));  // 16^-0.25
  CHECK(rows[16].weight == 1);
}
