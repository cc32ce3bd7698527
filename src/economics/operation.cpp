// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/operation.h"

#include <fmt/format.h>

#include <algorithm>

#include "rigplan/units/format.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

std::string source_of(const PlanningDefaults& defaults, const std::string& field) {
  const auto* figure = find_figure(defaults, field);
  return figure && !figure->sources.empty() ? figure->sources.all().front().where : "";
}

SiteCost upkeep_of(const Catalog& catalog, const PlanningDefaults& defaults, const Rig& rig, Seconds horizon) {
  double hours = 0;
  for (const auto& node : rig.nodes) {
    const auto level = node.cards.empty() ? SupportLevel::supported : maker_support(catalog, node.cards.front().gpu);
    hours += node.count * labour_hours(defaults.labour, level);
  }
  SiteCost line{.name = msg("software upkeep"), .count = (hours * (horizon / month)) * defaults.labour_spread, .unit = msg("h")};
  line.amount = map_range(line.count, [&](double h) { return h * hour * defaults.labour_price; });
  line.how = fmt::format("{} h a month for each machine, {} months, {} yuan/h", format_number(hours / rig.machines()),
                         format_number(horizon / month), format_number(defaults.labour_price.in(yuan_per_hour)));
  line.source = source_of(defaults, "labour_hours_per_month");
  return line;
}

SiteCost failures_of(const PlanningDefaults& defaults, const Purchase& purchase, Seconds horizon) {
  Range<double> failed;
  double cards = 0, spares = 0;
  Range<Yuan> paid;
  for (const auto& line : purchase.lines) {
    if (line.kind == BillKind::spare) spares += line.count;
    if (line.kind != BillKind::card) continue;
    cards += line.count;
    failed +=
        line.count * (line.condition == Condition::fresh ? defaults.failures_per_year_new : defaults.failures_per_year_used);
    paid += line.total().value_or(Range<Yuan>{});
  }
  SiteCost line{.name = msg("cards that fail"), .count = (horizon / (12 * month)) * failed};
  if (cards > 0) {
    const auto bought = map_range(line.count, [&](double n) { return std::max(0.0, n - spares); });
    line.amount =
        Range<Yuan>{bought.low / cards * paid.low, bought.likely / cards * paid.likely, bought.high / cards * paid.high};
  }
  line.how = fmt::format("{} % of the cards a year, {} months; spares in the bill: {}",
                         format_range(cards > 0 ? 100 / cards * failed : Range<double>{}), format_number(horizon / month),
                         format_number(spares));
  line.source = source_of(defaults, "failures_per_year_used");
  return line;
}

}  // namespace

SupportLevel maker_support(const Catalog& catalog, const std::string& gpu_id) {
  const auto* gpu = catalog.gpus.find(gpu_id);
  if (!gpu) return SupportLevel::unknown;
  for (const auto& support : catalog.support)
    if (support.architecture == gpu->architecture && (support.engine == "rocm" || support.engine == "cuda")) return support.level;
  return SupportLevel::unknown;
}

double labour_hours(const UpkeepHours& hours, SupportLevel level) {
  switch (level) {
    case SupportLevel::supported:
      return hours.supported;
    case SupportLevel::ended:
    case SupportLevel::unsupported:
      return hours.ended;
    default:
      return hours.community;
  }
}

std::vector<SiteCost> operation_of(const Catalog& catalog, const PlanningDefaults& defaults, const Rig& rig,
                                   const Purchase& purchase, Seconds horizon) {
  return {upkeep_of(catalog, defaults, rig, horizon), failures_of(defaults, purchase, horizon)};
}

}  // namespace rigplan
