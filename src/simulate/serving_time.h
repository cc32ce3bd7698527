// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/simulate/serving.h"

namespace rigplan {

/// Where one decode iteration goes; seconds that add up to it, and the part of `weights` that is reading alone.
struct IterationParts {
  Seconds weights, cache, links, launches, host;
  Seconds read;
  Seconds total() const { return weights + cache + links + launches + host; }
};
IterationParts iteration_parts(const ServingSetup&, double streams, double depth);

double experts_touched(double experts, double active, double tokens);

}  // namespace rigplan
