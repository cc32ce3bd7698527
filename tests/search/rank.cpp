// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/rank.h"

#include <catch2/catch.hpp>

using namespace rigplan;

namespace {

/// A build of `cards` cards that costs `price` and sustains `tflops`.
Candidate build(const std::string& gpu, int cards, double price, double tflops) {
  Candidate candidate;
  candidate.gpu = gpu;
  candidate.cards = cards;
  candidate.purchase.total = Range<Yuan>::exactly(price * yuan);
  candidate.cost.purchase = candidate.purchase.total;
  candidate.best.fits = true;
  candidate.best.usable = Range<FlopRate>::exactly(tflops * TFLOP_per_s);
  candidate.best.tokens = Range<TokenRate>::exactly(tflops * token_per_s);
  candidate.merit =
      merit_of(candidate.cost,
               {.usable = candidate.best.usable, .peak = {}, .tokens = candidate.best.tokens, .loaded = hour, .vram = GiB});
  return candidate;
}

}  // namespace

TEST_CASE("Builds stand by yuan per usable TFLOP/s, equal ones in the order in which they came") {
  // 1,000 / 1 = 1,000; 3,000 / 6 = 500; 500 / 1 = 500; 900 / 0.5 = 1,800
  const auto ranking = rank({build("a", 1, 1000, 1), build("b", 1, 3000, 6), build("c", 1, 500, 1), build("d", 1, 900, 0.5)}, {});
  REQUIRE(ranking.ranked.size() == 4);
  CHECK(ranking.ranked[0].gpu == "b");
  CHECK(ranking.ranked[1].gpu == "c");
  CHECK(ranking.ranked[2].gpu == "a");
  CHECK(ranking.ranked[3].gpu == "d");
  CHECK(ranking.candidates == 4);
}

TEST_CASE("Other measures: the cheapest first, the fastest first") {
  const std::vector<Candidate> builds{build("a", 1, 1000, 1), build("b", 1, 3000, 6), build("c", 1, 500, 1)};
  Query query;
  query.by = RankBy::price;
  CHECK(rank(builds, query).ranked.front().gpu == "c");
  query.by = RankBy::usable;
  CHECK(rank(builds, query).ranked.front().gpu == "b");
}

TEST_CASE("A limit is kept exactly at its value and broken one above, and the reason names the figures") {
  Limits limits;
  limits.budget = 1000 * yuan;
  auto at = build("a", 1, 1000, 1), above = build("a", 1, 1001, 1);
  apply_limits(at, limits, false);
  apply_limits(above, limits, false);
  CHECK(at.misfit == Misfit::none);
  CHECK(above.misfit == Misfit::budget);
  CHECK(above.why_not == "1 yuan over the budget");

  auto slow = build("a", 1, 10, 7);
  limits.min_tokens = 8 * token_per_s;
  apply_limits(slow, limits, false);
  CHECK(slow.misfit == Misfit::speed);
  CHECK(slow.why_not == "7 token/s, 8 token/s asked for");
}

TEST_CASE("What does not fit is kept with its reason") {
  auto large = build("a", 1, 10, 1);
  large.misfit = Misfit::memory;
  large.why_not = "misses 2 GiB";
  const auto ranking = rank({large, build("b", 1, 10, 1)}, {});
  CHECK(ranking.ranked.size() == 1);
  REQUIRE(ranking.rejected.size() == 1);
  CHECK(ranking.rejected.front().why_not == "misses 2 GiB");
}

TEST_CASE("A build is beaten by one ahead, of the same cards, that is no dearer and no slower, never by other cards") {
  const std::vector<Candidate> builds{build("a", 2, 1000, 1), build("a", 2, 1200, 1), build("a", 2, 1500, 2),
                                      build("a", 3, 1300, 1), build("b", 2, 2000, 1)};
  std::vector<const Candidate*> all;
  for (const auto& one : builds) all.push_back(&one);
  CHECK(dominated(all) == std::vector<bool>{false, true, false, false, false});
  // In a ranking by purchase alone the first may cost more over the horizon, and is still the answer to what was asked.
  std::swap(all[0], all[1]);
  CHECK(dominated(all) == std::vector<bool>{false, false, false, false, false});
}
