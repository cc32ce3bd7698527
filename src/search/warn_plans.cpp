// SPDX-License-Identifier: Apache-2.0
// Doubts about the way a job is divided over cards.
#include <algorithm>

#include "rigplan/estimate/memory/memory.h"
#include "rigplan/search/plans.h"
#include "search/warning_rules.h"

namespace rigplan {
namespace {

/// Work buffers are held on each card of a copy, so a split multiplies them. They decide where a card has no room for as much
/// again, or would have room without them: counted once, they let 40.3 GiB on three cards pass for 35.6 (an owner's log,
/// 2026-09).
bool buffers_decide(const PlanResult& result) {
  return result.plan.cards > 1 && std::any_of(result.memory.begin(), result.memory.end(), [](const CardUse& card) {
           const auto buffers = part_of(card, "buffers");
           return card.used + buffers > card.usable && card.used - buffers <= card.usable;
         });
}

/// The cards of a copy cannot hold the weights, and the program can leave layers in host memory.
bool needs_host_memory(const WarningFacts& facts) {
  const auto& result = facts.result;
  if (result.fits || result.memory.empty()) return false;
  const auto engine = memory_engine(facts.query.job.engine);
  if (engine != MemoryEngine::llama_cpp && engine != MemoryEngine::ik_llama_cpp) return false;
  Bytes cards;
  for (const auto& card : result.memory) cards += card.usable;
  return result.weights > cards;
}

void rules_of_split(const WarningFacts& facts, WarningCodes& codes) {
  const auto& plan = facts.result.plan;
  const bool in_turn = plan.split == SplitMode::layer && plan.cards > 1 && facts.query.job.users <= plan.replicas;
  if (in_turn) codes.insert(plan.pipeline > 1 ? "W_PP_SINGLE_STREAM" : "W_LAYER_SPLIT_NO_SPEEDUP");
  const auto* engine = facts.catalog.engines.find(facts.query.job.engine);
  const bool could_be_tensor =
      !engine || std::find(engine->splits.begin(), engine->splits.end(), "tensor") != engine->splits.end();
  if (could_be_tensor && facts.graph.cards() > 1 && !divides(facts.model, facts.graph.cards())) codes.insert("W_TP_DIVISIBILITY");
  if (facts.layer_rate && facts.tensor_rate && *facts.tensor_rate < *facts.layer_rate) codes.insert("W_TP_SLOWER_THAN_LAYER");
  if (plan.split == SplitMode::layer && facts.graph.nodes() > 1 && plan.cards > 1) codes.insert("W_RPC_LATENCY");
}

void rules_of_window(const WarningFacts& facts, WarningCodes& codes) {
  const auto& result = facts.result;
  if (result.kv > result.weights) codes.insert("W_KV_DOMINATES");
  if (buffers_decide(result)) codes.insert("W_COMPUTE_BUFFER_PER_CARD");
  if (needs_host_memory(facts)) codes.insert("W_CPU_OFFLOAD");
  // A first token after a full window that takes longer than this keeps a reader waiting.
  const auto& speed = result.inference;
  if (speed && speed->prefill.likely > TokenRate{} && facts.query.job.context / speed->prefill.likely > 20 * second)
    codes.insert("W_PREFILL_SLOW");
}

}  // namespace

void rules_of_plan(const WarningFacts& facts, WarningCodes& codes) {
  if (!asks_training(facts)) {
    rules_of_split(facts, codes);
    rules_of_window(facts, codes);
  }
  if (leaves_machine(facts)) codes.insert("W_NET_STABILITY");
  if (network_is_idle(facts)) codes.insert("W_NET_NOT_BOTTLENECK");
  const auto& nodes = facts.graph.rig.nodes;
  const bool bridged = std::any_of(nodes.begin(), nodes.end(), [](const RigNode& node) { return !node.bridges.empty(); });
  if (bridged && facts.result.plan.cards > 1 && !needs_traffic(facts)) codes.insert("W_NVLINK_UNUSED");
  for (const auto& group : facts.model.groups)
    if (std::holds_alternative<Recurrent>(group.attention)) codes.insert("W_RECURRENT_STATE");
}

void rules_of_tensor(const WarningFacts& facts, WarningCodes& codes) {
  const auto& plan = facts.result.plan;
  const auto& job = facts.query.job;
  if (plan.tensor <= 1 || asks_training(facts)) return;
  bool over_pcie = true;
  Bytes memory;
  for_each_card(facts, [&](const NodeGraph&, const Device& device, LinkId) {
    if (!device.gpu) return;
    memory = memory == Bytes{} ? device.gpu->vram : std::min(memory, device.gpu->vram);
    over_pcie = over_pcie && device.gpu->form == CardForm::pcie;
  });
  for (const auto& node : facts.graph.rig.nodes) over_pcie = over_pcie && node.bridges.empty();
  // Half of the cards would hold the model and the windows of half of the users, with a tenth to spare: two copies can be had.
  if (job.users > 1 && facts.result.weights + 0.5 * facts.result.kv < 0.9 * (0.5 * plan.cards) * memory)
    codes.insert("W_TP_FOR_THROUGHPUT");
  // From here on an exchange passes more links than the share of work that another card takes is worth.
  if (over_pcie && plan.tensor >= 8) codes.insert("W_TP_SCALING");
  // Activations of a long prompt cross the slots at every layer, of a short one hardly.
  if (over_pcie && job.prompt >= Tokens{4096}) codes.insert("W_TP_PREFILL_PCIE");
}

}  // namespace rigplan
