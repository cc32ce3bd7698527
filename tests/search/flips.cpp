// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/flips.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "search_world.h"

using namespace rigplan;

namespace {

/// The first build under a question, with one price changed as --set does.
std::string first_with(const Query& query, const std::string& path, double price) {
  std::vector<Override> changes;
  if (!path.empty()) changes.push_back({path, fmt::format("{:.6f} yuan", price)});
  const auto catalog = read_catalog(built_in_catalog_files(), changes);
  const auto ranking = rank_builds(catalog, known_model("qwen2.5-14b"), fitted(), query, {.places = 1});
  return ranking.ranked.empty() ? "" : name_of(ranking.ranked.front());
}

/// The first place with the lever of a flip at `value`.
std::string first_at(const Query& query, const RankFlip& flip, double value) {
  auto changed = query;
  auto& schedule = changed.schedule;
  switch (flip.lever) {
    case FlipLever::card_price:
      return first_with(query, "gpus." + flip.item + ".price", value);
    case FlipLever::board_price:
      return first_with(query, "boards." + flip.item + ".price", value);
    case FlipLever::tariff:
      schedule.tariff = value * yuan_per_kWh;
      break;
    case FlipLever::hours_per_day:
      schedule.loaded_hours_per_day = value;
      schedule.idle_hours_per_day = std::min(schedule.idle_hours_per_day, 24 - value);
      break;
    case FlipLever::horizon:
      schedule.horizon = value * month;
      break;
  }
  return first_with(changed, "", 0);
}

}  // namespace

TEST_CASE("On one side of a flip the first place is as now, on the other it is what the flip says", "[search][flips]") {
  auto query = small_question({"mi50-32gb", "rtx-3090", "p40", "v100-pcie-32gb", "rtx-3080-20gb"});
  const auto answer = flips_of_first(whole_catalog(), known_model("qwen2.5-14b"), fitted(), std::span{&query, 1});
  REQUIRE(answer.first);
  const auto now = name_of(*answer.first);
  CHECK(now == first_with(query, "", 0));
  REQUIRE(answer.flips.size() >= 3);
  for (const auto& flip : answer.flips) {
    INFO(static_cast<int>(flip.lever) << " " << flip.item << " from " << flip.from << " to " << flip.to << ": "
                                      << name_of(flip.first));
    const double step = flip.lever == FlipLever::horizon ? 1 : 1e-4 * flip.to;
    const double before = flip.to > flip.from ? flip.to - step : flip.to + step;
    CHECK(first_at(query, flip, before) == now);
    CHECK(first_at(query, flip, flip.to) == name_of(flip.first));
  }
  for (std::size_t i = 1; i < answer.flips.size(); ++i)
    CHECK(std::abs(std::log(answer.flips[i - 1].factor())) <= std::abs(std::log(answer.flips[i].factor())) + 1e-12);
}

TEST_CASE("A card that is just over the budget is first when it becomes cheaper", "[search][flips]") {
  // By decode rate, prices matter only through the budget: the fastest build costs too much.
  auto query = small_question({"rtx-3080-20gb", "p40"}, 1);
  query.by = RankBy::decode;
  query.limits.budget.reset();
  const auto free = rank_builds(whole_catalog(), known_model("qwen2.5-14b"), fitted(), query, {.places = 0});
  REQUIRE(free.ranked.front().gpu == "rtx-3080-20gb");
  Yuan least = 1e9 * yuan;
  for (const auto& build : free.ranked)
    if (build.gpu == "rtx-3080-20gb") least = std::min(least, build.purchase.total.likely);
  query.limits.budget = 0.95 * least;
  const auto answer = flips_of_first(whole_catalog(), known_model("qwen2.5-14b"), fitted(), std::span{&query, 1});
  REQUIRE(answer.first);
  CHECK(answer.first->gpu == "p40");
  const auto flip =
      std::find_if(answer.flips.begin(), answer.flips.end(), [](const RankFlip& one) { return one.item == "rtx-3080-20gb"; });
  REQUIRE(flip != answer.flips.end());
  CHECK(flip->first.gpu == "rtx-3080-20gb");
  CHECK(flip->factor() < 1);
}
