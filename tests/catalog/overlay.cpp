// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "rigplan/catalog/catalog.h"
#include "rigplan/json/data_error.h"

using namespace rigplan;

static Catalog with(const std::string& text, std::vector<Override> overrides = {}) {
  auto files = built_in_catalog_files();
  if (!text.empty()) files.push_back({"mine.json", text});
  return read_catalog(files, overrides);
}

static std::string refusal(const std::string& path, const std::string& value) {
  try {
    with("", {{path, value}});
  } catch (const DataError& error) {
    return error.what();
  }
  return "accepted";
}

TEST_CASE("a user's file replaces only the fields that it states, and names itself as their source") {
  const auto before = *with("").gpus.find("rtx-3090");
  const auto catalog = with(R"({"schema": "rigplan/gpus/1", "gpus": [{"id": "rtx-3090", "board_power": "280 W"}]})");
  const auto& card = *catalog.gpus.find("rtx-3090");
  CHECK(card.board_power == 280 * watt);
  CHECK(card.vram == before.vram);
  CHECK(card.overlays == 1);
  CHECK(card.file == before.file);
  CHECK(card.figures.size() == before.figures.size());
  CHECK(find_figure(card, "board_power")->sources.all() == std::vector<Source>{{"mine.json", ""}});
  CHECK(find_figure(card, "vram")->sources == find_figure(before, "vram")->sources);
}

TEST_CASE("a new card in a user's file must say where its figures come from") {
  const auto file = [](const std::string& source) {
    return R"({"schema": "rigplan/gpus/1", "sources": {"s": {"where": "a test bench"}}, "gpus": [{"id": "my-card", )" + source +
           R"("vendor": "nvidia", "architecture": "sm_86", "vram": "12 GiB", "vram_bandwidth": "360 GB/s"}]})";
  };
  CHECK(with(file(R"("source": "s", )")).gpus.find("my-card")->vram == 12 * GiB);
  CHECK_THROWS_WITH(with(file("")), Catch::Contains("has no source"));
}

TEST_CASE("--set changes one field of one entry") {
  const auto catalog = with("", {{"gpus.mi50-32gb.board_power", "190 W"}, {"gpus.mi50-32gb.disputed", "true"}});
  CHECK(catalog.gpus.find("mi50-32gb")->board_power == 190 * watt);
  CHECK(catalog.gpus.find("mi50-32gb")->disputed);
  CHECK(catalog.gpus.find("mi50-32gb")->overlays == 2);
}

TEST_CASE("--set of a price puts one row in the place of all others") {
  const auto catalog = with("", {{"gpus.mi50-32gb.price", "900 yuan"}});
  REQUIRE(catalog.price_rows("mi50-32gb").size() == 1);
  const auto price = catalog.price("mi50-32gb");
  REQUIRE(price);
  CHECK(price->range == Range<Yuan>::exactly(900 * yuan));
  CHECK_FALSE(price->stale);
}

TEST_CASE("a wrong --set says what is wrong and what is near") {
  CHECK(refusal("gpus.mi50-32g.vram", "32 GiB") ==
        "--set: gpus.mi50-32g.vram=32 GiB: no \"mi50-32g\" in gpus; did you mean \"mi50-32gb\"?");
  CHECK_THAT(refusal("cards.mi50-32gb.vram", "32 GiB"), Catch::Contains("no family \"cards\"; expected one of gpus, "));
  CHECK_THAT(refusal("gpus.mi50-32gb.vram", "32"), Catch::Contains("\"32\" has no unit") || Catch::Contains("32 has no unit"));
  CHECK_THAT(refusal("gpus.mi50-32gb.vrm", "32 GiB"), Catch::Contains("unknown key \"vrm\"; did you mean \"vram\"?"));
  CHECK_THAT(refusal("gpus.mi50-32gb.price", "900"), Catch::Contains("has no unit"));
  CHECK_THAT(refusal("gpus.mi50-32gb.price", "900 XYZ"), Catch::Contains("XYZ"));
  CHECK_THAT(refusal("mi50-32gb", "900 yuan"), Catch::Contains("is not a path"));
}
