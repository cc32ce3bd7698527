// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/units/quantity.h"
#include "rigplan/workload/model.h"
#include "rigplan/workload/number_format.h"

namespace rigplan {

/// What one model in one number format asks of the hardware, counted once. Nothing here depends on cards, depth or streams.
struct InferenceWork {
  double hidden = 0;
  double attention_layers = 0, recurrent_layers = 0, expert_layers = 0;  ///< counts; an expert layer is also one of the former
  double low_rank_layers = 0;    ///< of the attention layers, those that project by way of a narrower vector
  double compressed_layers = 0;  ///< of the attention layers, those that cache one entry for several tokens

  Bytes dense_weights;                         ///< read by every pass: layers without routed experts, and the output head
  Bytes routed_weights;                        ///< of all routed experts
  double routed_experts = 0;                   ///< E: per expert layer
  double active_share = 0;                     ///< k / E: chance that one token uses a given expert
  double dense_values = 0, routed_values = 0;  ///< the same as numbers of weights
  double head_values = 0;                      ///< of dense_values, those of the output head, which a prompt needs once
  double active_values = 0;                    ///< weights that one token is multiplied with, without the head

  /// Layers that keep caches alike.
  struct Cache {
    /// Tokens that are seen at most; infinite for full attention. Entries that stand for several tokens behind the window are
    /// not counted: an indexer picks some of them, and their time is that of `compressed_layers`.
    double window = 0;
    double heads = 1;  ///< cached heads: a tensor split divides the cache among at most so many cards
    Bytes per_token;   ///< read for each visible token, all these layers, one stream
    Flops per_pair;    ///< scores and weighted values of one token with one visible token, all these layers
  };
  std::vector<Cache> caches;
  Bytes state;  ///< of recurrent layers: read and written by every step, one stream

  FormatClass format{};
  std::string format_family;  ///< "gguf", "gptq", ...
  FormatClass key_format = FormatClass::f16;

  /// Bytes of weights that one pass over `rows` tokens reads. Routed experts: E (1 - (1 - k/E)^rows) of each layer, as if every
  /// token drew its experts at random.
  Bytes weights_read(double rows) const;
  double values_read(double rows) const;
  /// Bytes of caches and states that a step of one stream reads when `depth` tokens lie behind it.
  Bytes cache_read(double depth) const;
  /// Operations of attention of one token at `depth`.
  Flops attention_at(double depth) const;
  /// Operations of attention of `rows` new tokens behind `behind` earlier ones, each seeing those before it.
  Flops attention_over(double behind, double rows) const;
};

/// @param weights bytes of the file where they are stated: the layers are scaled so that the total agrees
InferenceWork inference_work(const TransformerModel& model, const WeightMix& mix, const NumberFormat& keys,
                             const NumberFormat& values, std::optional<Bytes> weights = std::nullopt);

}  // namespace rigplan
