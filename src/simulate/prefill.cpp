// SPDX-License-Identifier: Apache-2.0
#include "rigplan/simulate/prefill.h"

#include <algorithm>
#include <cmath>

#include "rigplan/estimate/compute/attention_time.h"
#include "rigplan/estimate/compute/layer_times.h"
#include "rigplan/estimate/compute/weight_pass.h"

namespace rigplan {

Seconds prefill_on_card(const InferenceWork& work, const ResolvedCard& card, const SplitShape& split, double behind,
                        double tokens, double chunk) {
  const double dense_share = 1.0 / split.tensor;
  const double routed_share = 1.0 / std::max(split.tensor, split.expert);
  const auto pass = [&](double rows) {
    return prefill_weight_pass(work, card.card, card.constants, rows, dense_share, routed_share).total +
           layer_times(work, card.constants) + card.constants.token_time * second;
  };
  const double whole = std::floor(tokens / chunk), rest = tokens - whole * chunk;
  auto time = attention_time(work, card.card, card.constants, split.tensor, behind, tokens);
  if (whole > 0) time += whole * pass(chunk);
  if (rest > 0) time += pass(rest);
  return time;
}

}  // namespace rigplan
