// SPDX-License-Identifier: Apache-2.0
#include "rigplan/simulate/speculation.h"

#include <cmath>

namespace rigplan {

double speculation_factor(const Speculation& speculation) {
  const double a = speculation.acceptance;
  const int k = speculation.draft_tokens;
  const double tokens = a < 1 ? (1 - std::pow(a, k + 1)) / (1 - a) : k + 1.0;
  return tokens / (1 + k * speculation.draft_cost);
}

}  // namespace rigplan
