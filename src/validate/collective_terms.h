// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "rigplan/catalog/calibration.h"

namespace rigplan {

/// What is believed of a constant before any measurement. Value and spreads are of the logarithm: a spread of 0.3 says that a
/// factor of 1.35 either way is nothing unusual.
struct TermPrior {
  std::string_view name, unit;
  double value;         ///< in `unit`
  double spread;        ///< of the mean; 0: fixed
  double level_spread;  ///< of each level's offset from the mean
  struct Level {
    std::string_view name;
    double offset;  ///< prior mean of the offset, as a factor
  };
  std::vector<Level> levels;
};
std::span<const TermPrior> collective_terms();

/// The calibration that holds nothing but the priors.
Calibration prior_collectives();

}  // namespace rigplan
