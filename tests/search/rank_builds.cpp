// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/rank_builds.h"

#include <catch2/catch.hpp>

#include "rigplan/search/bounds.h"
#include "rigplan/search/space.h"
#include "rigplan/workload/model_library.h"

using namespace rigplan;

namespace {

const Catalog& catalog() {
  static const auto built_in = read_catalog(built_in_catalog_files());
  return built_in;
}
const TransformerModel& model(std::string_view id) {
  static ModelLibrary library;
  return *library.find(id);
}
const Calibrations& calibrations() {
  static const auto all = built_in_calibrations();
  return all;
}

Query question(JobKind kind, RankBy by) {
  Query query;
  query.job.kind = kind;
  query.job.users = 4;
  if (kind == JobKind::qlora) query.job.weight_format = "NF4", query.job.engine = built_in_training_stacks().front().id;
  query.limits.budget = 40'000 * yuan;
  query.limits.max_cards = 4;
  query.schedule = default_schedule(catalog());
  query.by = by;
  query.gpu_patterns = {"mi50-32gb", "rtx-3090", "v100-sxm2-16gb", "p40"};
  return query;
}

/// What a row of a ranking is told by.
std::vector<std::string> places(const Ranking& ranking, std::size_t most) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < ranking.ranked.size() && names.size() < most; ++i) {
    const auto& build = ranking.ranked[i];
    if (!ranking.is_dominated[i])
      names.push_back(build.gpu + " x " + std::to_string(build.cards) + " in " + build.host + " " + build.attachment);
  }
  return names;
}

}  // namespace

TEST_CASE("bounds lose none of the first places", "[search]") {
  const auto kind = GENERATE(JobKind::inference, JobKind::qlora);
  const auto by = GENERATE(RankBy::yuan_per_usable_tflop, RankBy::price, RankBy::usable);
  const auto& shape = model("qwen2.5-14b");
  const auto query = question(kind, by);
  const auto all = rank_builds(catalog(), shape, calibrations(), query, {.places = 0, .rejected = true});
  const auto some = rank_builds(catalog(), shape, calibrations(), query, {.places = 12, .rejected = false});
  REQUIRE(all.ranked.size() > 100);
  CHECK(some.candidates == all.candidates);
  CHECK(places(some, 12) == places(all, 12));
  CHECK(places(all, 12).size() == 12);
}

TEST_CASE("no build is better than its bound", "[search]") {
  for (const auto kind : {JobKind::inference, JobKind::qlora})
    for (const auto by :
         {RankBy::yuan_per_usable_tflop, RankBy::decode, RankBy::usable, RankBy::yuan_per_mtoken, RankBy::watts}) {
      auto query = question(kind, by);
      query.gpu_patterns = {"rtx-3090", "mi50-32gb"};
      const Evaluator evaluator{catalog(), model("qwen2.5-7b"), calibrations(), query};
      const auto space = make_space(catalog(), evaluator.prices(), query);
      const Bounds bounds{evaluator, space.choices};
      int looked_at = 0;
      for (std::size_t i = 0; i < space.choices.size(); i += 11) {
        const auto build = build_of(catalog(), space.choices[i]);
        if (!build) continue;
        const auto candidate = evaluator.evaluate(*build);
        if (candidate.misfit != Misfit::none) continue;
        const auto value = rank_value(candidate, by);
        REQUIRE(value);
        INFO(candidate.gpu << " x " << candidate.cards << " in " << candidate.host);
        CHECK(bounds.misfit(space.choices[i]) == Misfit::none);
        CHECK(bounds.value(space.choices[i]) <= *value + 1e-9 * std::abs(*value));
        ++looked_at;
      }
      CHECK(looked_at > 20);
    }
}

TEST_CASE("software that does not run on a card rules its builds out", "[search]") {
  // bitsandbytes, which QLoRA needs, lists no chip of the Arc A770's family; llama.cpp does.
  auto query = question(JobKind::qlora, RankBy::price);
  query.gpu_patterns = {"arc-a770-16gb"};
  const auto& shape = model("qwen2.5-7b");
  const auto refused = rank_builds(catalog(), shape, calibrations(), query, {});
  CHECK(refused.ranked.empty());
  REQUIRE_FALSE(refused.rejected.empty());
  CHECK(refused.rejected.front().misfit == Misfit::software);
  query.limits.software = SupportLevel::unsupported;
  CHECK_FALSE(rank_builds(catalog(), shape, calibrations(), query, {}).ranked.empty());
  auto serve = question(JobKind::inference, RankBy::price);
  serve.gpu_patterns = {"arc-a770-16gb"};
  CHECK_FALSE(rank_builds(catalog(), shape, calibrations(), serve, {}).ranked.empty());
}
