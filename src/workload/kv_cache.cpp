// SPDX-License-Identifier: Apache-2.0
// bytes = tokens kept x (keys x bytes of a key + values x bytes of a value), layer by layer; exact for every engine that
// stores caches without padding.
#include "rigplan/workload/kv_cache.h"

#include <algorithm>

namespace rigplan {
namespace {

constexpr double state_value_bytes = 4;  // recurrent states are kept in fp32

const NumberFormat& or_f16(const NumberFormat* format) { return format ? *format : *find_number_format("F16"); }

Bytes bytes_of_token(const Attention& attention, const KvCache& cache) {
  const auto width = kv_width(attention, cache.latent);
  return or_f16(cache.key_format).bytes(width.keys) + or_f16(cache.value_format).bytes(width.values);
}

/// Cache entries that one new token looks at.
double tokens_seen(const Attention& attention, double depth) {
  const auto* sliding = std::get_if<SlidingWindow>(&attention);
  if (!sliding) return depth;
  return std::min<double>(depth, sliding->window) + (sliding->compression > 0 ? depth / sliding->compression : 0);
}

const GroupedQuery* heads_of(const Attention& attention) {
  if (const auto* sliding = std::get_if<SlidingWindow>(&attention)) return &sliding->heads;
  return std::get_if<GroupedQuery>(&attention);
}

}  // namespace

KvWidth kv_width(const Attention& attention, LatentStorage storage) {
  if (const auto* heads = heads_of(attention)) {
    const double values = heads->keys_are_values ? 0 : static_cast<double>(heads->kv_heads) * heads->value_size;
    return {static_cast<double>(heads->kv_heads) * heads->head_size, values};
  }
  if (const auto* latent = std::get_if<Latent>(&attention)) {
    const double index = latent->index_size;  // one key for the indexer, shared by its heads
    if (storage == LatentStorage::expanded) {
      return {static_cast<double>(latent->heads) * (latent->nope_size + latent->rope_size) + index,
              static_cast<double>(latent->heads) * latent->value_size};
    }
    const double values = storage == LatentStorage::compressed_with_values ? latent->kv_rank : 0;
    return {latent->kv_rank + latent->rope_size + index, values};
  }
  return {};
}

double tokens_kept(const Attention& attention, const KvCache& cache) {
  const double context = cache.context.in(units::token);
  if (std::holds_alternative<Recurrent>(attention)) return 0;
  if (const auto* heads = heads_of(attention); heads && heads->shares_kv) return 0;
  const auto* sliding = std::get_if<SlidingWindow>(&attention);
  if (!sliding || cache.full_windows) return context;
  const double compressed = sliding->compression > 0 ? context / sliding->compression : 0;
  return std::min(context, sliding->window + cache.window_slack.in(units::token)) + compressed;
}

Bytes kv_cache_bytes(const Attention& attention, const KvCache& cache) {
  if (const auto* recurrent = std::get_if<Recurrent>(&attention)) {
    return Bytes{state_value_bytes * recurrent->state_elements * cache.streams};
  }
  return tokens_kept(attention, cache) * cache.streams * bytes_of_token(attention, cache);
}

Bytes kv_cache_bytes(const TransformerModel& model, const KvCache& cache) {
  Bytes sum;
  for (const auto& group : model.groups) sum += group.count * kv_cache_bytes(group.attention, cache);
  return sum;
}

Bytes recurrent_state_bytes(const TransformerModel& model, int streams) {
  Bytes sum;
  for (const auto& group : model.groups) {
    if (!std::holds_alternative<Recurrent>(group.attention)) continue;
    sum += group.count * kv_cache_bytes(group.attention, KvCache{.streams = streams});
  }
  return sum;
}

Bytes kv_bytes_per_token(const TransformerModel& model, const KvCache& cache) {
  Bytes sum;
  for (const auto& group : model.groups) {
    if (std::holds_alternative<Recurrent>(group.attention)) continue;
    if (const auto* heads = heads_of(group.attention); heads && heads->shares_kv) continue;
    const auto* sliding = std::get_if<SlidingWindow>(&group.attention);
    if (!sliding || cache.full_windows) {
      sum += group.count * bytes_of_token(group.attention, cache);
    } else if (sliding->compression > 0) {
      sum += group.count / sliding->compression * bytes_of_token(group.attention, cache);
    }
  }
  return sum;
}

Bytes kv_bytes_read(const TransformerModel& model, const KvCache& cache) {
  const double depth = cache.context.in(units::token);
  Bytes sum;
  for (const auto& group : model.groups) {
    if (const auto* recurrent = std::get_if<Recurrent>(&group.attention)) {
      sum += Bytes{2 * state_value_bytes * recurrent->state_elements * group.count};
      continue;
    }
    sum += group.count * tokens_seen(group.attention, depth) * bytes_of_token(group.attention, cache);
  }
  return sum;
}

Flops attention_flops_per_token(const TransformerModel& model, Tokens depth, LatentStorage storage) {
  double sum = 0;
  for (const auto& group : model.groups) {
    double seen = tokens_seen(group.attention, depth.in(units::token)), per_token = 0;
    if (const auto* heads = heads_of(group.attention)) {
      per_token = 2.0 * heads->heads * (heads->head_size + heads->value_size);
    } else if (const auto* latent = std::get_if<Latent>(&group.attention)) {
      per_token = storage == LatentStorage::expanded
                      ? 2.0 * latent->heads * (latent->nope_size + latent->rope_size + latent->value_size)
                      : 2.0 * latent->heads * (2.0 * latent->kv_rank + latent->rope_size);
    } else if (const auto* recurrent = std::get_if<Recurrent>(&group.attention)) {
      // Decay, outer-product update and read-out: two operations each on every value of the state.
      per_token = 6 * recurrent->state_elements;
      seen = 1;
    }
    sum += group.count * per_token * seen;
  }
  return Flops{sum};
}

}  // namespace rigplan
