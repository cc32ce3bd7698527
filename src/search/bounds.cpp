// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "rigplan/economics/energy.h"
#include "rigplan/economics/resale.h"
#include "rigplan/search/limits.h"
#include "rigplan/search/software.h"
#include "rigplan/units/format.h"
#include "search/card_facts.h"
#include "search/parallel.h"
#include "search/running.h"

namespace rigplan {
namespace {

/// The share of a line's price that is gone after the horizon: what resale does not bring back, and upkeep.
double gone_share(const Evaluator& evaluator, const WorkSchedule& schedule, const PurchaseLine& line) {
  const auto& defaults = planning_defaults(evaluator.catalog());
  return 1 - resale_share(evaluator.catalog(), line, defaults, schedule.horizon).likely +
         defaults.upkeep_per_year * (schedule.horizon / (12 * month));
}

HostBound host_bound(const Evaluator& evaluator, const WorkSchedule& schedule, const HostKit& kit) {
  const auto& defaults = planning_defaults(evaluator.catalog());
  Rig bare;
  bare.nodes.emplace_back();
  bare.nodes.back().board = kit.board;
  bare.nodes.back().cpu = kit.cpu;
  HostBound bound;
  for (const auto& line : purchase_of({evaluator.catalog(), evaluator.prices(), defaults}, bare).lines) {
    const bool depends_on_cards =
        line.kind == BillKind::supply || line.kind == BillKind::cooling || line.kind == BillKind::reserve;
    const auto sum = line.total();
    if (depends_on_cards || !sum) continue;
    const auto gone = gone_share(evaluator, schedule, line) * sum->likely;
    bound.price += sum->likely;
    bound.gone += gone;
    if (line.kind != BillKind::board) continue;
    bound.board_price += sum->likely;
    bound.board_gone += gone;
  }
  const auto power = rig_power(evaluator.catalog(), defaults, bare);
  bound.idle = power.host_idle;
  bound.busy = power.host_busy;
  return bound;
}

/// What the cards alone draw while the job runs under a plan, in the phase that draws least.
Watts loaded_cards(const RigPower& cards, const PlanningDefaults& defaults, const PlanResult& result, const Job& job) {
  const auto power = dc_power(cards, defaults, busy_share(result, job, cards.cards));
  return job.kind == JobKind::inference ? std::min(power.decode, power.prefill) : power.training;
}

void add_plans(CardsBound& bound, const Evaluator& evaluator, const RigPower& power, const Gpu& gpu, int count, bool bridged) {
  const auto& query = evaluator.query();
  const auto results = evaluator.on_best_links(gpu, count, bridged);
  const PlanResult* nearest = nullptr;
  for (const auto& result : results) {
    if (!result.fits) {
      if (!nearest || result.memory.front().free() > nearest->memory.front().free()) nearest = &result;
      continue;
    }
    const auto& speed = result.inference;
    bound.plans.push_back({.usable = result.usable.likely,
                           .tokens = result.tokens.likely,
                           .per_user = speed ? speed->decode_per_user.likely : result.tokens.likely,
                           .prefill = speed ? speed->prefill.likely : TokenRate{},
                           .loaded = loaded_cards(power, planning_defaults(evaluator.catalog()), result, query.job)});
  }
  if (!bound.plans.empty()) return;
  bound.misfit = results.empty() ? Misfit::no_plan : Misfit::memory;
  bound.why_not = results.empty() ? no_plan_text(query.job.engine, count) : nearest->shortfall;
}

double cards_gone(const Evaluator& evaluator, const WorkSchedule& schedule, const Gpu& gpu) {
  PurchaseLine line{.kind = BillKind::card, .item = gpu.id};
  line.condition = evaluator.prices().find(gpu.id)->condition;
  return gone_share(evaluator, schedule, line);
}

CardsBound cards_bound(const Evaluator& evaluator, const CardSet& group) {
  const auto& catalog = evaluator.catalog();
  const auto& query = evaluator.query();
  const auto& defaults = planning_defaults(catalog);
  const auto& gpu = *group.gpu;
  const int count = group.cards;
  const auto& price = *evaluator.prices().find(gpu.id);
  CardsBound bound;
  bound.price = count * price.range.likely;
  bound.gone = cards_gone(evaluator, query.schedule, gpu);
  bound.vram = count * gpu.vram;
  Rig loose;
  loose.nodes.emplace_back();
  CardPlace place;
  place.gpu = gpu.id;
  loose.nodes.back().cards.assign(static_cast<std::size_t>(count), place);
  const auto power = rig_power(catalog, defaults, loose);
  bound.peak = power.cards_rated;
  bound.idle = power.cards_idle;

  const auto verdict = software_verdict(catalog, query.job, gpu);
  if (!at_least(verdict.level, query.limits.software)) {
    bound.misfit = Misfit::software;
    bound.why_not = software_text(verdict, catalog, gpu);
  } else if (!query.limits.budget || bound.price <= *query.limits.budget) {
    add_plans(bound, evaluator, power, gpu, count, group.bridged);
  }
  return bound;
}

template <class F>
double least_of(const std::vector<CardsBound::Plan>& plans, F value) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& plan : plans) least = std::min(least, value(plan));
  return least;
}

}  // namespace

