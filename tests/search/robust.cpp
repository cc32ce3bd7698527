// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/robust.h"

#include <catch2/catch.hpp>
#include <numeric>

#include "search/priced_build.h"
#include "search_world.h"

using namespace rigplan;

namespace {

/// A build of one card of a kind whose price has a range, and nothing else.
Candidate lone_card(const std::string& gpu, Range<Yuan> price, Range<TokenRate> rate) {
  Candidate candidate;
  candidate.gpu = gpu;
  candidate.cards = 1;
  candidate.purchase.lines.push_back({.kind = BillKind::card, .item = gpu, .each = price});
  candidate.purchase.total = price;
  candidate.cost.purchase = price;
  candidate.best.fits = true;
  candidate.best.tokens = rate;
  candidate.best.usable = map_range(rate, [](TokenRate r) { return r.in(token_per_s)*TFLOP_per_s; });
  candidate.merit =
      merit_of(candidate.cost, {.usable = candidate.best.usable, .peak = {}, .tokens = rate, .loaded = hour, .vram = GiB});
  return candidate;
}

Range<TokenRate> steady(double rate) { return Range<TokenRate>::exactly(rate * token_per_s); }

Ranking of(std::vector<Candidate> builds, RankBy by) {
  Query query;
  query.by = by;
  query.schedule = default_schedule(whole_catalog());
  return rank(std::move(builds), query);
}

}  // namespace

TEST_CASE("Prices without ranges leave the first place where it is", "[search][robust]") {
  const auto ranking = of({lone_card("a", Range<Yuan>::exactly(1000 * yuan), steady(1)),
                           lone_card("b", Range<Yuan>::exactly(1001 * yuan), steady(1))},
                          RankBy::price);
  CHECK(shares_of_first(whole_catalog(), ranking, 100, 1) == std::vector<double>{1, 0});
}

TEST_CASE("Two cards of the same price range win half of the draws each", "[search][robust]") {
  const Range<Yuan> price{500 * yuan, 1000 * yuan, 1500 * yuan};
  const auto ranking = of({lone_card("a", price, steady(1)), lone_card("b", price, steady(1))}, RankBy::price);
  const auto shares = shares_of_first(whole_catalog(), ranking, 10'000, 7);
  CHECK(shares[0] + shares[1] == Approx(1));
  CHECK(shares[0] == Approx(0.5).margin(0.02));  // four standard deviations of 10,000 draws
  CHECK(shares_of_first(whole_catalog(), ranking, 10'000, 7) == shares);
  CHECK(shares_of_first(whole_catalog(), ranking, 10'000, 8) != shares);
}

TEST_CASE("A triangle's lower half holds the share of draws that its area says", "[search][robust]") {
  // b costs 800 for sure; a costs 500 to 1,500 with its peak at 1,000: below 800 lies (300/500)^2 / 2 = 18 % of the triangle.
  const auto ranking = of({lone_card("b", Range<Yuan>::exactly(800 * yuan), steady(1)),
                           lone_card("a", {500 * yuan, 1000 * yuan, 1500 * yuan}, steady(1))},
                          RankBy::price);
  REQUIRE(ranking.ranked[1].gpu == "a");
  CHECK(shares_of_first(whole_catalog(), ranking, 20'000, 3)[1] == Approx(0.18).margin(0.012));
}

TEST_CASE("Builds of the same card share its price and its speed", "[search][robust]") {
  // One pays 1 yuan more for the same card: whatever the card costs and does, it is never first.
  const Range<Yuan> price{500 * yuan, 1000 * yuan, 1500 * yuan};
  const Range<TokenRate> rate{5 * token_per_s, 10 * token_per_s, 20 * token_per_s};
  auto dearer = lone_card("a", price, rate);
  dearer.purchase.lines.push_back({.kind = BillKind::board, .item = "board", .each = Range<Yuan>::exactly(yuan)});
  dearer.purchase.total += Range<Yuan>::exactly(yuan);
  dearer.cost.purchase += Range<Yuan>::exactly(yuan);
  dearer.merit = merit_of(dearer.cost, {.usable = dearer.best.usable, .peak = {}, .tokens = rate, .loaded = hour, .vram = GiB});
  const auto ranking = of({lone_card("a", price, rate), dearer}, RankBy::yuan_per_usable_tflop);
  CHECK(shares_of_first(whole_catalog(), ranking, 1000, 1) == std::vector<double>{1, 0});
}

TEST_CASE("A build priced at its own prices has its own value", "[search][robust]") {
  const auto by = GENERATE(RankBy::yuan_per_usable_tflop, RankBy::price, RankBy::cost, RankBy::yuan_per_mtoken,
                           RankBy::yuan_per_gib, RankBy::decode, RankBy::watts);
  auto query = small_question({"mi50-32gb", "rtx-3090"});
  query.by = by;
  const auto ranking = rank_builds(whole_catalog(), known_model("qwen2.5-14b"), fitted(), query, {.places = 20});
  BillItems items;
  for (const auto& candidate : ranking.ranked) {
    const PricedBuild priced{whole_catalog(), candidate, query.schedule, items};
    const auto bill = priced.bill(items.prices());
    CHECK(bill.total.in(yuan) == Approx(candidate.purchase.total.likely.in(yuan)));
    CHECK(*priced.value(by, bill) == Approx(*rank_value(candidate, by)));
  }
}
