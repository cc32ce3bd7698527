// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/ranking.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "rigplan/search/rank_builds.h"
#include "rigplan/workload/model_library.h"

using namespace rigplan;

namespace {

template <class Entries>
void shuffle_entries(Entries& entries, std::mt19937& order) {
  for (std::size_t i = entries.size(); i > 1; --i) std::swap(entries[i - 1], entries[order() % i]);
}

/// The catalog with what has no order of its own in another one: engines stay, because the first that reads a format is taken.
Catalog shuffled(const Catalog& catalog, unsigned seed) {
  std::mt19937 order{seed};
  auto other = catalog;
  shuffle_entries(other.gpus.entries, order);
  shuffle_entries(other.boards.entries, order);
  shuffle_entries(other.cpus.entries, order);
  shuffle_entries(other.parts.entries, order);
  shuffle_entries(other.hosts.entries, order);
  shuffle_entries(other.architectures.entries, order);
  shuffle_entries(other.prices, order);
  shuffle_entries(other.support, order);
  return other;
}

struct Printed {
  std::string text, json;
};
Printed printed(const Catalog& catalog, Query query, const SearchDepth& depth, const RankingView& view) {
  static ModelLibrary library;
  static const auto calibrations = built_in_calibrations();
  const auto& model = *library.find("qwen2.5-32b");
  const auto report = ranking_report(rank_builds(catalog, model, calibrations, query, depth), view, model, catalog);
  return {ranking_to_text(report), to_json_text(ranking_to_json(report))};
}

}  // namespace

TEST_CASE("The order of catalog entries changes no byte of a ranking", "[report][ranking]") {
  const auto catalog = read_catalog(built_in_catalog_files());
  Query query;
  query.limits.budget = 30'000 * yuan;
  query.schedule = default_schedule(catalog);
  RankingView view;
  view.draws = 50;
  SearchDepth depth;
  SECTION("places") {}
  SECTION("front") {
    depth.pareto = {RankBy::price, RankBy::decode};
    query.by = RankBy::price;
  }
  SECTION("nothing fits") { query.limits.budget = 500 * yuan; }
  const auto before = printed(catalog, query, depth, view);
  for (const unsigned seed : {1U, 2U}) {
    const auto after = printed(shuffled(catalog, seed), query, depth, view);
    CHECK(after.text == before.text);
    CHECK(after.json == before.json);
  }
}
