// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/workload/model.h"

namespace rigplan {

/// Shapes that several tests use, from the checkpoints' config.json.
inline TransformerModel dense_model(int layers, int hidden, int heads, int kv_heads, int head_size, int width, int vocabulary,
                                    bool tied = false) {
  TransformerModel model;
  model.hidden = hidden;
  model.vocabulary = vocabulary;
  model.tied_embeddings = tied;
  model.groups = {{layers, GroupedQuery{heads, kv_heads, head_size, head_size}, DenseFeedForward{width}}};
  return model;
}
inline TransformerModel llama_31_8b() { return dense_model(32, 4096, 32, 8, 128, 14336, 128256); }
inline TransformerModel llama_31_70b() { return dense_model(80, 8192, 64, 8, 128, 28672, 128256); }
inline TransformerModel llama_2_7b() { return dense_model(32, 4096, 32, 32, 128, 11008, 32000); }
inline TransformerModel qwen25_32b() { return dense_model(64, 5120, 40, 8, 128, 27648, 152064); }
inline TransformerModel mixtral_8x7b() {
  auto model = dense_model(32, 4096, 32, 8, 128, 0, 32000);
  model.groups[0].feed_forward = MixtureOfExperts{8, 2, 14336};
  return model;
}
inline TransformerModel qwen3_30b_a3b() {
  auto model = dense_model(48, 2048, 32, 4, 128, 0, 151936);
  model.groups[0].feed_forward = MixtureOfExperts{128, 8, 768};
  return model;
}
inline TransformerModel gpt_oss_20b() {
  TransformerModel model;
  model.hidden = 2880;
  model.vocabulary = 201088;
  const GroupedQuery heads{64, 8, 64, 64};
  model.groups = {{12, SlidingWindow{heads, 128}, MixtureOfExperts{32, 4, 2880}}, {12, heads, MixtureOfExperts{32, 4, 2880}}};
  return model;
}
inline TransformerModel deepseek_v3() {
  TransformerModel model;
  model.hidden = 7168;
  model.vocabulary = 129280;
  const Latent latent{.heads = 128, .query_rank = 1536, .kv_rank = 512, .rope_size = 64, .nope_size = 128, .value_size = 128};
  model.groups = {{3, latent, DenseFeedForward{18432}}, {58, latent, MixtureOfExperts{256, 8, 2048, 1, 2048}}};
  return model;
}

}  // namespace rigplan
