// SPDX-License-Identifier: Apache-2.0
#include "rigplan/search/prepared_rig.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "rigplan/estimate/collectives/prepare_fabric.h"
#include "rigplan/search/plans.h"
#include "rigplan/search/rank.h"
#include "rigplan/topology/assign_slots.h"
#include "rigplan/units/format.h"
#include "search/card_facts.h"
#include "search/running.h"

namespace rigplan {

/// One way to divide the job over the cards.
struct PreparedRig::Plan {
  struct Room {
    bool fits = false;
    Bytes used, usable;  ///< of the fullest card
  };
  ParallelPlan plan;
  std::vector<int> cards;  ///< of one copy
  std::vector<CardBudget> budgets;
  std::optional<PreparedInference> speed;  ///< made when the plan fits for the first time
  PointMemo<Room> rooms;                   ///< by context and users
  PointMemo<InferenceSpeed> speeds;        ///< by users, prompt and generated tokens
};

/// What the rig costs at some prices.
struct PreparedRig::Bill {
  Rig rig;  ///< supplies that the planner chose may be others at other prices
  Purchase purchase;
  RigPower power;
  PointMemo<RunningParts> running;  ///< by horizon
};

namespace {

constexpr std::size_t most_bills = 1024;

}  // namespace

/// A plan's answer to one load.
struct PreparedRig::Outcome {
  const Plan* plan = nullptr;
  const Plan::Room* room = nullptr;
  const InferenceSpeed* speed = nullptr;  ///< where it fits

