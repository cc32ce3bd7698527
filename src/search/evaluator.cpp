// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <variant>

#include "rigplan/search/limits.h"
#include "rigplan/search/plans.h"
#include "rigplan/search/rank.h"
#include "rigplan/search/software.h"
#include "rigplan/search/warnings.h"
#include "rigplan/topology/assign_slots.h"
#include "rigplan/topology/pcie.h"
#include "rigplan/units/message.h"
#include "search/best_links.h"
#include "search/card_facts.h"
#include "search/running.h"

namespace rigplan {

Calibrations built_in_calibrations() {
  return {built_in_calibration("speed"), built_in_calibration("collectives"), built_in_calibration("training")};
}

Evaluator::Evaluator(const Catalog& catalog, const TransformerModel& model, const Calibrations& calibrations, Query query)
    : catalog_{catalog},
      model_{model},
      calibrations_{calibrations},
      query_{std::move(query)},
      prices_{prices_for(catalog, query_.limits)},
      defaults_{planning_defaults(catalog)},
      engine_{catalog.engines.find(query_.job.engine)} {
  if (query_.job.kind == JobKind::inference) {
    memory_.emplace(model_, query_.job);
  } else {
    auto stacks = built_in_training_stacks();
    const auto* named = find_training_stack(stacks, query_.job.engine);
    stack_ = named ? *named : stacks.front();
  }
}

std::vector<ParallelPlan> Evaluator::plans(int cards) const {
  return query_.job.kind == JobKind::inference ? inference_plans(model_, query_.job, engine_, cards)
                                               : training_plans(model_, query_.job, cards);
}

PlanResult Evaluator::evaluate_plan(const RigGraph& graph, const ParallelPlan& plan, PeerAssumption assumption) const {
  return query_.job.kind == JobKind::inference ? inference(graph, plan, assumption)
                                               : evaluate_training(graph, plan, query_.job, assumption);
}

namespace {

/// Whether the copies of a plan lie alike over the machines, each within one where the engine cannot leave it.
bool may_lie_so(const ParallelPlan& plan, const RigGraph& graph, const Job& job, const Engine* engine) {
  if (graph.nodes() < 2 || job.kind != JobKind::inference) return true;
  const int of_one = graph.cards() / graph.nodes();
  const bool leaves = plan.cards > of_one;
  const bool can_leave = !engine || std::find(engine->splits.begin(), engine->splits.end(), "network") != engine->splits.end();
  if (leaves && !can_leave) return false;
  return plan.replicas == 1 || of_one % plan.cards == 0 || plan.cards % of_one == 0;
}

}  // namespace

std::vector<PlanResult> Evaluator::try_plans(const RigGraph& graph) const {
  std::vector<PlanResult> results;
  for (const auto& plan : plans(graph.cards()))
    if (may_lie_so(plan, graph, query_.job, engine_))
      results.push_back(evaluate_plan(graph, plan, PeerAssumption::unknown_is_no));
  return results;
}

std::vector<PlanResult> Evaluator::on_best_links(const Gpu& gpu, int count, bool bridged) const {
  std::vector<PlanResult> results;
  for (const auto& plan : plans(count)) {
    if (query_.job.kind == JobKind::inference) {
      const std::vector<CopyCard> copy(static_cast<std::size_t>(plan.cards), CopyCard{&gpu, std::nullopt});
      for (const auto& fabric : best_links(gpu, plan.cards, bridged, calibrations_.collectives))
        results.push_back(inference_on(plan, copy, [&] { return fabric; }));
      continue;
    }
    const auto of = [&](int cards) { return best_links(gpu, cards, bridged, calibrations_.collectives); };
    const auto tensor = of(plan.tensor), pipeline = of(plan.pipeline), data = of(plan.replicas);
    for (std::size_t i = 0; i < std::max({tensor.size(), pipeline.size(), data.size()}); ++i)
      results.push_back(training_on(plan, query_.job, gpu, [&] {
        const auto& shared = data[std::min(i, data.size() - 1)];
        TrainingFabric fabric;
        fabric.tensor = tensor[std::min(i, tensor.size() - 1)];
        fabric.pipeline = pipeline[std::min(i, pipeline.size() - 1)];
        fabric.data = fabric.shard = shared;
        return fabric;
      }));
  }
  return results;
}

namespace {

/// The rig with every slot assigned, or why it cannot be built. The topology layer reports such a rig as an unreadable input,
/// because rig files are; here it is one of many builds that are tried.
std::variant<Rig, std::string> try_slots(const Rig& rig, const Catalog& catalog) {
  try {
    auto assigned = with_slots(rig, catalog);
    if (const auto fault = find_fault(assigned, catalog)) return fault->message;
    return assigned;
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

bool fast_enough(const PlanResult& result, const Limits& limits) {
  if (!limits.min_tokens) return true;
  return (result.inference ? result.inference->decode_per_user.likely : result.tokens.likely) >= *limits.min_tokens;
}

/// What fits comes before what does not, what is fast enough before what is not, then the greater usable rate. Of those that do
/// not fit, the one that misses least.
bool better(const PlanResult& a, const PlanResult& b, const Limits& limits) {
  if (a.fits != b.fits) return a.fits;
  if (a.fits) {
    if (fast_enough(a, limits) != fast_enough(b, limits)) return fast_enough(a, limits);
    return a.usable.likely > b.usable.likely;
  }
  const auto missing = [](const PlanResult& result) {
    return result.memory.empty() ? Bytes{} : result.memory.front().used - result.memory.front().usable;
  };
  return missing(a) < missing(b);
}

/// How two links are named, for translators.
[[maybe_unused]] constexpr const char* two_links = msg("PCIe {} and PCIe {}");

std::string links_text(const RigGraph& graph) {
  std::set<std::pair<int, int>> links;
  for (const auto& kind : graph.kinds)
    for (const int device : kind.cards) {
      const auto up = kind.upward[static_cast<std::size_t>(device)];
      if (up >= 0)
        links.insert(
            {kind.links[static_cast<std::size_t>(up)].pcie.generation, kind.links[static_cast<std::size_t>(up)].pcie.lanes});
    }
  std::string text;
  for (const auto& [generation, lanes] : links) text += (text.empty() ? "" : " and ") + to_text(PcieLink{generation, lanes});
  return text;
}

/// What the rig says of machines, network and bridges.
void fill_parts(Candidate& candidate) {
  candidate.machines = candidate.rig.machines();
  for (const auto& node : candidate.rig.nodes) {
    if (!node.nics.empty()) candidate.network = node.nics.front().part;
    if (!node.bridges.empty()) candidate.bridge = node.bridges.front().part;
  }
}

/// What cards, board and circuits rule out.
void apply_parts(Candidate& candidate, const Catalog& catalog, const PriceBook& prices, const Limits& limits) {
  if (candidate.misfit != Misfit::none) return;
  auto broken = broken_by_circuits(catalog, limits, candidate.wall.peak);
  const auto& board = candidate.rig.nodes.front().board;
  if (const auto* gpu = catalog.gpus.find(candidate.gpu); gpu && !broken) broken = broken_by_parts(prices, limits, *gpu, board);
  if (!broken) return;
  candidate.misfit = broken->misfit;
  candidate.why_not = std::move(broken->why);
}

void apply_software(Candidate& candidate, const Catalog& catalog, const Query& query) {
  const auto* gpu = catalog.gpus.find(candidate.gpu);
  const auto verdict = software_verdict(catalog, query.job, *gpu);
  if (at_least(verdict.level, query.limits.software)) return;
  candidate.misfit = Misfit::software;
  candidate.why_not = software_text(verdict, catalog, *gpu);
}

std::optional<TokenRate> rate_of(const std::vector<PlanResult>& results, SplitMode split, int cards) {
  for (const auto& result : results)
    if (result.fits && result.inference && result.plan.split == split && result.plan.cards == cards)
      return result.inference->decode_per_user.likely;
  return std::nullopt;
}

/// The rig with its supplies, and what it costs and draws.
RigGraph describe(Candidate& candidate, const BillContext& bill, Rig rig) {
  auto graph = build_graph(with_supplies(bill, std::move(rig)), bill.catalog);
  candidate.rig = graph.rig;
  candidate.cards = graph.cards();
  candidate.links = links_text(graph);
  fill_parts(candidate);
  candidate.purchase = purchase_of(bill, candidate.rig);
  candidate.power = rig_power(bill.catalog, bill.defaults, candidate.rig);
  candidate.wall = wall_power(candidate.power, dc_power(candidate.power, bill.defaults, 1));
  if (candidate.cards > 0) candidate.gpu = graph.gpu(0).id;
  for (int card = 0; card < graph.cards(); ++card) candidate.vram += graph.gpu(card).vram;
  return graph;
}

Candidate& without_plan(Candidate& candidate, Misfit misfit, std::string why) {
  candidate.misfit = misfit;
  candidate.why_not = std::move(why);
  return candidate;
}

}  // namespace

void Evaluator::choose_plan(Candidate& candidate, const RigGraph& graph, std::vector<PlanResult> results,
                            bool keep_others) const {
  const auto best = std::min_element(results.begin(), results.end(),
                                     [&](const PlanResult& a, const PlanResult& b) { return better(a, b, query_.limits); });
  candidate.best = *best;
  if (candidate.best.fits && candidate.best.peer == PeerOverPcie::unknown)
    candidate.with_peer = evaluate_plan(graph, candidate.best.plan, PeerAssumption::unknown_is_yes);
  fill_running(candidate, catalog_, query_);
  const auto facts_of = [&, layer = rate_of(results, SplitMode::layer, candidate.cards),
                         tensor = rate_of(results, SplitMode::tensor, candidate.cards)](const PlanResult& result) {
    return WarningFacts{.catalog = catalog_,
                        .query = query_,
                        .model = model_,
                        .graph = graph,
                        .result = result,
                        .purchase = candidate.purchase,
                        .power = candidate.power,
                        .wall_peak = candidate.wall.peak,
                        .layer_rate = layer,
                        .tensor_rate = tensor};
  };
  candidate.warnings = warnings_of(facts_of(candidate.best));
  if (!keep_others) return;
  results.erase(best);
  for (auto& other : results) other.warnings = plan_warnings_of(facts_of(other));
  candidate.others = std::move(results);
}

Candidate Evaluator::evaluate(const Build& build, bool keep_others) const {
  Candidate candidate;
  candidate.host = build.host;
  candidate.attachment = build.attachment;
  candidate.quant = query_.job.weight_format;
  candidate.engine = query_.job.engine;
  auto with_all_slots = try_slots(build.rig, catalog_);
  if (const auto* reason = std::get_if<std::string>(&with_all_slots)) return without_plan(candidate, Misfit::no_slots, *reason);
  const auto graph = describe(candidate, {catalog_, prices_, defaults_}, std::get<Rig>(std::move(with_all_slots)));
  if (candidate.cards == 0) return without_plan(candidate, Misfit::no_plan, msg("there is no card"));

  const bool trains = query_.job.kind != JobKind::inference;
  Limits without_rate = query_.limits;
  without_rate.min_tokens.reset();
  apply_limits(candidate, without_rate, trains);
  apply_parts(candidate, catalog_, prices_, query_.limits);
  if (candidate.misfit == Misfit::none) apply_software(candidate, catalog_, query_);
  // A build that is out for its price, cards or watts needs no speed, except where it is the only one that is asked about.
  if (candidate.misfit != Misfit::none && !keep_others) return candidate;
  candidate.misfit = Misfit::none;
  candidate.why_not.clear();

  auto results = try_plans(graph);
  if (results.empty()) return without_plan(candidate, Misfit::no_plan, no_plan_text(query_.job.engine, candidate.cards));
  choose_plan(candidate, graph, std::move(results), keep_others);
  if (!candidate.best.fits) {
    candidate.misfit = Misfit::memory;
    candidate.why_not = candidate.best.shortfall;
  }
  apply_limits(candidate, query_.limits, trains);
  apply_parts(candidate, catalog_, prices_, query_.limits);
  return candidate;
}

}  // namespace rigplan
