// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/catalog/planning.h"
#include "rigplan/catalog/price.h"
#include "rigplan/economics/purchase.h"
#include "rigplan/units/range.h"

namespace rigplan {

/// The share of its price that a part keeps after `age`: (1 - yearly loss)^years, by whether it was bought used or new. The
/// range is that of the loss: low keeps least. For an unknown condition low and likely are the worse of the two.
Range<double> value_kept(const PlanningDefaults& defaults, Condition condition, Seconds age);

/// The share that a curve gives: see ResaleCurve.
Range<double> value_kept(const ResaleCurve& curve, Seconds age);

/// The class of a line's part: the cards by how they were bought and whether they plug into any machine, boards, processors and
/// memory as "platform", supplies, cases and drives as "supply". Empty for what nobody buys used: fans, risers, cables.
std::string_view resale_class(const Catalog& catalog, const PurchaseLine& line);

/// The share of its price that a line brings after `age`: nothing for what nobody buys used. A class without a curve goes by the
/// yearly losses of the defaults.
Range<double> resale_share(const Catalog& catalog, const PurchaseLine& line, const PlanningDefaults& defaults, Seconds age);

/// What a bill brings after `age`, line by line; lines without a price bring nothing.
Range<Yuan> resale_of(const Catalog& catalog, const Purchase& purchase, const PlanningDefaults& defaults, Seconds age);

}  // namespace rigplan
