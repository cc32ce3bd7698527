// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rigplan/search/training_search.h"

namespace rigplan {

/// Reads "tensor=2", "zero=3", "checkpointing=none" ... @throws UsageError with the nearest key or the values that there are.
TrainingPins read_training_pins(const std::vector<std::string>& texts);

}  // namespace rigplan
