// SPDX-License-Identifier: Apache-2.0
#include "rigplan/json/figure_reader.h"

#include <catch2/catch.hpp>

using namespace rigplan;

static Entry read(const std::string& entry_text) {
  const auto file =
      JsonFile::parse("gpus.json", R"({"sources": {"tpu": {"where": "a page", "date": "2026-02-07"}, "seed": {"where": "a seed"}},
    "gpu": )" + entry_text + "}");
  ObjectReader root{Cursor{file}};
  const SourceTable sources{root.optional("sources")};
  Entry entry;
  FigureReader reader{root.required("gpu"), sources, entry};
  reader.required("vram");
  reader.optional("board_power");
  reader.finish();
  return entry;
}

TEST_CASE("a plain field has the source of its entry") {
  const auto entry = read(R"({"id": "x", "source": "tpu", "vram": "16 GiB"})");
  REQUIRE(find_figure(entry, "vram"));
  CHECK(find_figure(entry, "vram")->sources.all() == std::vector<Source>{{"a page", "2026-02-07"}});
  CHECK(find_figure(entry, "vram")->kind == FigureKind::quoted);
}
TEST_CASE("a field may have its own source, and conflicting statements stay visible") {
  const auto entry = read(R"({"id": "x", "source": "tpu", "vram": "16 GiB",
    "board_power": {"value": "250 W", "kind": "measured", "source": "seed", "also": [{"value": "300 W", "source": "tpu"}]}})");
  const auto* power = find_figure(entry, "board_power");
  REQUIRE(power);
  CHECK(power->kind == FigureKind::measured);
  CHECK(power->sources.all().front().where == "a seed");
  CHECK(power->also.front().value == "300 W");
}
TEST_CASE("a field without any source is an error") { CHECK_THROWS_AS(read(R"({"id": "x", "vram": "16 GiB"})"), DataError); }
TEST_CASE("a source that the file does not list is an error") {
  CHECK_THROWS_WITH(read(R"({"id": "x", "source": "tpo", "vram": "16 GiB"})"), Catch::Contains("did you mean \"tpu\""));
}
