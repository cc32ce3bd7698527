// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "rigplan/catalog/catalog.h"
#include "rigplan/estimate/compute/card_speed.h"
#include "rigplan/estimate/memory/memory.h"
#include "rigplan/simulate/inference.h"

namespace rigplan {

/// What a card's driver leaves of its memory.
CardBudget card_budget(const Gpu& gpu, const Catalog& catalog);
/// A card as the formulas of speed see it, under its owner's power cap where there is one.
CardSpeed capped_speed(const Gpu& gpu, std::optional<Watts> power_cap, const Catalog& catalog);
/// The usable rate with the range of the decode rate: the model's range is one of rates, and what is usable follows the rate.
Range<FlopRate> usable_range(const InferenceSpeed& speed);
/// Why a job has no plan on so many cards.
std::string no_plan_text(const std::string& engine, int cards);

}  // namespace rigplan
