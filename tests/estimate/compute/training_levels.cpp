// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "rigplan/catalog/training_stack.h"
#include "rigplan/estimate/compute/training_constants.h"

using namespace rigplan;

TEST_CASE("stacks that gather each parameter by itself hook its gradient in full training, sharded or not") {
  TrainingStack stack;
  stack.gathers = GatherStyle::per_parameter;
  ParallelPlan plan;
  const auto hooks = [&](JobKind kind, int sharding) {
    Job job;
    job.kind = kind;
    plan.sharding = sharding;
    const auto levels = training_levels({}, stack, job, plan, LinkClass::none);
    return std::find(levels.begin(), levels.end(), "mode:gradient hooks") != levels.end();
  };
  CHECK(hooks(JobKind::full_finetune, 0));
  CHECK(hooks(JobKind::full_finetune, 1));
  CHECK(hooks(JobKind::full_finetune, 3));
  CHECK_FALSE(hooks(JobKind::lora, 1));
}

TEST_CASE("attention with the instructions of earlier chips has a level for each family") {
  TrainingStack stack;
  TrainingCard card;
  card.family = "hopper";
  const auto earlier = [&] {
    const auto levels = training_levels(card, stack, {}, {}, LinkClass::none);
    return std::find(levels.begin(), levels.end(), "attention:earlier|family:hopper") != levels.end();
  };
  CHECK_FALSE(earlier());
  stack.attention_kernels = AttentionKernels::earlier_chips;
  CHECK(earlier());
}
