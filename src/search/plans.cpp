// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/plans.h"

#include <algorithm>
#include <set>

namespace rigplan {
namespace {

bool heads_divide(const GroupedQuery& heads, int degree) {
  if (heads.heads % degree != 0) return false;
  return heads.kv_heads % degree == 0 || degree % heads.kv_heads == 0;
}

struct AttentionDivides {
  int degree;
  bool operator()(const GroupedQuery& a) const { return heads_divide(a, degree); }
  bool operator()(const SlidingWindow& a) const { return heads_divide(a.heads, degree); }
  bool operator()(const Latent& a) const { return a.heads % degree == 0; }
  bool operator()(const Recurrent&) const { return true; }
};

struct FeedForwardDivides {
  int degree;
  bool operator()(const DenseFeedForward& f) const { return f.width % degree == 0; }
  bool operator()(const MixtureOfExperts& f) const { return f.expert_width % degree == 0; }
  bool operator()(const NoFeedForward&) const { return true; }
};

bool knows(const Engine* engine, std::string_view split) {
  return !engine || std::find(engine->splits.begin(), engine->splits.end(), split) != engine->splits.end();
}

/// The sizes of a copy that leave the fewest cards over for each number of copies: n, n/2, n/3, ... 1.
std::vector<int> copy_sizes(int cards, int most_copies) {
  std::set<int, std::greater<>> sizes;
  for (int copies = 1; copies <= std::min(cards, most_copies); ++copies) sizes.insert(cards / copies);
  sizes.insert(1);
  return {sizes.begin(), sizes.end()};
}

}  // namespace

bool divides(const TransformerModel& model, int degree) {
  return std::all_of(model.groups.begin(), model.groups.end(), [&](const LayerGroup& group) {
    return std::visit(AttentionDivides{degree}, group.attention) && std::visit(FeedForwardDivides{degree}, group.feed_forward);
  });
}

std::vector<ParallelPlan> inference_plans(const TransformerModel& model, const Job& job, const Engine* engine, int cards) {
  std::vector<ParallelPlan> plans;
  auto sizes = copy_sizes(cards, job.users);
  // Where heads do not divide by all cards, the next smaller degree that does leaves some cards idle and may still be faster.
  for (int size = cards; size > 1 && knows(engine, "tensor"); --size)
    if (divides(model, size)) {
      if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
      break;
    }
  for (const int size : sizes) {
    const int copies = std::clamp(cards / size, 1, std::max(1, job.users));
    ParallelPlan plan;
    plan.cards = size;
    plan.replicas = copies;
    if (size == 1) {
      plans.push_back(plan);
      continue;
    }
    if (knows(engine, "layer") && size <= model.layers()) {
      plan.split = SplitMode::layer;
      plans.push_back(plan);
    }
    if (knows(engine, "tensor") && divides(model, size)) {
      plan.split = SplitMode::tensor;
      plan.tensor = size;
      plans.push_back(plan);
    }
    if (knows(engine, "pipeline") && !knows(engine, "layer") && size <= model.layers()) {
      plan.split = SplitMode::layer;
      plan.tensor = 1;
      plan.pipeline = size;
      plans.push_back(plan);
    }
  }
  return plans;
}

std::vector<ParallelPlan> training_plans(const TransformerModel& model, const Job& job, int cards) {
  std::vector<ParallelPlan> plans;
  for (const int size : copy_sizes(cards, std::max(1, job.sequences_per_step / std::max(1, job.micro_sequences)))) {
    ParallelPlan plan;
    plan.cards = size;
    plan.replicas = std::clamp(cards / size, 1, std::max(1, job.sequences_per_step / std::max(1, job.micro_sequences)));
    if (size == 1) {
      plans.push_back(plan);
      for (const int stage : {2, 3}) {
        if (plan.replicas == 1) break;
        plan.sharding = stage;
        plans.push_back(plan);
      }
      continue;
    }
    if (divides(model, size)) {
      plan.split = SplitMode::tensor;
      plan.tensor = size;
      plans.push_back(plan);
      plan.tensor = 1;
    }
    if (size <= model.layers()) {
      plan.split = SplitMode::layer;
      plan.pipeline = size;
      plans.push_back(plan);
    }
  }
  return plans;
}

}  // namespace rigplan
