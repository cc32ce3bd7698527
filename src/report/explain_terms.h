// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "rigplan/report/explain.h"

namespace rigplan {

/// The bill, line by line, each with the price rows that decided.
Term explain_purchase(const Purchase& purchase, const Catalog& catalog);
/// Cost over the horizon: purchase, resale, energy, upkeep.
Term explain_cost(const Candidate& candidate, const Query& query, const Catalog& catalog);
/// Usable rate: model FLOPs over the time of prompt and generated tokens, or of a training step.
Term explain_usable(const Candidate& candidate, const Query& query, const TransformerModel& model, const Catalog& catalog,
                    const Calibrations& calibrations);
/// A fitted constant as a leaf: its value, the mean and the offsets of levels that made it, and the rows behind the fit.
Term fitted_term(const Calibration& calibration, std::string_view name, std::span<const std::string> levels);
/// Why the range of a rate is wide where the engine's build is not stated, and what narrows it.
Term unstated_build_term(const ResidualSpread& reported);

}  // namespace rigplan
