// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <numeric>

#include "rigplan/estimate/memory/training_memory.h"
#include "rigplan/search/evaluator.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"
#include "search/training_fabric.h"

namespace rigplan {
namespace {

CardUse card_use(const TrainingMemory& memory, Bytes usable, Bytes driver) {
  CardUse use{.card = 0, .usable = usable, .used = memory.peak + driver, .parts = {}};
  const auto add = [&](std::string_view name, Bytes size) {
    if (size > Bytes{}) use.parts.push_back({name, size});
  };
  const auto& states = memory.states;
  add(msg("weights"), states.weights + states.master + states.adapters);
  add(msg("gradients"), states.gradients + states.last_gradients);
  add(msg("optimizer"), states.moments);
  add(msg("activations"), memory.activations + memory.layer);
  add(msg("logits"), memory.logits);
  add(msg("gathered"), memory.gathered + memory.casts);
  add(msg("workspace"), memory.workspace);
  add(msg("driver"), driver);
  return use;
}

std::string shortfall_text(const TrainingMemory& memory, Bytes missing, const Job& job) {
  std::string text = fmt::format("misses {} on each card at {}", to_text(missing), to_text(memory.peak));
  if (job.kind == JobKind::full_finetune) return text + msg("; LoRA, more cards with ZeRO, or offload would need less");
  if (job.kind == JobKind::lora) return text + msg("; QLoRA or a shorter sequence would need less");
  return text + msg("; a shorter sequence or a smaller model would fit");
}

}  // namespace

PlanResult Evaluator::evaluate_training(const RigGraph& graph, const ParallelPlan& plan, const Job& job,
                                        PeerAssumption assumption) const {
  auto result = training_on(plan, job, graph.gpu(0), [&] {
    auto fabric = training_fabric(graph, plan, assumption, calibrations_.collectives);
    if (job.offload != Offload::none) fabric.host = host_path(graph, plan.cards * plan.replicas);
    return fabric;
  });
  const auto room = host_room(graph.rig);
  if (result.fits && job.offload != Offload::none && room) {
    const auto memory = estimate_training_memory(model_, job, plan, *stack_);
    const Bytes missing = most_cards_of_machine(graph.rig) * memory.host - *room;
    if (missing > Bytes{}) {
      PlanResult without_room;
      without_room.plan = plan;
      without_room.memory = std::move(result.memory);
      without_room.weights = result.weights;
      without_room.shortfall = fmt::format("misses {} of host memory", to_text(missing));
      return without_room;
    }
  }
  std::vector<int> all(static_cast<std::size_t>(plan.cards) * static_cast<std::size_t>(plan.replicas));
  std::iota(all.begin(), all.end(), 0);
  if (result.fits && all.size() > 1) result.peer = worst_peer(graph, all);
  return result;
}

PlanResult Evaluator::training_on(const ParallelPlan& plan, const Job& job, const Gpu& gpu,
                                  const std::function<TrainingFabric()>& fabric_of) const {
  PlanResult result;
  result.plan = plan;
  const auto* architecture = catalog_.architectures.find(gpu.architecture);
  const auto driver = architecture ? architecture->driver_context : Bytes{};
  const auto memory = estimate_training_memory(model_, job, plan, *stack_);
  result.memory.push_back(card_use(memory, gpu.vram, driver));
  result.weights = memory.states.weights;
  result.fits = memory.peak + driver <= gpu.vram;
  if (!result.fits) {
    result.shortfall = shortfall_text(memory, memory.peak + driver - gpu.vram, job);
    return result;
  }
  const auto fabric = fabric_of();
  result.link_bottleneck = plan.replicas > 1 ? fabric.data.bottleneck
                           : plan.tensor > 1 ? fabric.tensor.bottleneck
                                             : fabric.pipeline.bottleneck;
  static const Architecture unknown_architecture;
  const auto card = training_card(gpu, architecture ? *architecture : unknown_architecture);
  const auto step = simulate_training(model_, job, plan, *stack_, card, fabric, calibrations_.training);
  result.tokens = {step.tokens / step.factor.high, step.tokens, step.tokens / step.factor.low};
  result.usable = {step.usable / step.factor.high, step.usable, step.usable / step.factor.low};
  result.limited_by = step.limited_by;
  result.training = step;
  return result;
}

}  // namespace rigplan
