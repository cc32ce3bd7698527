// SPDX-License-Identifier: Apache-2.0
#include "search/running.h"

#include <algorithm>

#include "rigplan/economics/energy.h"
#include "rigplan/economics/resale.h"

namespace rigplan {

double busy_share(const PlanResult& result, const Job& job, int cards) {
  if (cards == 0) return 0;
  const auto& plan = result.plan;
  const double used = static_cast<double>(plan.cards) * plan.replicas / cards;
  if (job.kind != JobKind::inference || plan.split != SplitMode::layer || plan.cards <= 1) return std::min(1.0, used);
  const double streams = static_cast<double>(job.users) / plan.replicas;
  return std::min(1.0, used) * std::min(1.0, streams / plan.cards);
}

double prefill_share(const PlanResult& result, const Job& job) {
  if (!result.inference) return 0;
  const auto& speed = *result.inference;
  if (speed.prefill.likely <= TokenRate{} || speed.decode.likely <= TokenRate{}) return 0;
  // Prompts of a copy come one after another; its streams decode together.
  const auto prompts = static_cast<double>(job.users) / result.plan.replicas * (job.prompt / speed.prefill.likely);
  const auto decode = job.generate / speed.decode_per_user.likely;
  return prompts / (prompts + decode);
}

namespace {

FlopRate peak_of(const Gpu& gpu) {
  const auto& peaks = gpu.peaks;
  for (const auto& rate : {peaks.fp16_matrix, peaks.fp16_vector, peaks.fp32})
    if (rate) return *rate;
  return {};
}

}  // namespace

RunningParts running_parts(const Rig& rig, const Purchase& purchase, const Catalog& catalog, Seconds horizon) {
  RunningParts parts;
  parts.resale = resale_of(catalog, purchase, planning_defaults(catalog), horizon);
  for (const auto& node : rig.nodes)
    for (const auto& place : node.cards)
      if (const auto* gpu = catalog.gpus.find(place.gpu)) parts.peak += node.count * peak_of(*gpu);
  return parts;
}

void fill_running(Candidate& candidate, const Catalog& catalog, const Query& query) {
  fill_running(candidate, planning_defaults(catalog), query,
               running_parts(candidate.rig, candidate.purchase, catalog, query.schedule.horizon));
}

void fill_running(Candidate& candidate, const PlanningDefaults& defaults, const Query& query, const RunningParts& parts) {
  const auto& schedule = query.schedule;
  const auto& job = query.job;
  const auto dc = dc_power(candidate.power, defaults, busy_share(candidate.best, job, candidate.cards));
  candidate.wall = wall_power(candidate.power, dc);
  const double prefill = prefill_share(candidate.best, job);
  candidate.loaded = job.kind == JobKind::inference ? prefill * candidate.wall.prefill + (1 - prefill) * candidate.wall.decode
                                                    : candidate.wall.training;
  candidate.loaded *= schedule.pue;
  candidate.idle = schedule.pue * candidate.wall.idle;
  candidate.energy =
      energy_used(candidate.loaded, schedule.loaded_hours_per_day, candidate.idle, schedule.idle_hours_per_day, schedule.horizon);

  const auto years = schedule.horizon / (12 * month);
  candidate.cost = {.purchase = candidate.purchase.total,
                    .resale = parts.resale,
                    .energy = Range<Yuan>::exactly(candidate.energy * schedule.tariff),
                    .upkeep = defaults.upkeep_per_year * years * candidate.purchase.total};
  const double days = schedule.horizon / day;
  candidate.merit = merit_of(candidate.cost, {.usable = candidate.best.usable,
                                              .peak = parts.peak,
                                              .tokens = (1 - prefill) * candidate.best.tokens,
                                              .loaded = days * schedule.loaded_hours_per_day * hour,
                                              .vram = candidate.vram});
}

}  // namespace rigplan
