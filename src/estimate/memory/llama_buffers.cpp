// SPDX-License-Identifier: Apache-2.0
// llama.cpp reserves the largest intermediate results of one micro-batch once per card (ggml-alloc's graph reservation). What
// is alive at the same time was read off the buffer sizes that engines print: one card reproduces to the MiB, several cards too.
#include "estimate/memory/llama_buffers.h"

#include <algorithm>

namespace rigplan {
namespace {

constexpr double f32 = 4, f16 = 2;

const GroupedQuery* heads_of(const Attention& attention) {
  if (const auto* sliding = std::get_if<SlidingWindow>(&attention)) return &sliding->heads;
  return std::get_if<GroupedQuery>(&attention);
}

/// Intermediate results of the feed-forward: gate and up of a dense one; of a mixture, the gathered inputs and the outputs of
/// the active experts.
double feed_forward_bytes(const FeedForward& feed_forward, double rows, double hidden) {
  const double x = rows * hidden * f32;
  if (const auto* dense = std::get_if<DenseFeedForward>(&feed_forward)) return 2 * rows * dense->width * f32 + x;
  if (const auto* moe = std::get_if<MixtureOfExperts>(&feed_forward)) {
    return 3 * moe->active * x + moe->active * static_cast<double>(moe->expert_width) * rows * f32 + x;
  }
  return x;
}

/// Scores of all heads in fp32, the mask, and the hidden states around them.
double materialised_scores(double rows, double seen, double heads, double hidden, int copies, const LlamaBufferCase& of) {
  const double limit = of.attention_limit.in(units::byte);
  const double mask = rows * seen * f32;
  const double states = (of.cards > 1 ? 8 : 4) * rows * hidden * f32;
  const double scores = rows * seen * heads * f32;
  if (limit > 0 && scores > limit) return limit + mask * (copies + 1.5) + states;
  return scores + mask * copies + states;
}

/// Whether experts that lie in host memory are computed there too. The fork copies them to the card when a batch gives each
/// expert enough rows; the mainline copies one tensor at a time (`staged` below).
bool experts_elsewhere(const LayerGroup& group, const LlamaBufferCase& of) {
  const auto* moe = std::get_if<MixtureOfExperts>(&group.feed_forward);
  if (!moe || !of.experts_on_host) return false;
  return of.engine == MemoryEngine::llama_cpp || of.micro_batch <= 32.0 * moe->experts / std::max(1, moe->active);
}

double latent_layer(const Latent& a, const LayerGroup& group, double hidden, int copies, const LlamaBufferCase& of) {
  const double rows = of.micro_batch, seen = of.context;
  const bool fused = of.flash_attention && of.latent == LatentStorage::compressed && (of.latent_mode == 0 || of.latent_mode == 3);
  if (of.engine == MemoryEngine::ik_llama_cpp && fused) {
    // The cache is expanded to keys and values of all heads before the fused kernel: these are the peak, not the scores.
    const double width = a.nope_size + a.rope_size;
    const double expanded = seen * a.heads * 2 * width * f16 + rows * (f16 * seen + 2 * a.heads * width * f32);
    if (experts_elsewhere(group, of)) return expanded;
    return std::max(expanded, rows * seen * f16 + feed_forward_bytes(group.feed_forward, rows, hidden));
  }
  if (of.engine == MemoryEngine::llama_cpp && of.flash_attention && of.latent != LatentStorage::expanded) {
    // Queries and results stay in the compressed space.
    const double absorbed = a.heads * (2.0 * a.kv_rank + a.rope_size) * rows * f32;
    return rows * seen * f16 * copies + feed_forward_bytes(group.feed_forward, rows, hidden) + absorbed;
  }
  return materialised_scores(rows, seen, a.heads, hidden, copies, of);
}

double grouped_layer(const GroupedQuery& a, double seen, const LayerGroup& group, double hidden, int copies,
                     const LlamaBufferCase& of) {
  const double rows = of.micro_batch;
  if (!of.flash_attention) return materialised_scores(rows, seen, a.heads, hidden, copies, of);
  const double mask = rows * seen * f16 * copies;
  const double cache = of.dequantised_cache ? seen * a.kv_heads * (a.head_size + a.value_size) * f16 : 0;
  if (experts_elsewhere(group, of)) return mask + cache + 6 * rows * a.heads * a.head_size * f32;
  return mask + cache + feed_forward_bytes(group.feed_forward, rows, hidden);
}

}  // namespace

Bytes LlamaBuffers::on_card(bool has_layers, bool has_head, bool stages) const {
  Bytes most;
  if (has_layers) most = std::max(most, stages ? std::max(layer, staged) : layer);
  if (has_head) most = std::max(most, head);
  return most;
}

LlamaBuffers llama_buffers(const TransformerModel& model, const LlamaBufferCase& of) {
  const double rows = of.micro_batch, hidden = model.hidden, x = rows * hidden * f32;
  const int copies = of.cards > 1 && of.pipeline_copies && !of.experts_on_host ? 4 : 1;
  double layer = 0, heads_wide = 0;
  bool mixture = false;
  for (const auto& group : model.groups) {
    double seen = of.context;
    if (const auto* sliding = std::get_if<SlidingWindow>(&group.attention)) seen = std::min(seen, sliding->window + rows);
    double bytes = feed_forward_bytes(group.feed_forward, rows, hidden);
    if (const auto* latent = std::get_if<Latent>(&group.attention)) {
      bytes = latent_layer(*latent, group, hidden, copies, of);
    } else if (const auto* heads = heads_of(group.attention)) {
      bytes = grouped_layer(*heads, seen, group, hidden, copies, of);
      heads_wide = std::max(heads_wide, static_cast<double>(heads->heads) * heads->head_size);
    } else if (const auto* recurrent = std::get_if<Recurrent>(&group.attention)) {
      bytes = std::max(bytes, rows * recurrent->parameters / hidden * f32 + x);
    }
    mixture = mixture || std::holds_alternative<MixtureOfExperts>(group.feed_forward);
    layer = std::max(layer, bytes);
  }
  LlamaBuffers buffers;
  buffers.layer = Bytes{layer};
  buffers.head = Bytes{rows * model.vocabulary * f32 + x * (mixture || of.cards > 1 ? 2 : 1)};
  // One expert tensor is copied beside the attention's intermediates and an fp32 and an fp16 mask.
  const bool stages = of.engine == MemoryEngine::llama_cpp && of.experts_on_host && rows >= 32;
  if (stages) buffers.staged = of.expert_tensor + Bytes{1.5 * rows * of.context * f32 + 6 * rows * heads_wide * f32};
  return buffers;
}

Bytes llama_scratch_2023(const TransformerModel& model, double rows, double context) {
  double width = 0;
  for (const auto& group : model.groups) {
    if (const auto* dense = std::get_if<DenseFeedForward>(&group.feed_forward)) width = std::max<double>(width, dense->width);
  }
  const double hidden = model.hidden;
  const double logits = rows * (model.vocabulary + hidden) * f32;
  const double layer = (2 * rows * width + 2 * rows * hidden + rows * context) * f32;
  return Bytes{std::max(logits, layer)};
}

}  // namespace rigplan
