// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/pareto.h"

#include <catch2/catch.hpp>
#include <set>

#include "search_world.h"

using namespace rigplan;

TEST_CASE("One build beats another when it is no worse in all measures and better in one", "[search][pareto]") {
  CHECK(beats({1, 2}, {1, 3}));
  CHECK_FALSE(beats({1, 2}, {1, 2}));
  CHECK_FALSE(beats({1, 3}, {2, 2}));
  CHECK_FALSE(beats({2, 2}, {1, 3}));
  CHECK(beats({1, 2, 3}, {1, 2, 4}));
}

TEST_CASE("The front found with bounds is the front of a look at every build", "[search][pareto]") {
  const auto measures =
      GENERATE(std::vector{RankBy::price, RankBy::decode}, std::vector{RankBy::yuan_per_usable_tflop, RankBy::vram},
               std::vector{RankBy::price, RankBy::prefill, RankBy::watts}, std::vector{RankBy::cost, RankBy::usable});
  auto query = small_question({"mi50-32gb", "rtx-3090", "v100-sxm2-16gb", "p40"});
  query.job.users = 4;
  query.by = measures.front();
  const auto& shape = known_model("qwen2.5-14b");
  const auto all = rank_builds(whole_catalog(), shape, fitted(), query, {.places = 0, .rejected = true, .pareto = measures});
  const auto some = rank_builds(whole_catalog(), shape, fitted(), query, {.places = 0, .rejected = false, .pareto = measures});

  // Every pair of builds compared, without the function under test.
  std::set<std::string> expected;
  for (const auto& mine : all.ranked) {
    const auto a = measure_values(mine, measures);
    bool beaten = false;
    for (const auto& other : all.ranked) {
      const auto b = measure_values(other, measures);
      bool no_worse = true, better = false;
      for (std::size_t i = 0; i < a.size(); ++i) {
        no_worse = no_worse && b[i] <= a[i];
        better = better || b[i] < a[i];
      }
      beaten = beaten || (no_worse && better);
    }
    if (!beaten) expected.insert(name_of(mine));
  }
  std::set<std::string> found;
  for (std::size_t i = 0; i < some.ranked.size(); ++i)
    if (some.on_front[i]) found.insert(name_of(some.ranked[i]));
  CHECK(found == expected);
  CHECK(found.size() > 1);
  CHECK(some.looked_at < all.looked_at);
}
