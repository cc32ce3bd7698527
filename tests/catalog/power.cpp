// SPDX-License-Identifier: Apache-2.0
#include "rigplan/catalog/power.h"

#include <catch2/catch.hpp>

#include "catalog/shipped.h"
#include "rigplan/json/data_error.h"

using namespace rigplan;

namespace {

Catalog read_one(const std::string& family, const std::string& fields) {
  const std::vector<CatalogFile> files{{"power.json", R"({"schema": "rigplan/)" + family +
                                                          R"(/1", "sources": {"table": {"where": "a table"}}, ")" + family +
                                                          R"(": [{"id": "one", "source": "table", )" + fields + "}]}"}};
  return read_catalog(files);
}

}  // namespace

TEST_CASE("efficiency rises with the rating at every load that all of them state") {
  const auto& curves = shipped_catalog().efficiencies;
  const char* const ratings[] = {"80 PLUS Bronze", "80 PLUS Silver", "80 PLUS Gold", "80 PLUS Platinum", "80 PLUS Titanium"};
  for (std::size_t i = 0; i < std::size(ratings); ++i) {
    const auto* curve = curves.find(ratings[i]);
    REQUIRE(curve);
    REQUIRE(curve->points.size() == 4);
    if (i == 0) continue;
    const auto* below = curves.find(ratings[i - 1]);
    for (std::size_t p = 0; p < 4; ++p) {
      CAPTURE(curve->id, p);
      CHECK(curve->points[p].load == below->points[p].load);
      CHECK(curve->points[p].efficiency > below->points[p].efficiency);
    }
  }
  // 80 PLUS Titanium at 230 V: 90, 94, 96 and 94 % at 10, 20, 50 and 100 % load.
  CHECK(curves.find("80-plus-titanium")->points[2].efficiency == 0.96);
}

TEST_CASE("a tariff's average lies between its dearest and cheapest hours, and is their mean where the hours are known") {
  for (const auto& tariff : shipped_catalog().tariffs.entries) {
    CAPTURE(tariff.id);
    double shares = 0;
    YuanPerJoule mean;
    for (const auto& band : tariff.bands) {
      shares += band.share;
      mean += band.share * band.price;
    }
    if (shares > 0) CHECK(mean.in(yuan_per_kWh) == Approx(tariff.average.in(yuan_per_kWh)).epsilon(0.05));
    CHECK(tariff.average > 0.2 * yuan_per_kWh);
    CHECK(tariff.average < 2 * yuan_per_kWh);
  }
}

TEST_CASE("a circuit carries four fifths of volts times amperes, three phases the root of three as much") {
  const auto& circuits = shipped_catalog().circuits;
  REQUIRE(circuits.find("cn-220v-16a"));
  CHECK(circuits.find("cn-220v-16a")->continuous.in(watt) == Approx(0.8 * 220 * 16));
  REQUIRE(circuits.find("cn-380v-32a-3p"));
  CHECK(circuits.find("cn-380v-32a-3p")->continuous.in(watt) == Approx(0.8 * 1.7320508 * 380 * 32).epsilon(1e-4));
}

TEST_CASE("power data that cannot be is refused") {
  CHECK_THROWS_WITH(read_one("efficiencies", R"("points": [{"load": 0.5, "efficiency": 0.9}, {"load": 0.2, "efficiency": 0.9}])"),
                    Catch::Contains("does not rise"));
  CHECK_THROWS_WITH(read_one("efficiencies", R"("points": [{"load": 50, "efficiency": 0.9}])"), Catch::Contains("from 0 to 1"));
  CHECK_THROWS_WITH(
      read_one("tariffs", R"("average": "0.6 yuan/kWh", "bands": [{"name": "peak", "price": "1 yuan/kWh", "share": 0.5}])"),
      Catch::Contains("expected 1"));
  CHECK_THROWS_WITH(read_one("tariffs", R"("average": "0.6 yuan")"), Catch::Contains("an electricity price"));
  CHECK_THROWS_AS(read_one("circuits", R"("volts": 220, "amperes": 10, "continuous": "2.3 kW")"), DataError);
  CHECK_NOTHROW(read_one("circuits", R"("volts": 220, "amperes": 10, "continuous": "2.2 kW")"));
  CHECK_THROWS_WITH(read_one("circuits", R"("volts": 220, "amperes": 10, "phases": 2, "continuous": "1 kW")"),
                    Catch::Contains("expected 1 or 3"));
  CHECK_THROWS_AS(read_one("sites", R"("pue": [1.3, 1.2, 1.4])"), DataError);
  CHECK_NOTHROW(read_one("sites", R"("pue": [1.2, 1.3, 1.4])"));
}
