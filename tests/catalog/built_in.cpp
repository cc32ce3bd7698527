// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <set>

#include "rigplan/catalog/catalog.h"

using namespace rigplan;

static const Catalog& built_in() {
  static const Catalog catalog = read_catalog(built_in_catalog_files());
  return catalog;
}

TEST_CASE("the built-in catalog has at least a hundred cards, each with its own id") {
  const auto ids = built_in().gpus.ids();
  CHECK(ids.size() >= 100);
  CHECK(std::set<std::string>(ids.begin(), ids.end()).size() == ids.size());
}