Bounds::Bounds(const Evaluator& evaluator, const Space& space)
    : evaluator_{evaluator}, space_{space}, cards_(space.groups.size()), hosts_(space.hosts.size()) {
  for_each_in_parallel(cards_.size(), [&](std::size_t i) { cards_[i] = cards_bound(evaluator, space.groups[i]); });
  bare_share_ = 1 - planning_defaults(evaluator.catalog()).power_share;
  use_schedule(evaluator.query().schedule);
}

void Bounds::use_schedule(const WorkSchedule& schedule) {
  schedule_ = schedule;
  const Gpu* last = nullptr;
  double gone = 1;
  for (std::size_t i = 0; i < cards_.size(); ++i) {
    if (space_.groups[i].gpu != last) {
      last = space_.groups[i].gpu;
      gone = cards_gone(evaluator_, schedule_, *last);
    }
    cards_[i].gone = gone;
  }
  for (std::size_t i = 0; i < hosts_.size(); ++i) hosts_[i] = host_bound(evaluator_, schedule_, *space_.hosts[i]);
  supply_gone_ = gone_share(evaluator_, schedule_, {.kind = BillKind::supply});
  for (const auto& network : space_.networks) {
    auto bound = extra(*network.nic, BillKind::network, network.machines);
    if (network.network_switch) {
      const auto one = extra(*network.network_switch, BillKind::network, 1);
      bound = {bound.price + one.price, bound.gone + one.gone};
    }
    networks_[&network] = bound;
  }
  for (const auto& choice : space_.choices)
    if (choice.bridge && !bridges_.contains(choice.bridge)) bridges_[choice.bridge] = {};
  for (auto& [bridge, bound] : bridges_) bound = extra(*bridge, BillKind::bridge, 1);
}

ExtraBound Bounds::extra(const Part& part, BillKind kind, int count) const {
  const auto* price = evaluator_.prices().find(part.id);
  if (!price) return {};
  PurchaseLine line{.kind = kind, .item = part.id};
  line.condition = price->condition;
  const auto sum = count * price->range.likely;
  return {sum, gone_share(evaluator_, schedule_, line) * sum};
}

ExtraBound Bounds::around_cards(const BuildChoice& choice, double board_factor) const {
  const auto& of_host = host(choice);
  ExtraBound all{choice.machines * (of_host.price + (board_factor - 1) * of_host.board_price),
                 choice.machines * (of_host.gone + (board_factor - 1) * of_host.board_gone)};
  const auto add = [&](const ExtraBound& one, int count) {
    all.price += count * one.price;
    all.gone += count * one.gone;
  };
  if (choice.network) add(networks_.at(choice.network), 1);
  if (choice.bridge)
    add(bridges_.at(choice.bridge), choice.machines * (choice.cards / std::get<BridgePart>(choice.bridge->what).cards));
  return all;
}

Yuan Bounds::price(const BuildChoice& choice, const PriceFactors& factors) const {
  return (factors.card * cards(choice).price + around_cards(choice, factors.board).price) / bare_share_;
}

