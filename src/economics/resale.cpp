// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/resale.h"

#include <algorithm>
#include <cmath>

namespace rigplan {

Range<double> value_kept(const PlanningDefaults& defaults, Condition condition, Seconds age) {
  const double years = age / (12 * month);
  const auto kept = [&](double loss) { return std::pow(1 - std::clamp(loss, 0.0, 1.0), years); };
  const auto of = [&](Range<double> loss) { return Range<double>{kept(loss.high), kept(loss.likely), kept(loss.low)}; };
  const auto used = of(defaults.loss_per_year_used), fresh = of(defaults.loss_per_year_new);
  if (condition == Condition::fresh) return fresh;
  if (condition == Condition::unknown) return {std::min(used.low, fresh.low), std::min(used.likely, fresh.likely), used.high};
  return used;
}

namespace {

/// Geometric between two ages; a share of 0 stays 0.
double kept_between(double from, double to, double part) { return from <= 0 ? 0 : from * std::pow(to / from, part); }

Range<double> kept_between(const Range<double>& from, const Range<double>& to, double part) {
  return {kept_between(from.low, to.low, part), kept_between(from.likely, to.likely, part),
          kept_between(from.high, to.high, part)};
}

}  // namespace

Range<double> value_kept(const ResaleCurve& curve, Seconds age) {
  ResaleCurve::Point before{{}, Range<double>::exactly(1)};
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const auto& point = curve.points[i];
    if (age <= point.age || i + 1 == curve.points.size())
      return kept_between(before.kept, point.kept, (age - before.age) / (point.age - before.age));
    before = point;
  }
  return before.kept;
}

std::string_view resale_class(const Catalog& catalog, const PurchaseLine& line) {
  switch (line.kind) {
    case BillKind::card:
    case BillKind::spare: {
      const auto* gpu = catalog.gpus.find(line.item);
      if (gpu && gpu->form != CardForm::pcie) return "accelerator-module";
      return line.condition == Condition::fresh ? "new-card" : "used-card";
    }
    case BillKind::board:
    case BillKind::processor:
    case BillKind::memory:
    case BillKind::network:
      return "platform";
    case BillKind::supply:
    case BillKind::enclosure:
    case BillKind::storage:
    case BillKind::bridge:
      return "supply";
    default:
      return {};
  }
}

Range<double> resale_share(const Catalog& catalog, const PurchaseLine& line, const PlanningDefaults& defaults, Seconds age) {
  const auto part = resale_class(catalog, line);
  if (part.empty()) return {};
  const auto curve =
      std::find_if(defaults.resale.begin(), defaults.resale.end(), [&](const ResaleCurve& known) { return known.part == part; });
  return curve != defaults.resale.end() ? value_kept(*curve, age) : value_kept(defaults, line.condition, age);
}

Range<Yuan> resale_of(const Catalog& catalog, const Purchase& purchase, const PlanningDefaults& defaults, Seconds age) {
  Range<Yuan> resale;
  for (const auto& line : purchase.lines) {
    const auto sum = line.total();
    if (!sum) continue;
    const auto kept = resale_share(catalog, line, defaults, age);
    resale += Range<Yuan>{kept.low * sum->low, kept.likely * sum->likely, kept.high * sum->high};
  }
  return resale;
}

}  // namespace rigplan
