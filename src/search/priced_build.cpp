// SPDX-License-Identifier: Apache-2.0
#include "search/priced_build.h"

#include <algorithm>

#include "rigplan/economics/energy.h"
#include "rigplan/economics/resale.h"
#include "rigplan/search/rank.h"

namespace rigplan {

std::uint32_t BillItems::number_of(const PurchaseLine& line) {
  const auto [at, is_new] = numbers_.try_emplace(line.item, static_cast<std::uint32_t>(ids_.size()));
  if (is_new) {
    ids_.push_back(line.item);
    prices_.push_back(*line.each);
  }
  return at->second;
}

std::optional<std::uint32_t> BillItems::find(const std::string& id) const {
  const auto at = numbers_.find(id);
  return at == numbers_.end() ? std::nullopt : std::optional{at->second};
}

PricedBuild::PricedBuild(const Catalog& catalog, const Candidate& candidate, const WorkSchedule& evaluated, BillItems& items)
    : candidate_{&candidate}, evaluated_{evaluated}, reserve_share_{planning_defaults(catalog).power_share} {
  for (const auto& line : candidate.purchase.lines) {
    if (!line.each || line.kind == BillKind::reserve) continue;
    lines_.push_back({.item = items.number_of(line),
                      .count = line.count,
                      .counts_spent = line.kind == BillKind::supply || line.kind == BillKind::cooling});
  }
  use_schedule(catalog, evaluated);
}

void PricedBuild::use_schedule(const Catalog& catalog, const WorkSchedule& schedule) {
  schedule_ = schedule;
  const auto& defaults = planning_defaults(catalog);
  upkeep_ = defaults.upkeep_per_year * (schedule.horizon / (12 * month));
  energy_ = energy_used(candidate_->loaded, schedule.loaded_hours_per_day, candidate_->idle, schedule.idle_hours_per_day,
                        schedule.horizon) *
            schedule.tariff;
  std::size_t i = 0;
  for (const auto& line : candidate_->purchase.lines) {
    if (!line.each || line.kind == BillKind::reserve) continue;
    lines_[i++].kept = resale_share(catalog, line, defaults, schedule.horizon).likely;
  }
}

PricedBuild::Bill PricedBuild::bill(const std::vector<Range<Yuan>>& prices) const {
  Yuan low, likely, spent_low, spent, kept;
  for (const auto& line : lines_) {
    const auto& price = prices[line.item];
    low += line.count * price.low;
    likely += line.count * price.likely;
    kept += line.kept * line.count * price.likely;
    if (!line.counts_spent) continue;
    spent_low += line.count * price.low;
    spent += line.count * price.likely;
  }
  const auto missing = [&](Yuan all, Yuan of_it) { return (reserve_share_ * all - of_it) / (1 - reserve_share_); };
  const auto total = likely + std::max({Yuan{}, missing(likely, spent), missing(low, spent_low)});
  return {total, total - kept + upkeep_ * total};
}

std::optional<double> PricedBuild::value(RankBy by, const Bill& bill, double speed) const {
  const auto before = rank_value(*candidate_, by);
  if (!before) return std::nullopt;
  const auto cost = (bill.gone + energy_) / candidate_->cost.total().likely;
  switch (by) {
    case RankBy::yuan_per_usable_tflop:
    case RankBy::yuan_per_token_rate:
      return *before * cost / speed;
    case RankBy::yuan_per_mtoken: {
      const auto worked = [](const WorkSchedule& s) { return s.loaded_hours_per_day * s.horizon; };
      return *before * cost / speed * (worked(evaluated_) / worked(schedule_));
    }
    case RankBy::price:
      return bill.total.in(yuan);
    case RankBy::yuan_per_gib:
      return *before * (bill.total / candidate_->purchase.total.likely);
    case RankBy::cost:
      return (bill.gone + energy_).in(yuan);
    case RankBy::decode:
    case RankBy::prefill:
    case RankBy::usable:
      return *before * speed;
    case RankBy::watts:
    case RankBy::vram:
      return before;
  }
  return std::nullopt;
}

}  // namespace rigplan
