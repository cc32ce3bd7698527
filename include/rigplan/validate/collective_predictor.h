// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "rigplan/validate/collective_row.h"
#include "rigplan/validate/fit_collectives.h"

namespace rigplan {

/// The patterns compiled into the program.
LinkPatterns built_in_link_patterns();

/// Predicts rows of the kinds collective and p2p. The catalog must outlive the predictor.
RowPredictor collective_predictor(const Catalog& catalog, Calibration calibration);

/// Maps, fits, leaves each system out once for the spreads: what `data/calibration/collectives.json` holds.
/// @param fitted_from what to write of the rows' origin
Calibration calibrate_collectives(std::span<const Measurement> rows, const Catalog& catalog, const LinkPatterns& patterns,
                                  std::string fitted_from);

/// The same rows predicted by constants that were fitted without their systems (card and source). Ranges come from the
/// residuals of the other systems, left out in their turn, so a row's own error widens no range. Rows that cannot be mapped are
/// skipped with the reason. See CalibratedFamily; `what` is "system".
std::vector<PredictedRow> cross_validate_collectives(std::span<const Measurement> rows, const Catalog& catalog,
                                                     std::string_view what);

}  // namespace rigplan
