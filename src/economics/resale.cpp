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

}  // namespace rigplan
