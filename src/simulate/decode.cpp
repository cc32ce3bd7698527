// SPDX-License-Identifier: Apache-2.0
#include "rigplan/simulate/decode.h"

#include <algorithm>

#include "rigplan/estimate/compute/cache_time.h"
#include "rigplan/estimate/compute/layer_times.h"
#include "rigplan/estimate/compute/weight_pass.h"

namespace rigplan {
namespace {

/// Entries of the vocabulary among which the host draws a stream's next token. Programs that read GGUF build a list of all
/// candidates for each stream in turn and sort it; others draw for all streams at once on the card.
double sampled_on_host(const InferenceWork& work) {
  return work.format_family == "gguf" ? work.head_values / std::max(work.hidden, 1.0) : 0;
}

}  // namespace

DecodeParts decode_on_card(const InferenceWork& work, const ResolvedCard& card, const SplitShape& split, double depth,
                           double streams) {
  const double dense_share = 1.0 / split.tensor;
  const double routed_share = 1.0 / std::max(split.tensor, split.expert);
  const auto pass = decode_weight_pass(work, card.card, card.constants, streams, dense_share, routed_share);
  DecodeParts parts;
  parts.weights = pass.read;
  parts.arithmetic = pass.total - pass.read;
  parts.kv = cache_time(work, card.card, card.constants, split.tensor, depth, streams);
  const double of_a_stream = card.constants.stream_time + card.constants.sample_time * sampled_on_host(work);
  parts.launches = layer_times(work, card.constants) + (card.constants.token_time + of_a_stream * (streams - 1)) * second;
  return parts;
}

}  // namespace rigplan
