// SPDX-License-Identifier: Apache-2.0
#include "rigplan/simulate/decode.h"

#include <algorithm>

#include "rigplan/estimate/compute/cache_time.h"
#include "rigplan/estimate/compute/layer_times.h"
#include "rigplan/estimate/compute/weight_pass.h"

namespace rigplan {

DecodeParts decode_on_card(const InferenceWork& work, const ResolvedCard& card, const SplitShape& split, double depth,
                           double streams) {
  const double dense_share = 1.0 / split.tensor;
  const double routed_share = 1.0 / std::max(split.tensor, split.expert);
  const auto pass = decode_weight_pass(work, card.card, card.constants, streams, dense_share, routed_share);
  DecodeParts parts;
  parts.weights = pass.read;
  parts.arithmetic = pass.total - pass.read;
  parts.kv = cache_time(work, card.card, card.constants, split.tensor, depth, streams);
  parts.launches =
      layer_times(work, card.constants) + (card.constants.token_time + card.constants.stream_time * (streams - 1)) * second;
  return parts;
}

}  // namespace rigplan