  /// The order of Evaluator: what fits, then what is fast enough, then the greater usable rate; of the rest what misses least.
  bool comes_before(const Outcome& other, const Limits& limits) const {
    if (room->fits != other.room->fits) return room->fits;
    if (!room->fits) return room->used - room->usable < other.room->used - other.room->usable;
    const auto fast = [&](const Outcome& outcome) {
      return !limits.min_tokens || outcome.speed->decode_per_user.likely >= *limits.min_tokens;
    };
    if (fast(*this) != fast(other)) return fast(*this);
    return usable_range(*speed).likely > usable_range(*other.speed).likely;
  }
};

PreparedRig::PreparedRig(const Catalog& catalog, const TransformerModel& model, const Calibrations& calibrations,
                         const Query& query, Build build)
    : catalog_{catalog}, model_{model}, calibrations_{calibrations}, job_{query.job}, build_{std::move(build)} {
  const Evaluator evaluator{catalog, model, calibrations, query};
  candidate_ = evaluator.evaluate(build_, true);
  candidate_.others.clear();
  candidate_.warnings.clear();
  if (candidate_.misfit == Misfit::no_slots || candidate_.cards == 0) {
    unbuildable_ = candidate_.misfit;
    why_unbuildable_ = candidate_.why_not;
    return;
  }
  graph_ = build_graph(candidate_.rig, catalog);
  build_.rig = with_slots(build_.rig, catalog);
  use_bill(std::numeric_limits<std::int64_t>::min(), candidate_.rig, std::move(candidate_.purchase), candidate_.power);
  if (job_.kind == JobKind::inference) memory_ = std::make_unique<PreparedMemory>(model, job_);
}

PreparedRig::~PreparedRig() = default;

void PreparedRig::use_bill(std::int64_t key, Rig rig, Purchase purchase, RigPower power) {
  if (bills_.size() >= most_bills) bills_.clear();
  auto& bill = bills_[key];
  bill = std::make_unique<Bill>(Bill{std::move(rig), std::move(purchase), std::move(power), {}});
  bill_ = bill.get();
  candidate_.purchase = {};
  candidate_.purchase.total = bill_->purchase.total;
  candidate_.purchase.unknown = bill_->purchase.unknown;
  candidate_.power = bill_->power;
}

void PreparedRig::use_prices(std::int64_t key, const std::function<const PriceBook&()>& prices) {
  if (unbuildable_ != Misfit::none) return;
  if (const auto known = bills_.find(key); known != bills_.end()) {
    bill_ = known->second.get();
    candidate_.purchase.total = bill_->purchase.total;
    candidate_.purchase.unknown = bill_->purchase.unknown;
    candidate_.power = bill_->power;
    return;
  }
  const auto& defaults = planning_defaults(catalog_);
  const BillContext context{catalog_, prices(), defaults};
  auto rig = with_supplies(context, build_.rig);
  auto purchase = purchase_of(context, rig);
  auto power = rig_power(catalog_, defaults, rig);
  use_bill(key, std::move(rig), std::move(purchase), std::move(power));
}

const std::vector<PreparedRig::Plan*>& PreparedRig::plans_for(int users) {
  const auto known = plans_of_users_.find(users);
  if (known != plans_of_users_.end()) return known->second;
  auto job = job_;
  job.users = users;
  std::vector<Plan*> found;
  for (const auto& wanted : inference_plans(model_, job, catalog_.engines.find(job_.engine), graph_.cards())) {
    auto at = std::find_if(plans_.begin(), plans_.end(), [&](const auto& plan) { return plan->plan == wanted; });
    if (at == plans_.end()) {
      auto plan = std::make_unique<Plan>();
      plan->plan = wanted;
      plan->cards = cards_of_copy(graph_, wanted);
      for (const int card : plan->cards) plan->budgets.push_back(card_budget(graph_.gpu(card), catalog_));
      at = plans_.insert(plans_.end(), std::move(plan));
    }
    found.push_back(at->get());
  }
  return plans_of_users_.emplace(users, std::move(found)).first->second;
}

const Candidate& PreparedRig::at(const Query& query) {
  if (unbuildable_ != Misfit::none) return candidate_;
  if (query.job.kind == JobKind::inference) {
    answer_inference(query);
    return candidate_;
  }
  const Evaluator evaluator{catalog_, model_, calibrations_, query};
  candidate_ = evaluator.evaluate(build_, true);
  candidate_.others.clear();
  rebill(query);
  return candidate_;
}

/// Money and limits once more, because the evaluator went by the catalog's prices.
void PreparedRig::rebill(const Query& query) {
  if (candidate_.misfit == Misfit::no_plan) return;
  candidate_.purchase = {};
  candidate_.purchase.total = bill_->purchase.total;
  candidate_.purchase.unknown = bill_->purchase.unknown;
  candidate_.power = bill_->power;
  fill_running(candidate_, planning_defaults(catalog_), query,
               running_parts(bill_->rig, bill_->purchase, catalog_, query.schedule.horizon));
  if (candidate_.misfit == Misfit::memory) return;
  candidate_.misfit = Misfit::none;
  candidate_.why_not.clear();
  apply_limits(candidate_, query.limits, true);
}

PreparedRig::Outcome PreparedRig::outcome_of(Plan& plan, const Job& job) {
  const double context = job.context.in(token), prompt = job.prompt.in(token), generate = job.generate.in(token);
  Outcome outcome{&plan, nullptr, nullptr};
  outcome.room = &plan.rooms.at({context, static_cast<double>(job.users), 0}, [&] {
    const auto memory = memory_->at(plan.plan, plan.budgets, job.context, job.users);
    const auto& fullest = memory.cards[memory.tightest()];
    return Plan::Room{memory.fit() != Fit::no, fullest.total(), fullest.capacity};
  });
  if (!outcome.room->fits) return outcome;
  outcome.speed = &plan.speeds.at({static_cast<double>(job.users), prompt, generate}, [&] {
    if (!plan.speed) {
      std::vector<CardSpeed> speeds;
      for (const int card : plan.cards) speeds.push_back(capped_speed(graph_.gpu(card), graph_.place(card).power_cap, catalog_));
      const auto fabric = prepare_fabric(graph_, plan.cards, PeerAssumption::unknown_is_no, calibrations_.collectives);
      plan.speed.emplace(model_, job_, plan.plan, speeds, fabric, calibrations_.speed);
    }
    plan.speed->use_lengths(job.prompt, job.generate);
    return plan.speed->at_lengths(job.users);
  });
  return outcome;
}

/// Makes an outcome the candidate's best.
void PreparedRig::take(const Outcome& outcome) {
  auto& best = candidate_.best;
  best.plan = outcome.plan->plan;
  best.fits = outcome.room->fits;
  best.memory.resize(1);
  best.memory.front().used = outcome.room->used;
  best.memory.front().usable = outcome.room->usable;
  best.inference.reset();
  best.tokens = {};
  best.usable = {};
  best.limited_by.clear();
  if (!outcome.speed) {
    candidate_.misfit = Misfit::memory;
    candidate_.why_not = fmt::format("misses {} on the fullest card", to_text(outcome.room->used - outcome.room->usable));
    return;
  }
  best.inference = *outcome.speed;
  best.tokens = outcome.speed->decode;
  best.usable = usable_range(*outcome.speed);
  best.limited_by = outcome.speed->limited_by;
}

void PreparedRig::answer_inference(const Query& query) {
  candidate_.misfit = Misfit::none;
  candidate_.why_not.clear();
  const auto& plans = plans_for(query.job.users);
  if (plans.empty()) {
    candidate_.misfit = Misfit::no_plan;
    candidate_.why_not = no_plan_text(query.job.engine, candidate_.cards);
    candidate_.best = {};
    return;
  }
  Outcome best;
  for (auto* plan : plans) {
    const auto outcome = outcome_of(*plan, query.job);
    if (!best.plan || outcome.comes_before(best, query.limits)) best = outcome;
  }
  take(best);
  const auto& parts = bill_->running.at({query.schedule.horizon.in(second), 0, 0}, [&] {
    return running_parts(bill_->rig, bill_->purchase, catalog_, query.schedule.horizon);
  });
  fill_running(candidate_, planning_defaults(catalog_), query, parts);
  apply_limits(candidate_, query.limits, false);
}

}  // namespace rigplan
