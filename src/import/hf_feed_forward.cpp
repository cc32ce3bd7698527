// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "import/hf_layers.h"

#include <fmt/format.h>

namespace rigplan {
namespace {

/// Model types whose feed-forward has two matrices and no gate.
constexpr std::string_view two_matrices[] = {"gpt2",   "gpt_neox", "gptj",       "opt",         "bloom",    "mpt",
                                             "falcon", "phi",      "starcoder2", "gpt_bigcode", "nemotron", "nemotron_h",
                                             "arcee",  "apertus",  "codegen",    "gpt_neo"};
constexpr std::string_view gated_types[] = {
    "llama",    "mistral", "mixtral", "qwen",    "gemma",    "phi3",      "phimoe",   "deepseek",  "cohere",  "internlm",
    "baichuan", "chatglm", "glm",     "yi",      "exaone",   "olmo",      "granite",  "lfm2",      "minicpm", "smollm",
    "kimi",     "gpt_oss", "ernie",   "hunyuan", "seed_oss", "minimax",   "stablelm", "dbrx",      "jamba",   "grok",
    "laguna",   "step",    "afmoe",   "bailing", "dots",     "falcon_h1", "falcon3",  "ministral", "deci"};

bool is_gated(const HfFields& fields, std::vector<std::string>& assumed) {
  const auto type = fields.text("model_type");
  if (std::ranges::find(two_matrices, type) != std::end(two_matrices)) return false;
  if (type.empty() || std::ranges::none_of(gated_types, [&](std::string_view known) { return type.starts_with(known); })) {
    assumed.push_back(fmt::format("a gated feed-forward of three matrices: model type \"{}\" is not known", type));
  }
  return true;
}

constexpr std::string_view expert_keys[] = {"num_experts", "n_routed_experts", "num_local_experts", "moe_num_experts"};
constexpr std::string_view active_keys[] = {"num_experts_per_tok", "num_experts_per_token", "top_k_experts", "moe_top_k",
                                            "moe_k"};
constexpr std::string_view width_keys[] = {"intermediate_size", "ffn_hidden_size", "ffn_dim", "n_inner", "d_ff", "block_ff_dim"};

MixtureOfExperts read_mixture(const HfFields& fields, int experts, bool gated) {
  MixtureOfExperts moe;
  moe.experts = experts;
  moe.active = fields.needed(active_keys);
  if (moe.active > experts) fields.find(active_keys)->fail(fmt::format("expected at most the {} experts", experts));
  const auto width = fields.whole({"moe_intermediate_size", "expert_ffn_hidden_size"});
  moe.expert_width = width ? *width : fields.needed(width_keys);
  moe.shared_experts = fields.whole({"n_shared_experts", "num_shared_experts", "moe_num_shared_experts"}, 0).value_or(0);
  const auto shared =
      fields.whole({"shared_expert_intermediate_size", "moe_shared_expert_intermediate_size", "share_expert_dim"}, 0);
  if (shared && *shared > 0) {
    moe.shared_experts = std::max(1, moe.shared_experts);
    moe.shared_width = *shared;
  } else if (moe.shared_experts > 0) {
    moe.shared_width = moe.expert_width;
  }
  // Llama 4 adds one shared expert of the routed ones' width; Gemma 4 computes a dense block beside the experts.
  if (fields.text("model_type").starts_with("llama4")) moe.shared_experts = 1, moe.shared_width = moe.expert_width;
  if (fields.text("model_type").starts_with("gemma4")) moe.shared_experts = 1, moe.shared_width = fields.needed(width_keys);
  moe.latent_width = fields.whole("moe_latent_size", 0).value_or(0);
  moe.gated = gated;
  return moe;
}

/// Which layers of a mixture have plain feed-forwards.
std::vector<bool> dense_layers(const HfFields& fields, int layers) {
  std::vector<bool> dense(static_cast<std::size_t>(layers), false);
  const int first = fields.whole({"first_k_dense_replace", "num_dense_layers", "moe_layer_start_index"}, 0).value_or(0);
  const int step = fields.whole({"decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_freq"}).value_or(1);
  for (int i = 0; i < layers; ++i) dense[static_cast<std::size_t>(i)] = i < first || (i + 1) % step != 0;
  if (const auto only = fields.find("mlp_only_layers")) {
    for (const auto& index : only->elements()) dense[static_cast<std::size_t>(index.integer(0, layers - 1))] = true;
  }
  if (const auto kinds = fields.find("mlp_layer_types")) {
    const auto elements = kinds->elements();
    if (elements.size() != dense.size()) kinds->fail(fmt::format("expected one value for each of the {} layers", layers));
    for (std::size_t i = 0; i < dense.size(); ++i) dense[i] = elements[i].text() == "dense";
  }
  return dense;
}

}  // namespace

std::vector<FeedForward> read_hf_feed_forward(const HfFields& fields, int layers, std::vector<std::string>& assumed) {
  const bool gated = is_gated(fields, assumed);
  const int experts = fields.whole(expert_keys, 0).value_or(0);
  const auto pattern = read_hf_pattern(fields, layers);
  const bool mixture = experts > 1 && fields.find(active_keys);
  const auto dense = mixture ? dense_layers(fields, layers) : std::vector<bool>(static_cast<std::size_t>(layers), true);
  std::optional<std::vector<int>> widths = fields.per_layer({"intermediate_size_mlp"}, layers, 0);
  if (!widths) widths = fields.per_layer(width_keys, layers, 0);
  std::vector<FeedForward> all;
  for (std::size_t i = 0; i < dense.size(); ++i) {
    const char block = pattern.empty() ? ' ' : pattern[i];
    if (block == 'M' || block == '*') {
      all.emplace_back(NoFeedForward{});
    } else if (mixture && (block == 'E' || (block == ' ' && !dense[i]))) {
      all.emplace_back(read_mixture(fields, experts, gated));
    } else {
      if (!widths) fields.at().fail(fmt::format("has none of {}", listed(width_keys)));
      if ((*widths)[i] == 0)
        all.emplace_back(NoFeedForward{});
      else
        all.emplace_back(DenseFeedForward{(*widths)[i], gated});
    }
  }
  return all;
}

std::vector<LayerGroup> group_layers(const std::vector<Attention>& attention, const std::vector<FeedForward>& feed_forward) {
  std::vector<LayerGroup> groups;
  for (std::size_t i = 0; i < attention.size(); ++i) {
    const auto at = std::ranges::find_if(
        groups, [&](const LayerGroup& g) { return g.attention == attention[i] && g.feed_forward == feed_forward[i]; });
    if (at == groups.end())
      groups.push_back({1, attention[i], feed_forward[i]});
    else
      ++at->count;
  }
  return groups;
}

}  // namespace rigplan
