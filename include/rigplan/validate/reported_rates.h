// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rigplan/validate/speed_cross_validation.h"

namespace rigplan {

/// True for kind "report" with tokens_per_s: a decode rate that somebody reported without saying which build of the engine with
/// which settings gave it. Such rows make ranges and no constants.
bool is_reported_rate(const Measurement& row);

/// All reports with what is predicted of them: what `held_out` says, where it answers them, else what the calibration of all
/// rows does, which has not seen them either.
std::vector<SpeedHeldOut> ask_reports(std::span<const SpeedRow> reports, std::span<const SpeedHeldOut> held_out,
                                      const Calibration& calibration);

/// The limits of log(measured / predicted) that a report of one more source passes in one of ten cases at either end. A source
/// has one vote, which its reports share, and so has the source to come (conformal prediction with sources as the exchangeable
/// units: Vovk, Gammerman and Shafer, Algorithmic Learning in a Random World, 2005). With fewer than nine sources the limits
/// are the outermost reports.
ResidualSpread reported_spread(std::span<const SpeedHeldOut> reports);

}  // namespace rigplan
