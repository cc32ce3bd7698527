// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

namespace rigplan {

/// Multi-head (kv_heads == heads) and grouped-query attention; one kind because the formulas are the same.
struct GroupedQuery {
  int heads = 0, kv_heads = 0;
  int head_size = 0;             ///< of queries and keys
  int value_size = 0;            ///< of values; equal to head_size in most models
  bool gated_output = false;     ///< an output gate as wide as the queries
  bool shares_kv = false;        ///< reads the cache of an earlier layer and keeps none (cross-layer sharing)
  bool keys_are_values = false;  ///< one projection and one cache entry serve as both
  int query_rank = 0;            ///< queries come from a compressed vector of this width; 0: directly
  int output_rank = 0;           ///< outputs of each group are compressed to this width first; 0: directly
  int output_groups = 1;         ///< groups of heads for output_rank
  bool operator==(const GroupedQuery&) const = default;
};

/// Grouped-query attention that sees only the last `window` tokens.
struct SlidingWindow {
  GroupedQuery heads;
  int window = 0;
  double compression = 0;  ///< beyond the window, one entry is cached for so many tokens (DeepSeek-V4); 0: nothing is
  bool operator==(const SlidingWindow&) const = default;
};

/// Multi-head latent attention (DeepSeek-V2): one compressed vector for all heads is cached.
struct Latent {
  int heads = 0;
  int query_rank = 0;                   ///< 0: queries are not compressed
  int kv_rank = 0;                      ///< cached, with rope_size
  int rope_size = 0;                    ///< part of a key that carries the position, shared by all heads
  int nope_size = 0;                    ///< per head, not cached
  int value_size = 0;                   ///< per head
  int index_heads = 0, index_size = 0;  ///< sparse-attention indexer; 0: none
  bool operator==(const Latent&) const = default;
};

/// A layer whose state does not grow with the context: Mamba, gated delta net, short convolution. With zeros: a block that is
/// only a feed-forward.
struct Recurrent {
  double state_elements = 0;  ///< values kept per sequence, in the state's own format (4 bytes)
  double parameters = 0;      ///< weights of the mixing part
  bool operator==(const Recurrent&) const = default;
};

using Attention = std::variant<GroupedQuery, SlidingWindow, Latent, Recurrent>;

}  // namespace rigplan
