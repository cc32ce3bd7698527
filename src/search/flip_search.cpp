// SPDX-License-Identifier: Apache-2.0
#include "search/flip_search.h"

#include <algorithm>
#include <limits>

namespace rigplan {
namespace {

std::vector<Query> without_budget(std::vector<Query> questions) {
  for (auto& question : questions) question.limits.budget.reset();
  return questions;
}

bool same_schedule(const WorkSchedule& a, const WorkSchedule& b) {
  return a.horizon == b.horizon && a.loaded_hours_per_day == b.loaded_hours_per_day &&
         a.idle_hours_per_day == b.idle_hours_per_day && a.tariff == b.tariff;
}

PriceFactors factors_for(const FlipSetting& setting, const BuildChoice& choice) {
  if (setting.item.empty()) return {};
  if (setting.lever == FlipLever::card_price) return {.card = choice.gpu->id == setting.item ? setting.factor : 1};
  return {.board = choice.kit->board == setting.item ? setting.factor : 1};
}

}  // namespace

FlipSearch::FlipSearch(const Catalog& catalog, const TransformerModel& model, const Calibrations& calibrations,
                       std::vector<Query> questions)
    : catalog_{catalog},
      budget_{questions.front().limits.budget},
      search_{catalog, model, calibrations, without_budget(std::move(questions))},
      by_{search_.query().by},
      now_{search_.query().schedule},
      builds_{search_.builds(by_)},
      seen_(static_cast<std::size_t>(search_.candidates())) {}

std::size_t FlipSearch::number(const Bounded& build) const {
  const auto& choices = search_.space().choices;
  return build.question * choices.size() + static_cast<std::size_t>(build.choice - choices.data());
}

void FlipSearch::use_schedule(const WorkSchedule& schedule) {
  if (same_schedule(schedule, now_)) return;
  now_ = schedule;
  search_.use_schedule(schedule);
  for (auto& build : priced_) build.use_schedule(catalog_, schedule);
}

double FlipSearch::bound(const FlipSetting& setting, const Bounded& build) const {
  const auto& bounds = search_.bounds(build);
  const auto factors = factors_for(setting, *build.choice);
  if (budget_ && bounds.price(*build.choice, factors) > *budget_) return std::numeric_limits<double>::infinity();
  return bounds.value(*build.choice, by_, factors);
}

bool FlipSearch::may_beat(const FlipSetting& setting, std::span<const Bounded> builds, double value) const {
  return std::any_of(builds.begin(), builds.end(), [&](const Bounded& build) { return bound(setting, build) < value; });
}

FlipSearch::Best FlipSearch::best_known(const FlipSetting& setting) const {
  auto prices = items_.prices();
  if (const auto item = items_.find(setting.item); item && !setting.item.empty())
    prices[*item] = Range<Yuan>::exactly(setting.factor * prices[*item].likely);
  Best best{std::numeric_limits<double>::infinity()};
  for (const auto& build : priced_) {
    const auto bill = build.bill(prices);
    if (budget_ && bill.total > *budget_) continue;
    const auto value = build.value(by_, bill);
    if (value && *value < best.value) best = {*value, &build.candidate()};
  }
  return best;
}

void FlipSearch::look_at(std::span<const Bounded> some) {
  std::vector<Candidate> looked_at;
  search_.look_at(some, looked_at);
  for (const auto& build : some) seen_[number(build)] = true;
  for (auto& candidate : looked_at) {
    if (candidate.misfit != Misfit::none) continue;
    candidates_.push_back(std::move(candidate));
    priced_.emplace_back(catalog_, candidates_.back(), search_.query().schedule, items_).use_schedule(catalog_, now_);
  }
}

const Candidate* FlipSearch::first(const FlipSetting& setting, std::span<const Bounded> builds) {
  use_schedule(setting.schedule);
  auto best = best_known(setting);
  std::vector<Bounded> open;
  for (const auto& build : builds) {
    if (seen_[number(build)]) continue;
    const auto least = bound(setting, build);
    if (least < best.value) open.push_back({least, build.choice, build.question});
  }
  sort_by_bound(open);
  for (std::size_t next = 0; next < open.size() && open[next].bound < best.value; next += looks_at_once) {
    look_at(std::span{open}.subspan(next, std::min(looks_at_once, open.size() - next)));
    best = best_known(setting);
  }
  return best.candidate;
}

double FlipSearch::value(const FlipSetting& setting) {
  use_schedule(setting.schedule);
  return best_known(setting).value;
}

}  // namespace rigplan
