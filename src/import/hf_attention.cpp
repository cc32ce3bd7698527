// SPDX-License-Identifier: Apache-2.0
// Attention kinds of config.json files. Field names as Hugging Face's configuration classes have them.
#include <algorithm>

#include "import/hf_layers.h"

#include <fmt/format.h>

namespace rigplan {
namespace {

enum class LayerKind { full, sliding, linear, convolution, mamba, none };

constexpr std::pair<std::string_view, LayerKind> kind_names[] = {
    {"full_attention", LayerKind::full},
    {"attention", LayerKind::full},
    {"sliding_attention", LayerKind::sliding},
    {"local_attention", LayerKind::sliding},
    {"chunked_attention", LayerKind::sliding},
    {"linear_attention", LayerKind::linear},
    {"gated_delta_net", LayerKind::linear},
    {"conv", LayerKind::convolution},
    {"short_conv", LayerKind::convolution},
    {"mamba", LayerKind::mamba},
    {"mamba2", LayerKind::mamba},
    {"moe", LayerKind::none},
    {"mlp", LayerKind::none},
};

bool starts(const std::string& text, std::string_view with) { return text.starts_with(with); }

std::vector<LayerKind> kinds_from_list(const Cursor& list, int layers) {
  const auto elements = list.elements();
  if (elements.size() != static_cast<std::size_t>(layers)) {
    list.fail(fmt::format("has {} values; expected one for each of the {} layers", elements.size(), layers));
  }
  std::vector<LayerKind> kinds;
  for (const auto& element : elements) {
    const auto at = std::ranges::find(kind_names, element.text(), [](const auto& pair) { return pair.first; });
    if (at == std::end(kind_names))
      element.fail(fmt::format("layer kind \"{}\" is not known; nothing is assumed for it", element.text()));
    kinds.push_back(at->second);
  }
  return kinds;
}

std::vector<LayerKind> kinds_from_pattern(const std::string& pattern) {
  std::vector<LayerKind> kinds;
  for (const char c : pattern) kinds.push_back(c == 'M' ? LayerKind::mamba : c == '*' ? LayerKind::full : LayerKind::none);
  return kinds;
}

/// Which layers have a window where the file has no list of kinds.
std::vector<LayerKind> kinds_from_window(const HfFields& fields, int layers) {
  std::vector<LayerKind> kinds(static_cast<std::size_t>(layers), LayerKind::full);
  if (!fields.find({"sliding_window", "attention_chunk_size"}) || !fields.flag("use_sliding_window", true)) return kinds;
  const auto type = fields.text("model_type");
  int full_every = 0;  // 0: every layer has the window
  if (const auto pattern = fields.whole({"sliding_window_pattern", "_sliding_window_pattern"}, 0))
    full_every = *pattern;
  else if (starts(type, "gemma2"))
    full_every = 2;
  else if (starts(type, "gemma3"))
    full_every = 6;
  else if (starts(type, "cohere2") || starts(type, "llama4"))
    full_every = 4;
  const int first = fields.find("use_sliding_window") ? fields.whole("max_window_layers", 0).value_or(0) : 0;
  for (int i = first; i < layers; ++i) {
    if (full_every == 0 || (i + 1) % full_every != 0) kinds[static_cast<std::size_t>(i)] = LayerKind::sliding;
  }
  return kinds;
}

/// Every so many layers attention, the others linear or state-space layers.
std::vector<LayerKind> kinds_from_interval(int layers, int interval, int offset, LayerKind others) {
  std::vector<LayerKind> kinds;
  for (int i = 0; i < layers; ++i) kinds.push_back(i % interval == offset ? LayerKind::full : others);
  return kinds;
}

std::vector<LayerKind> read_kinds(const HfFields& fields, int layers) {
  if (const auto list = fields.find({"layer_types", "layers_block_type"})) return kinds_from_list(*list, layers);
  if (const auto pattern = read_hf_pattern(fields, layers); !pattern.empty()) return kinds_from_pattern(pattern);
  if (const auto interval = fields.whole("full_attention_interval")) {
    return kinds_from_interval(layers, *interval, *interval - 1, LayerKind::linear);
  }
  if (const auto period = fields.whole("attn_layer_period")) {
    return kinds_from_interval(layers, *period, fields.whole("attn_layer_offset", 0).value_or(0), LayerKind::mamba);
  }
  if (const auto indices = fields.find("full_attn_idxs")) {
    std::vector<LayerKind> kinds(static_cast<std::size_t>(layers), LayerKind::convolution);
    for (const auto& index : indices->elements()) kinds[static_cast<std::size_t>(index.integer(0, layers - 1))] = LayerKind::full;
    return kinds;
  }
  return kinds_from_window(fields, layers);
}

/// Gated delta net: query, key, value and gate projections, two small ones a head, a convolution and the output.
Recurrent delta_net(const HfFields& fields, double hidden) {
  const double key_heads = fields.needed({"linear_num_key_heads"}), value_heads = fields.needed({"linear_num_value_heads"});
  const double key_size = fields.needed({"linear_key_head_dim"}), value_size = fields.needed({"linear_value_head_dim"});
  const double kernel = fields.whole("linear_conv_kernel_dim").value_or(4);
  const double keys = key_heads * key_size, values = value_heads * value_size, mixed = 2 * keys + values;
  return {.state_elements = value_heads * key_size * value_size + mixed * (kernel - 1),
          .parameters = hidden * (mixed + values + 2 * value_heads) + mixed * kernel + values * hidden};
}

Recurrent short_convolution(const HfFields& fields, double hidden) {
  const double kernel = fields.whole({"conv_L_cache", "short_conv_kernel_size"}).value_or(3);
  return {.state_elements = hidden * (kernel - 1), .parameters = 4 * hidden * hidden + hidden * kernel};
}

Recurrent mamba2(const HfFields& fields, double hidden) {
  const double heads = fields.needed({"mamba_num_heads", "mamba_n_heads"}),
               size = fields.needed({"mamba_head_dim", "mamba_d_head"});
  const double state = fields.needed({"ssm_state_size", "mamba_d_state"}),
               groups = fields.whole({"n_groups", "mamba_n_groups"}).value_or(1);
  const double kernel = fields.whole({"conv_kernel", "mamba_d_conv"}).value_or(4);
  const double inner = heads * size, mixed = inner + 2 * groups * state;
  return {.state_elements = inner * state + mixed * (kernel - 1),
          .parameters = hidden * (inner + mixed + heads) + mixed * kernel + inner * hidden};
}

Latent latent(const HfFields& fields, int heads) {
  return {.heads = heads,
          .query_rank = fields.whole("q_lora_rank", 0).value_or(0),
          .kv_rank = fields.needed({"kv_lora_rank"}),
          .rope_size = fields.needed({"qk_rope_head_dim"}),
          .nope_size = fields.needed({"qk_nope_head_dim"}),
          .value_size = fields.needed({"v_head_dim"}),
          .index_heads = fields.whole("index_n_heads", 0).value_or(0),
          .index_size = fields.whole("index_head_dim", 0).value_or(0)};
}

int kv_heads_of(const HfFields& fields, int heads, std::vector<std::string>& assumed) {
  // Old multi-query switches, and ChatGLM's and Falcon's own names.
  if (fields.flag("multi_query", false) && !fields.flag("new_decoder_architecture", false)) return 1;
  if (fields.flag("multi_query_attention", false)) return fields.whole("multi_query_group_num").value_or(1);
  if (const auto kv = fields.whole({"num_key_value_heads", "num_kv_heads", "n_head_kv", "kv_n_heads"}); kv) return *kv;
  assumed.push_back(fmt::format("as many key and value heads as query heads ({}): the file states none", heads));
  return heads;
}

}  // namespace

std::string read_hf_pattern(const HfFields& fields, int layers) {
  const auto at = fields.find("hybrid_override_pattern");
  if (!at) return "";
  const auto& pattern = at->text();
  if (pattern.size() != static_cast<std::size_t>(layers)) {
    at->fail(fmt::format("names {} blocks; expected {}", pattern.size(), layers));
  }
  if (const auto odd = pattern.find_first_not_of("M*-E"); odd != std::string::npos) {
    at->fail(fmt::format("block kind \"{}\" is not known; expected M, *, - or E", pattern[odd]));
  }
  return pattern;
}

std::vector<Attention> read_hf_attention(const HfFields& fields, int layers, int hidden, std::vector<std::string>& assumed) {
  constexpr std::string_view head_keys[] = {"num_attention_heads_per_layer", "num_attention_heads", "n_head", "n_heads",
                                            "num_heads"};
  const auto heads = fields.per_layer(head_keys, layers, 1);
  if (!heads) fields.at().fail(fmt::format("has none of {}", listed(head_keys)));
  const int most = *std::ranges::max_element(*heads);
  std::vector<int> kv_heads;
  if (const auto stated = fields.find("num_key_value_heads"); stated && stated->is_array()) {
    kv_heads = *fields.per_layer({"num_key_value_heads"}, layers, 0);
  } else {
    kv_heads.assign(static_cast<std::size_t>(layers), fields.find("kv_lora_rank") ? most : kv_heads_of(fields, most, assumed));
  }
  int head_size = fields.whole({"head_dim", "kv_channels", "attention_head_dim"}).value_or(0);
  if (head_size == 0 && !fields.find("kv_lora_rank")) {
    if (hidden % most != 0)
      fields.at().fail(fmt::format("has no head_dim, and hidden width {} is no multiple of {} heads", hidden, most));
    head_size = hidden / most;
  }
  const int global_size = fields.whole("global_head_dim").value_or(head_size);
  const int global_kv = fields.whole("num_global_key_value_heads").value_or(0);
  const int window = fields.whole({"sliding_window", "attention_chunk_size"}).value_or(0);
  const int shared = fields.whole("num_kv_shared_layers", 0).value_or(0);
  const bool gated = fields.flag("attn_output_gate", starts(fields.text("model_type"), "qwen3_next"));
  const auto kinds = read_kinds(fields, layers);
  const bool mixed = std::ranges::find(kinds, LayerKind::sliding) != kinds.end();

  std::vector<Attention> all;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const bool full = kinds[i] == LayerKind::full;
    GroupedQuery own{(*heads)[i], kv_heads[i], full && mixed ? global_size : head_size, full && mixed ? global_size : head_size,
                     gated};
    if (full && mixed && global_kv > 0) own.kv_heads = global_kv;
    own.shares_kv = static_cast<int>(i) >= layers - shared;
    if ((full || kinds[i] == LayerKind::sliding) && (own.kv_heads == 0 || own.heads == 0)) {
      all.emplace_back(Recurrent{});  // a layer whose attention was pruned away
      continue;
    }
    switch (kinds[i]) {
      case LayerKind::full:
        if (fields.find("kv_lora_rank"))
          all.emplace_back(latent(fields, own.heads));
        else
          all.emplace_back(own);
        break;
      case LayerKind::sliding:
        if (window == 0) fields.at().fail("has sliding layers but no \"sliding_window\"");
        all.emplace_back(SlidingWindow{own, window});
        break;
      case LayerKind::linear:
        all.emplace_back(delta_net(fields, hidden));
        break;
      case LayerKind::convolution:
        all.emplace_back(short_convolution(fields, hidden));
        break;
      case LayerKind::mamba:
        all.emplace_back(mamba2(fields, hidden));
        break;
      case LayerKind::none:
        all.emplace_back(Recurrent{});
        break;
    }
  }
  return all;
}

}  // namespace rigplan
