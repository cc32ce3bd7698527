// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/compute/inference_work.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigplan/workload/kv_cache.h"
#include "rigplan/workload/parameters.h"

namespace rigplan {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr double state_element = 4;  ///< recurrent states are kept in fp32

struct HeadCount {
  double cached = 1;    ///< heads whose keys and values are cached
  double per_pair = 0;  ///< operations of one token with one visible token
};

HeadCount head_count(const GroupedQuery& heads) {
  return {static_cast<double>(heads.kv_heads), 2.0 * heads.heads * (heads.head_size + heads.value_size)};
}
HeadCount head_count(const SlidingWindow& sliding) { return head_count(sliding.heads); }
/// In the absorbed form: queries are moved into the compressed space (DeepSeek-V2, arXiv 2405.04434).
HeadCount head_count(const Latent& latent) { return {1, 2.0 * latent.heads * (2.0 * latent.kv_rank + latent.rope_size)}; }
template <class Other>
HeadCount head_count(const Other&) {
  return {};
}

bool is_low_rank(const GroupedQuery& heads) { return heads.query_rank > 0; }
bool is_low_rank(const SlidingWindow& sliding) { return is_low_rank(sliding.heads); }
bool is_low_rank(const Latent&) { return true; }
template <class Other>
bool is_low_rank(const Other&) {
  return false;
}

void add_layers(InferenceWork& work, const LayerGroup& group, const NumberFormat& keys, const NumberFormat& values) {
  const auto width = kv_width(group.attention);
  const bool caches = width.keys + width.values > 0;
  const auto* recurrent = std::get_if<Recurrent>(&group.attention);
  if (recurrent && recurrent->parameters <= 0 && recurrent->state_elements <= 0) recurrent = nullptr;  // mixes nothing
  // A layer that only mixes tokens, or only has a feed-forward part, launches about half of the kernels.
  const double halves = (caches || recurrent ? 0.5 : 0) + (std::holds_alternative<NoFeedForward>(group.feed_forward) ? 0 : 0.5);
  (recurrent ? work.recurrent_layers : work.attention_layers) += halves * group.count;
  if (std::visit([](const auto& attention) { return is_low_rank(attention); }, group.attention))
    work.low_rank_layers += group.count;
  if (recurrent) work.state += 2.0 * group.count * recurrent->state_elements * state_element * byte;
  if (caches) {
    const auto heads = std::visit([](const auto& attention) { return head_count(attention); }, group.attention);
    const auto* sliding = std::get_if<SlidingWindow>(&group.attention);
    if (sliding && sliding->compression > 0) work.compressed_layers += group.count;
    work.caches.push_back({sliding ? sliding->window : unlimited, std::max(heads.cached, 1.0),
                           group.count * (keys.bytes(width.keys) + values.bytes(width.values)),
                           group.count * heads.per_pair * FLOP});
  }
  if (const auto* experts = std::get_if<MixtureOfExperts>(&group.feed_forward)) {
    work.expert_layers += group.count;
    work.routed_experts = experts->experts;
    work.active_share = static_cast<double>(experts->active) / experts->experts;
  }
}

}  // namespace

Bytes InferenceWork::weights_read(double rows) const {
  const double touched = routed_experts > 0 ? 1 - std::pow(1 - active_share, rows) : 0;
  return dense_weights + touched * routed_weights;
}

double InferenceWork::values_read(double rows) const {
  const double touched = routed_experts > 0 ? 1 - std::pow(1 - active_share, rows) : 0;
  return dense_values + touched * routed_values;
}

Bytes InferenceWork::cache_read(double depth) const {
  auto bytes = state;
  for (const auto& cache : caches) bytes += std::min(depth, cache.window) * cache.per_token;
  return bytes;
}

Flops InferenceWork::attention_at(double depth) const {
  Flops flops;
  for (const auto& cache : caches) flops += std::min(depth, cache.window) * cache.per_pair;
  return flops;
}

Flops InferenceWork::attention_over(double behind, double rows) const {
  Flops flops;
  for (const auto& cache : caches) {
    // Token i of the rows sees behind + i tokens, at most the window.
    const double growing = std::clamp(cache.window - behind, 0.0, rows);
    const double pairs = growing * (behind + growing / 2) + (growing < rows ? (rows - growing) * cache.window : 0);
    flops += pairs * cache.per_pair;
  }
  return flops;
}

InferenceWork inference_work(const TransformerModel& model, const WeightMix& mix, const NumberFormat& keys,
                             const NumberFormat& values, std::optional<Bytes> weights) {
  InferenceWork work;
  work.hidden = model.hidden;
  work.format = mix.kind;
  work.format_family = mix.family;
  work.key_format = keys.kind;
  for (const auto& group : model.groups) add_layers(work, group, keys, values);

  const auto file = weight_bytes(model, mix);
  const auto whole = weight_bytes_read(model, file, unlimited);
  const auto active = active_parameters(model);
  const auto all = count_parameters(model);
  double scale = 1;
  const auto outside = file.total() - file.layers();
  if (weights && *weights > outside && file.layers() > Bytes{}) scale = (*weights - outside) / file.layers();

  const auto head = whole[TensorClass::head];
  work.routed_weights = scale * file[TensorClass::experts];
  work.dense_weights = scale * (file.layers() - file[TensorClass::experts]) + head;
  work.routed_values = all[TensorClass::experts];
  work.head_values = active[TensorClass::head];
  work.dense_values = all.layers() - all[TensorClass::experts] + work.head_values;
  work.active_values = active.total() - work.head_values;
  return work;
}

}  // namespace rigplan
