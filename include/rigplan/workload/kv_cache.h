// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/workload/model.h"
#include "rigplan/workload/number_format.h"

namespace rigplan {

/// How latent attention is cached; engines differ and one engine has several modes.
enum class LatentStorage {
  compressed,              ///< rank + rope values a token, once for all heads
  compressed_with_values,  ///< the same, and the rank again as values (when values must be contiguous)
  expanded,                ///< full keys and values of every head
};

/// What is cached and how.
struct KvCache {
  Tokens context{0};  ///< tokens of one stream
  int streams = 1;
  const NumberFormat* key_format = nullptr;    ///< nullptr: F16
  const NumberFormat* value_format = nullptr;  ///< nullptr: F16
  LatentStorage latent = LatentStorage::compressed;
  Tokens window_slack{0};     ///< sliding layers hold window + slack tokens (llama.cpp: the micro-batch, padded)
  bool full_windows = false;  ///< sliding layers keep the whole context
};

/// Values that one token adds to the cache of a layer.
struct KvWidth {
  double keys = 0, values = 0;
};
KvWidth kv_width(const Attention& attention, LatentStorage latent = LatentStorage::compressed);

/// Tokens of a stream that a layer keeps: the context, at most the window (and slack) for sliding layers, 0 for recurrent
/// layers and layers that share another layer's cache.
double tokens_kept(const Attention& attention, const KvCache& cache);

/// Cache of one layer over all streams; a recurrent layer has its state instead.
Bytes kv_cache_bytes(const Attention& attention, const KvCache& cache);
/// Cache of all layers.
Bytes kv_cache_bytes(const TransformerModel& model, const KvCache& cache);
/// The part of kv_cache_bytes() that recurrent layers hold.
Bytes recurrent_state_bytes(const TransformerModel& model, int streams);
/// What one more token of every full-context layer adds for one stream.
Bytes kv_bytes_per_token(const TransformerModel& model, const KvCache& cache);

/// Bytes that decoding one token at depth cache.context reads from the caches of all layers for one stream: layers that share a
/// cache read it too, recurrent layers read and write their state.
Bytes kv_bytes_read(const TransformerModel& model, const KvCache& cache);

/// Operations of scores and weighted values for one token that sees `depth` earlier ones, all layers. Latent attention is
/// counted in its absorbed form for compressed storage (decode) and per head for expanded (prefill).
Flops attention_flops_per_token(const TransformerModel& model, Tokens depth, LatentStorage latent = LatentStorage::compressed);

}  // namespace rigplan
