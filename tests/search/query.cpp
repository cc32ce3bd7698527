// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/query.h"

#include <catch2/catch.hpp>

using namespace rigplan;

TEST_CASE("A pattern without wildcards matches a part of a name, one with wildcards the whole of it") {
  CHECK(matches_pattern("RTX 3090", "3090"));
  CHECK(matches_pattern("rtx-3090", "RTX-30"));
  CHECK_FALSE(matches_pattern("rtx-4090", "3090"));
  CHECK(matches_pattern("rtx-3090", "rtx-*"));
  CHECK(matches_pattern("rtx-3090", "*30?0"));
  CHECK_FALSE(matches_pattern("rtx-3090-ti", "rtx-30?0"));
  CHECK(matches_pattern("mi50-32gb", "mi*gb"));
  CHECK(matches_pattern("anything", "*"));
}

TEST_CASE("There is a name for every measure") {
  CHECK(rank_names().size() == static_cast<std::size_t>(RankBy::vram) + 1);
  CHECK(rank_keys().size() == rank_names().size());
}
