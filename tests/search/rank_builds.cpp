// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/rank_builds.h"

#include <catch2/catch.hpp>

#include "rigplan/search/bounds.h"
#include "rigplan/search/space.h"
#include "search_world.h"

using namespace rigplan;

namespace {

Query question(JobKind kind, RankBy by) {
  Query query;
  query.job.kind = kind;
  query.job.users = 4;
  if (kind == JobKind::qlora) query.job.weight_format = "NF4", query.job.engine = built_in_training_stacks().front().id;
  query.limits.budget = 40'000 * yuan;
  query.limits.max_cards = 4;
  query.schedule = default_schedule(whole_catalog());
  query.by = by;
  query.gpu_patterns = {"mi50-32gb", "rtx-3090", "v100-sxm2-16gb", "p40"};
  return query;
}

/// What the rows of a ranking are told by.
std::vector<std::string> places(const Ranking& ranking, std::size_t most) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < ranking.ranked.size() && names.size() < most; ++i)
    if (!ranking.is_dominated[i]) names.push_back(name_of(ranking.ranked[i]));
  return names;
}

/// Questions on axes beyond cards and hosts: several machines, engines that divide a model over them, several formats.
std::vector<Query> wide_questions(RankBy by) {
  auto query = small_question({"rtx-3090", "mi50-32gb"}, 4);
  query.machines = 3;
  query.by = by;
  query.job.users = 4;
  query.job.engine = "llama.cpp-rpc";
  query.limits.software = SupportLevel::unknown;
  query.schedule.horizon = 60 * month;
  auto larger = query;
  larger.job.weight_format = "Q8_0";
  auto served = query;
  served.job.engine = "vllm";
  served.job.weight_format = "GPTQ-INT4";
  return {query, larger, served};
}

/// Looks at every `stride`th build of a space and holds each that fits against its bound; `seen` gets those.
template <class F>
void hold_against_bounds(const Query& query, const std::string& model, std::size_t stride, const F& seen) {
  const Evaluator evaluator{whole_catalog(), known_model(model), fitted(), query};
  const auto space = make_space(whole_catalog(), evaluator.prices(), query);
  const Bounds bounds{evaluator, space};
  for (std::size_t i = 0; i < space.choices.size(); i += stride) {
    const auto build = build_of(whole_catalog(), space.choices[i]);
    if (!build) continue;
    const auto candidate = evaluator.evaluate(*build);
    if (candidate.misfit != Misfit::none) continue;
    const auto value = rank_value(candidate, query.by);
    REQUIRE(value);
    INFO(name_of(candidate) << ", " << candidate.machines << " machines, " << candidate.network << ", " << candidate.bridge);
    CHECK(bounds.misfit(space.choices[i]) == Misfit::none);
    CHECK(bounds.value(space.choices[i], query.by) <= *value + 1e-9 * std::abs(*value));
    seen(candidate);
  }
}

}  // namespace

TEST_CASE("bounds lose none of the first places", "[search]") {
  const auto kind = GENERATE(JobKind::inference, JobKind::qlora);
  const auto by = GENERATE(RankBy::yuan_per_usable_tflop, RankBy::price, RankBy::usable);
  const auto& shape = known_model("qwen2.5-14b");
  const auto query = question(kind, by);
  const auto all = rank_builds(whole_catalog(), shape, fitted(), query, {.places = 0, .rejected = true});
  const auto some = rank_builds(whole_catalog(), shape, fitted(), query, {.places = 12, .rejected = false});
  REQUIRE(all.ranked.size() > 100);
  CHECK(some.candidates == all.candidates);
  CHECK(places(some, 12) == places(all, 12));
  CHECK(places(all, 12).size() == 12);
}

TEST_CASE("bounds lose none of the first places over machines, bridges, formats and engines", "[search]") {
  const auto by = GENERATE(RankBy::yuan_per_usable_tflop, RankBy::decode, RankBy::cost);
  const auto questions = wide_questions(by);
  const auto& shape = known_model("qwen2.5-32b");
  const auto all = rank_builds(whole_catalog(), shape, fitted(), questions, {.places = 0, .rejected = false});
  const auto some = rank_builds(whole_catalog(), shape, fitted(), questions, {.places = 12, .rejected = false});
  CHECK(places(some, 12) == places(all, 12));
  CHECK(some.looked_at < all.looked_at);
  const auto has = [&](auto is) { return std::any_of(all.ranked.begin(), all.ranked.end(), is); };
  CHECK(has([](const Candidate& c) { return c.machines == 3 && c.best.plan.cards > c.cards / 3; }));
  CHECK(has([](const Candidate& c) { return !c.bridge.empty(); }));
  CHECK(has([](const Candidate& c) { return c.engine == "vllm"; }));
  CHECK(has([](const Candidate& c) { return c.quant == "Q8_0"; }));
}

