// SPDX-License-Identifier: Apache-2.0
#include "estimate/memory/engine_peaks.h"

#include <algorithm>

namespace rigplan {

// Six profiled models of 0.6 to 117 thousand million parameters on one and two cards lie on one line: 36 bytes for each logit
// of the sampler (fp32 logits, their copies, a sort with indices), the hidden states of the step, and 350 MiB. Tensor
// parallelism does not lower it, because every card samples from gathered logits.
Bytes paged_activation_peak(const TransformerModel& model, double tokens, double sequences) {
  constexpr double sampler_bytes = 36, state_bytes = 2;
  return Bytes{sampler_bytes * sequences * model.vocabulary + state_bytes * tokens * model.hidden} + 350 * units::MiB;
}

Bytes paged_non_torch(int cards) { return cards > 1 ? 0.55 * units::GiB : 0.13 * units::GiB; }

// Graphs reuse one memory pool; their own share grows with what a step launches. 0.1 GiB for a small dense model, 1 GiB for a
// mixture of 36 layers.
Bytes paged_graphs(const TransformerModel& model) {
  double mixtures = 0, layers = 0;
  for (const auto& group : model.groups) {
    (std::holds_alternative<MixtureOfExperts>(group.feed_forward) ? mixtures : layers) += group.count;
  }
  return layers * 4 * units::MiB + mixtures * 29 * units::MiB;
}

// q, k, v and the attention's output stay alive during the feed-forward because they are locals of the caller; gate, up, their
// product and the activation make four widths. 32 MiB are the matrix library's workspace.
Bytes pytorch_forward_peak(const TransformerModel& model, double rows) {
  double most = 0;
  for (const auto& group : model.groups) {
    double width = 0, heads = 0;
    if (const auto* dense = std::get_if<DenseFeedForward>(&group.feed_forward)) width = dense->width;
    if (const auto* moe = std::get_if<MixtureOfExperts>(&group.feed_forward)) {
      width = static_cast<double>(moe->active) * moe->expert_width + static_cast<double>(moe->shared_experts) * moe->shared_width;
    }
    const auto* own = std::get_if<GroupedQuery>(&group.attention);
    if (const auto* sliding = std::get_if<SlidingWindow>(&group.attention)) own = &sliding->heads;
    if (own) heads = static_cast<double>(own->heads + own->kv_heads) * own->head_size;
    if (const auto* latent = std::get_if<Latent>(&group.attention)) {
      heads = 2.0 * latent->heads * (latent->nope_size + latent->rope_size);
    }
    most = std::max(most, rows * (8 * width + 4.0 * model.hidden + 6 * heads));
  }
  return Bytes{most} + 32 * units::MiB;
}

}  // namespace rigplan
