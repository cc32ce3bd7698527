// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "rigplan/economics/energy.h"
#include "rigplan/economics/resale.h"
#include "rigplan/search/software.h"
#include "rigplan/units/format.h"
#include "search/card_facts.h"
#include "search/parallel.h"
#include "search/running.h"

namespace rigplan {
namespace {

/// What of a price is gone after the horizon: what resale does not bring back, and upkeep.
Yuan gone(const PlanningDefaults& defaults, const WorkSchedule& schedule, Yuan price, Condition condition) {
  const double years = schedule.horizon / (12 * month);
  return (1 - value_kept(defaults, condition, schedule.horizon).likely + defaults.upkeep_per_year * years) * price;
}

HostBound host_bound(const Evaluator& evaluator, const HostKit& kit) {
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
    bound.price += sum->likely;
    bound.kept += gone(defaults, evaluator.query().schedule, sum->likely, line.condition);
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

void add_plans(CardsBound& bound, const Evaluator& evaluator, const RigPower& power, const Gpu& gpu, int count) {
  const auto& query = evaluator.query();
  const auto results = evaluator.on_best_links(gpu, count);
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

CardsBound cards_bound(const Evaluator& evaluator, const Gpu& gpu, int count) {
  const auto& catalog = evaluator.catalog();
  const auto& query = evaluator.query();
  const auto& defaults = planning_defaults(catalog);
  const auto& price = *evaluator.prices().find(gpu.id);
  CardsBound bound;
  bound.price = count * price.range.likely;
  bound.kept = gone(defaults, query.schedule, bound.price, price.condition);
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
    add_plans(bound, evaluator, power, gpu, count);
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

Bounds::Bounds(const Evaluator& evaluator, const std::vector<BuildChoice>& choices) : query_{evaluator.query()} {
  for (const auto& choice : choices) {
    cards_[choice.gpu].try_emplace(choice.cards);
    hosts_.try_emplace(choice.kit);
  }
  std::vector<std::pair<const Gpu*, std::map<int, CardsBound>*>> kinds;
  for (auto& [gpu, counts] : cards_) kinds.emplace_back(gpu, &counts);
  for_each_in_parallel(kinds.size(), [&](std::size_t i) {
    for (auto& [count, bound] : *kinds[i].second) bound = cards_bound(evaluator, *kinds[i].first, count);
  });
  for (auto& [kit, bound] : hosts_) bound = host_bound(evaluator, *kit);
}

const CardsBound& Bounds::cards(const BuildChoice& choice) const { return cards_.at(choice.gpu).at(choice.cards); }
const HostBound& Bounds::host(const BuildChoice& choice) const { return hosts_.at(choice.kit); }

Yuan Bounds::price(const BuildChoice& choice) const { return cards(choice).price + host(choice).price; }

Misfit Bounds::misfit(const BuildChoice& choice) const {
  const auto& limits = query_.limits;
  const auto& bound = cards(choice);
  // In the order of apply_limits(), what the job cannot do at all first.
  if (bound.misfit != Misfit::none) return bound.misfit;
  if (limits.budget && price(choice) > *limits.budget) return Misfit::budget;
  if (limits.max_watts && bound.peak + host(choice).busy > *limits.max_watts) return Misfit::watts;
  const auto fast = [&](const CardsBound::Plan& plan) { return plan.per_user >= *limits.min_tokens; };
  if (limits.min_tokens && std::none_of(bound.plans.begin(), bound.plans.end(), fast)) return Misfit::speed;
  return Misfit::none;
}

std::string Bounds::why_not(const BuildChoice& choice) const {
  const auto& bound = cards(choice);
  switch (misfit(choice)) {
    case Misfit::none:
      return {};
    case Misfit::budget:
      return fmt::format("at least {} over the budget", rigplan::to_text(price(choice) - *query_.limits.budget));
    case Misfit::watts:
      return fmt::format("draws {} or more", rigplan::to_text(bound.peak + host(choice).busy));
    case Misfit::speed:
      return fmt::format("slower than {} even with links that cost no time", rigplan::to_text(*query_.limits.min_tokens));
    default:
      return bound.why_not;
  }
}

Yuan Bounds::cost(const CardsBound& cards, const HostBound& host, const CardsBound::Plan& plan) const {
  const auto& schedule = query_.schedule;
  const auto energy = energy_used(schedule.pue * (plan.loaded + host.busy), schedule.loaded_hours_per_day,
                                  schedule.pue * (cards.idle + host.idle), schedule.idle_hours_per_day, schedule.horizon);
  return cards.kept + host.kept + energy * schedule.tariff;
}

double Bounds::value(const BuildChoice& choice) const {
  const auto& of_cards = cards(choice);
  const auto& of_host = host(choice);
  const auto& plans = of_cards.plans;
  const auto loaded = query_.schedule.horizon / day * query_.schedule.loaded_hours_per_day * hour;
  using Plan = CardsBound::Plan;
  switch (query_.by) {
    case RankBy::yuan_per_usable_tflop:
      return least_of(plans, [&](const Plan& p) { return (cost(of_cards, of_host, p) / p.usable).in(yuan_per_TFLOP_per_s); });
    case RankBy::price:
      return price(choice).in(yuan);
    case RankBy::decode:
      return least_of(plans, [](const Plan& p) { return -p.per_user.in(token_per_s); });
    case RankBy::prefill:
      return least_of(plans, [](const Plan& p) { return -p.prefill.in(token_per_s); });
    case RankBy::usable:
      return least_of(plans, [](const Plan& p) { return -p.usable.in(TFLOP_per_s); });
    case RankBy::yuan_per_mtoken:
      return least_of(plans,
                      [&](const Plan& p) { return (cost(of_cards, of_host, p) / (loaded * p.tokens)).in(yuan_per_Mtoken); });
    case RankBy::yuan_per_token_rate:
      return least_of(plans, [&](const Plan& p) { return (cost(of_cards, of_host, p) / p.tokens).in(yuan_per_token_per_s); });
    case RankBy::yuan_per_gib:
      return (price(choice) / of_cards.vram).in(yuan_per_GiB);
    case RankBy::watts:
      return (of_cards.peak + of_host.busy).in(watt);
  }
  return 0;
}

}  // namespace rigplan
