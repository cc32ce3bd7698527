// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/catalog/planning.h"
#include "rigplan/catalog/price.h"
#include "rigplan/units/range.h"

namespace rigplan {

/// The share of its price that a part keeps after `age`: (1 - yearly loss)^years, by whether it was bought used or new. The
/// range is that of the loss: low keeps least. For an unknown condition low and likely are the worse of the two.
Range<double> value_kept(const PlanningDefaults& defaults, Condition condition, Seconds age);

}  // namespace rigplan
