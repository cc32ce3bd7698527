// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/plans.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace rigplan;

namespace {

/// 28 query heads, 4 key/value heads, feed-forward width 18,944: the shape of a common 7B model.
TransformerModel seven_billion() {
  TransformerModel model;
  model.hidden = 3584;
  model.groups = {
      {28, GroupedQuery{.heads = 28, .kv_heads = 4, .head_size = 128, .value_size = 128}, DenseFeedForward{.width = 18944}}};
  return model;
}

bool has(const std::vector<ParallelPlan>& plans, SplitMode split, int cards, int replicas) {
  return std::any_of(plans.begin(), plans.end(), [&](const ParallelPlan& plan) {
    return plan.split == split && plan.cards == cards && plan.replicas == replicas;
  });
}

Engine engine_with(std::vector<std::string> splits) {
  Engine engine;
  engine.splits = std::move(splits);
  return engine;
}

}  // namespace

TEST_CASE("Tensor parallelism divides heads, key/value heads and feed-forward width", "[bad-input-15]") {
  const auto model = seven_billion();
  CHECK(divides(model, 2));
  CHECK(divides(model, 4));
  CHECK_FALSE(divides(model, 8));   // 28 heads
  CHECK_FALSE(divides(model, 14));  // 28 / 14 = 2 heads, but 14 cards share 4 key/value heads neither way
  CHECK_FALSE(divides(model, 10));
}

TEST_CASE("One user gets no second copy; several users do") {
  const auto engine = engine_with({"layer", "tensor"});
  Job job;
  job.users = 1;
  const auto one = inference_plans(seven_billion(), job, &engine, 4);
  CHECK(has(one, SplitMode::layer, 4, 1));
  CHECK(has(one, SplitMode::tensor, 4, 1));
  CHECK(has(one, SplitMode::single, 1, 1));
  CHECK(std::all_of(one.begin(), one.end(), [](const ParallelPlan& plan) { return plan.replicas == 1; }));

  job.users = 4;
  const auto four = inference_plans(seven_billion(), job, &engine, 4);
  CHECK(has(four, SplitMode::single, 1, 4));
  CHECK(has(four, SplitMode::tensor, 2, 2));
}

TEST_CASE("Where heads do not divide by all cards, the next smaller degree that does is tried", "[bad-input-15][bad-input-24]") {
  const auto engine = engine_with({"layer", "tensor"});
  Job job;
  const auto plans = inference_plans(seven_billion(), job, &engine, 10);
  CHECK(has(plans, SplitMode::layer, 10, 1));
  CHECK_FALSE(has(plans, SplitMode::tensor, 10, 1));
  CHECK(has(plans, SplitMode::tensor, 4, 1));
}

TEST_CASE("An engine is only asked for splits that it knows") {
  const auto engine = engine_with({"layer"});
  const auto plans = inference_plans(seven_billion(), {}, &engine, 4);
  CHECK(std::none_of(plans.begin(), plans.end(), [](const ParallelPlan& plan) { return plan.split == SplitMode::tensor; }));
}

TEST_CASE("Training tries whole copies, shards and divided copies") {
  Job job;
  job.kind = JobKind::full_finetune;
  job.sequences_per_step = 16;
  const auto plans = training_plans(seven_billion(), job, 4);
  const auto sharded = [&](int stage) {
    return std::any_of(plans.begin(), plans.end(),
                       [&](const ParallelPlan& plan) { return plan.replicas == 4 && plan.sharding == stage; });
  };
  CHECK(sharded(0));
  CHECK(sharded(3));
  CHECK(has(plans, SplitMode::tensor, 4, 1));
  CHECK(has(plans, SplitMode::layer, 2, 2));
  // A step of two sequences cannot feed four copies.
  job.sequences_per_step = 2;
  for (const auto& plan : training_plans(seven_billion(), job, 4)) CHECK(plan.replicas <= 2);
}
