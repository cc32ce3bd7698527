// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/why_not.h"

#include <catch2/catch.hpp>

#include "search_world.h"

using namespace rigplan;

namespace {

WhyNot ask(const Query& query, const std::string& text, const std::string& model = "qwen2.5-14b") {
  return why_not(whole_catalog(), known_model(model), fitted(), query, parse_build_pattern(text));
}

}  // namespace

TEST_CASE("A description names cards, and perhaps their number and a board", "[search][why-not]") {
  const auto full = parse_build_pattern("4x mi50-32gb on x99");
  CHECK(full.cards == 4);
  CHECK(full.gpu == "mi50-32gb");
  CHECK(full.host == "x99");
  const auto spaced = parse_build_pattern(" 2 × RTX 3090 in H12SSL ");
  CHECK(spaced.cards == 2);
  CHECK(spaced.gpu == "RTX 3090");
  CHECK(spaced.host == "H12SSL");
  const auto bare = parse_build_pattern("rtx-3090");
  CHECK(bare.cards == 0);
  CHECK(bare.gpu == "rtx-3090");
  CHECK(bare.host.empty());
  CHECK(parse_build_pattern("2080 Ti").gpu == "2080 Ti");  // a number that counts nothing
}

TEST_CASE("A build that is ranked has its place, and the first one is told so", "[search][why-not]") {
  const auto query = small_question({"mi50-32gb", "rtx-3090", "p40"});
  const auto ranking = rank_builds(whole_catalog(), known_model("qwen2.5-14b"), fitted(), query, {.places = 0});
  const auto first = ask(query, ranking.ranked.front().gpu);
  CHECK(first.verdict == WhyNot::Verdict::first);
  CHECK(name_of(*first.build) == name_of(ranking.ranked.front()));
  for (const std::string gpu : {"mi50-32gb", "rtx-3090", "p40"}) {
    const auto answer = ask(query, gpu);
    const auto at = std::find_if(ranking.ranked.begin(), ranking.ranked.end(), [&](const Candidate& c) { return c.gpu == gpu; });
    REQUIRE(at != ranking.ranked.end());
    CHECK(answer.place == at - ranking.ranked.begin() + 1);
    CHECK(name_of(*answer.build) == name_of(*at));
    CHECK(name_of(*answer.leader) == name_of(ranking.ranked.front()));
  }
}

TEST_CASE("A build over the budget is out by what it costs more, just under it is ranked", "[search][why-not]") {
  auto query = small_question({});
  query.limits.budget = 1000 * yuan;
  const auto out = ask(query, "2x rtx-3090");
  REQUIRE(out.verdict == WhyNot::Verdict::out);
  REQUIRE(out.broken.size() == 1);
  CHECK(out.broken.front().misfit == Misfit::budget);
  CHECK(out.build->cards == 2);
  const auto price = out.build->purchase.total.likely;
  query.limits.budget = price;
  CHECK(ask(query, "2x rtx-3090").verdict == WhyNot::Verdict::ranked);
  query.limits.budget = price - 1 * yuan;
  CHECK(ask(query, "2x rtx-3090").verdict == WhyNot::Verdict::out);
}

TEST_CASE("Every limit that a build breaks is named", "[search][why-not]") {
  auto query = small_question({});
  query.limits.budget = 1000 * yuan;
  query.limits.max_watts = 100 * watt;
  query.limits.max_cards = 1;
  const auto answer = ask(query, "2x rtx-3090");
  std::vector<Misfit> kinds;
  for (const auto& one : answer.broken) kinds.push_back(one.misfit);
  CHECK(kinds == std::vector{Misfit::cards, Misfit::budget, Misfit::watts});
}

TEST_CASE("What is too small for the model is out by memory", "[search][why-not]") {
  const auto answer = ask(small_question({}), "1x p106-100-6gb", "qwen2.5-72b");
  REQUIRE(answer.verdict == WhyNot::Verdict::out);
  CHECK(answer.broken.front().misfit == Misfit::memory);
}

TEST_CASE("Unknown names are told apart, and too many cards with the most there can be", "[search][why-not]") {
  const auto typo = ask(small_question({}), "rtx-3091");
  CHECK(typo.verdict == WhyNot::Verdict::unknown_card);
  CHECK(typo.reason == "no card \"rtx-3091\"");
  const auto board = ask(small_question({}), "rtx-3090 on no-such-board-at-all");
  CHECK(board.verdict == WhyNot::Verdict::unknown_host);
  const auto many = ask(small_question({}), "40x rtx-3090");
  CHECK(many.verdict == WhyNot::Verdict::no_room);
  CHECK(many.reason.find("at most") != std::string::npos);
}
