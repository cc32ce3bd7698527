// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "rigplan/estimate/collectives/prepare_fabric.h"
#include "rigplan/search/evaluator.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"
#include "search/card_facts.h"

namespace rigplan {
namespace {

CardUse card_use(int card, const CardMemory& memory) {
  CardUse use{.card = card, .usable = memory.capacity, .used = memory.total(), .parts = {}};
  const auto add = [&](std::string_view name, Bytes size) {
    if (size > Bytes{}) use.parts.push_back({name, size});
  };
  add(msg("weights"), memory.weights);
  add(msg("KV cache"), memory.kv_cache);
  add(msg("buffers"), memory.compute_buffer + memory.activations);
  add(msg("communication"), memory.communication);
  add(msg("driver"), memory.driver_context);
  return use;
}

/// What would make the job fit, the mildest change first.
std::string shortfall_text(const PreparedMemory& memory, const ParallelPlan& plan, std::span<const CardBudget> budgets,
                           const MemoryEstimate& estimate, const Job& job) {
  const auto missing = to_text(estimate.missing());
  if (const auto context = memory.largest_context(plan, budgets, job.users); context > Tokens{})
    return fmt::format("misses {} on the fullest card; a context of {} fits", missing, format_whole(context.in(token)));
  if (job.users > 1)
    if (const int users = memory.largest_users(plan, budgets); users > 0)
      return fmt::format("misses {} on the fullest card; {} users fit", missing, users);
  if (const auto experts = memory.layers_to_offload(plan, budgets, true))
    return fmt::format("misses {} on the fullest card; fits with the experts of {} layers in host memory", missing,
                       format_number(*experts));
  Bytes capacity;
  for (const auto& card : estimate.cards) capacity += card.capacity;
  return fmt::format("misses {} on the fullest card; the weights are {}, the cards of a copy have {}", missing,
                     to_text(memory.weights().total()), to_text(capacity));
}

}  // namespace

void Evaluator::room(const RigGraph& graph, const ParallelPlan& plan, Tokens& largest_context, int& most_users) const {
  if (!memory_) return;
  std::vector<CardBudget> budgets;
  for (const int card : cards_of_copy(graph, plan)) budgets.push_back(card_budget(graph.gpu(card), catalog_));
  largest_context = memory_->largest_context(plan, budgets, query_.job.users);
  most_users = memory_->largest_users(plan, budgets);
}

PlanResult Evaluator::inference(const RigGraph& graph, const ParallelPlan& plan, PeerAssumption assumption) const {
  const auto cards = cards_of_copy(graph, plan);
  std::vector<CopyCard> copy;
  for (const int card : cards) copy.push_back({&graph.gpu(card), graph.place(card).power_cap});
  auto result = inference_on(plan, copy, [&] { return prepare_fabric(graph, cards, assumption, calibrations_.collectives); });
  if (result.fits && cards.size() > 1) result.peer = worst_peer(graph, cards);
  return result;
}

PlanResult Evaluator::inference_on(const ParallelPlan& plan, std::span<const CopyCard> cards,
                                   const std::function<GroupFabric()>& fabric_of) const {
  PlanResult result;
  result.plan = plan;
  std::vector<CardBudget> budgets;
  std::vector<CardSpeed> speeds;
  for (const auto& card : cards) {
    budgets.push_back(card_budget(*card.gpu, catalog_));
    speeds.push_back(capped_speed(*card.gpu, card.power_cap, catalog_));
  }
  const auto window = std::max(query_.job.context, query_.limits.min_context);
  const auto estimate = memory_->at(plan, budgets, window, query_.job.users);
  for (std::size_t i = 0; i < estimate.cards.size(); ++i) {
    result.memory.push_back(card_use(static_cast<int>(i), estimate.cards[i]));
    result.weights += estimate.cards[i].weights;
    result.kv += estimate.cards[i].kv_cache;
  }
  if (!result.memory.empty()) std::swap(result.memory.front(), result.memory[estimate.tightest()]);
  result.fits = estimate.fit() != Fit::no;
  if (!result.fits) {
    result.shortfall = shortfall_text(*memory_, plan, budgets, estimate, query_.job);
    return result;
  }
  const auto fabric = fabric_of();
  result.link_bottleneck = fabric.bottleneck;
  const auto speed = PreparedInference{model_, query_.job, plan, speeds, fabric, calibrations_.speed}.at_job();
  result.tokens = speed.decode;
  result.usable = usable_range(speed);
  result.limited_by = speed.limited_by;
  result.inference = speed;
  return result;
}

}  // namespace rigplan