Misfit Bounds::misfit(const BuildChoice& choice, const PriceFactors& factors) const {
  const auto& limits = evaluator_.query().limits;
  const auto& bound = cards(choice);
  // In the order of apply_limits(), what the job cannot do at all first.
  if (bound.misfit != Misfit::none) return bound.misfit;
  if (limits.budget && price(choice, factors) > *limits.budget) return Misfit::budget;
  if (const auto broken = broken_by_circuits(evaluator_.catalog(), limits, draw(choice))) return broken->misfit;
  if (!limits.coolings.empty() || limits.no_old_prices)
    if (const auto broken = broken_by_parts(evaluator_.prices(), limits, *choice.gpu, choice.kit->board)) return broken->misfit;
  if (limits.max_watts && draw(choice) > *limits.max_watts) return Misfit::watts;
  const auto fast = [&](const CardsBound::Plan& plan) { return plan.per_user >= *limits.min_tokens; };
  if (limits.min_tokens && std::none_of(bound.plans.begin(), bound.plans.end(), fast)) return Misfit::speed;
  return Misfit::none;
}

std::string Bounds::why_not(const BuildChoice& choice) const {
  const auto& limits = evaluator_.query().limits;
  const auto& bound = cards(choice);
  switch (misfit(choice)) {
    case Misfit::none:
      return {};
    case Misfit::budget:
      return fmt::format("at least {} over the budget", rigplan::to_text(price(choice) - *limits.budget));
    case Misfit::watts:
      return fmt::format("draws {} or more", rigplan::to_text(draw(choice)));
    case Misfit::circuits:
      return broken_by_circuits(evaluator_.catalog(), limits, draw(choice))->why;
    case Misfit::cooling:
    case Misfit::old_price:
      return broken_by_parts(evaluator_.prices(), limits, *choice.gpu, choice.kit->board)->why;
    case Misfit::speed:
      return fmt::format("slower than {} even with links that cost no time", rigplan::to_text(*limits.min_tokens));
    default:
      return bound.why_not;
  }
}

Yuan Bounds::cost(const BuildChoice& choice, const CardsBound::Plan& plan, const PriceFactors& factors) const {
  const auto& of_cards = cards(choice);
  const auto& of_host = host(choice);
  const auto energy = energy_used(schedule_.pue * (plan.loaded + choice.machines * of_host.busy), schedule_.loaded_hours_per_day,
                                  schedule_.pue * (of_cards.idle + choice.machines * of_host.idle), schedule_.idle_hours_per_day,
                                  schedule_.horizon);
  const auto parts = of_cards.gone * factors.card * of_cards.price + around_cards(choice, factors.board).gone;
  const auto supplies = (1 - bare_share_) * price(choice, factors);
  return parts + supply_gone_ * supplies + energy * schedule_.tariff;
}

double Bounds::value(const BuildChoice& choice, RankBy by, const PriceFactors& factors) const {
  const auto& of_cards = cards(choice);
  const auto& plans = of_cards.plans;
  const auto loaded = schedule_.horizon / day * schedule_.loaded_hours_per_day * hour;
  using Plan = CardsBound::Plan;
  const auto cost_of = [&](const Plan& plan) { return cost(choice, plan, factors); };
  switch (by) {
    case RankBy::yuan_per_usable_tflop:
      return least_of(plans, [&](const Plan& p) { return (cost_of(p) / p.usable).in(yuan_per_TFLOP_per_s); });
    case RankBy::price:
      return price(choice, factors).in(yuan);
    case RankBy::decode:
      return least_of(plans, [](const Plan& p) { return -p.per_user.in(token_per_s); });
    case RankBy::prefill:
      return least_of(plans, [](const Plan& p) { return -p.prefill.in(token_per_s); });
    case RankBy::usable:
      return least_of(plans, [](const Plan& p) { return -p.usable.in(TFLOP_per_s); });
    case RankBy::yuan_per_mtoken:
      return least_of(plans, [&](const Plan& p) { return (cost_of(p) / (loaded * p.tokens)).in(yuan_per_Mtoken); });
    case RankBy::yuan_per_token_rate:
      return least_of(plans, [&](const Plan& p) { return (cost_of(p) / p.tokens).in(yuan_per_token_per_s); });
    case RankBy::yuan_per_gib:
      return (price(choice, factors) / of_cards.vram).in(yuan_per_GiB);
    case RankBy::watts:
      return draw(choice).in(watt);
    case RankBy::cost:
      return least_of(plans, [&](const Plan& p) { return cost_of(p).in(yuan); });
    case RankBy::vram:
      return -of_cards.vram.in(GiB);
  }
  return 0;
}

}  // namespace rigplan