TEST_CASE("no build over machines and bridges is better than its bound", "[search]") {
  for (const auto by : {RankBy::yuan_per_usable_tflop, RankBy::price, RankBy::decode, RankBy::prefill, RankBy::usable,
                        RankBy::yuan_per_mtoken, RankBy::cost, RankBy::vram, RankBy::watts}) {
    for (const auto& query : wide_questions(by)) {
      int machines = 0, bridges = 0;
      hold_against_bounds(query, "qwen2.5-32b", 97, [&](const Candidate& candidate) {
        machines += candidate.machines > 1;
        bridges += !candidate.bridge.empty();
      });
      CHECK(machines > 5);
      CHECK(bridges > 0);
    }
  }
}

TEST_CASE("an engine that stays within a machine runs copies on several", "[search]") {
  auto query = small_question({"rtx-3090"}, 2);
  query.machines = 2;
  query.job.users = 4;
  query.limits.budget.reset();
  const auto ranking = rank_builds(whole_catalog(), known_model("qwen2.5-14b"), fitted(), query, {.places = 0});
  int several = 0;
  for (const auto& build : ranking.ranked) {
    if (build.machines < 2) continue;
    ++several;
    CHECK(build.best.plan.cards == 1);
    CHECK(build.best.plan.replicas == 2);
  }
  CHECK(several > 0);
}

TEST_CASE("limits on parts: cooling, condition and age of prices", "[search]") {
  auto query = small_question({"rtx-3090", "p40"}, 1);
  query.limits.coolings = {Cooling::passive};
  const auto passive = rank_builds(whole_catalog(), known_model("qwen2.5-7b"), fitted(), query, {.places = 0});
  REQUIRE_FALSE(passive.ranked.empty());
  for (const auto& build : passive.ranked) CHECK(build.gpu == "p40");
  query.limits.coolings.clear();
  query.limits.max_circuits = 1;
  query.limits.min_context = 1000 * 1024 * token;
  CHECK(rank_builds(whole_catalog(), known_model("qwen2.5-7b"), fitted(), query, {.places = 0}).ranked.empty());
}

TEST_CASE("no build is better than its bound", "[search]") {
  for (const auto kind : {JobKind::inference, JobKind::qlora})
    for (const auto by :
         {RankBy::yuan_per_usable_tflop, RankBy::decode, RankBy::usable, RankBy::yuan_per_mtoken, RankBy::watts}) {
      auto query = question(kind, by);
      query.gpu_patterns = {"rtx-3090", "mi50-32gb"};
      int looked_at = 0;
      hold_against_bounds(query, "qwen2.5-7b", 11, [&](const Candidate&) { ++looked_at; });
      CHECK(looked_at > 20);
    }
}

TEST_CASE("software that does not run on a card rules its builds out", "[search]") {
  // bitsandbytes, which QLoRA needs, lists no chip of the Arc A770's family; llama.cpp does.
  auto query = question(JobKind::qlora, RankBy::price);
  query.gpu_patterns = {"arc-a770-16gb"};
  const auto& shape = known_model("qwen2.5-7b");
  const auto refused = rank_builds(whole_catalog(), shape, fitted(), query, {});
  CHECK(refused.ranked.empty());
  REQUIRE_FALSE(refused.rejected.empty());
  CHECK(refused.rejected.front().misfit == Misfit::software);
  query.limits.software = SupportLevel::unsupported;
  CHECK_FALSE(rank_builds(whole_catalog(), shape, fitted(), query, {}).ranked.empty());
  auto serve = question(JobKind::inference, RankBy::price);
  serve.gpu_patterns = {"arc-a770-16gb"};
  CHECK_FALSE(rank_builds(whole_catalog(), shape, fitted(), serve, {}).ranked.empty());
}
