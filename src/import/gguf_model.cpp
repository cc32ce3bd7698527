// SPDX-License-Identifier: Apache-2.0
// From metadata and tensor names to a shape. Which layers have experts, states or no attention is read off the tensors.
#include <algorithm>
#include <charconv>
#include <map>

#include "import/hf_layers.h"

#include <fmt/format.h>
#include "rigplan/import/gguf.h"
#include "rigplan/json/data_error.h"

namespace rigplan {
namespace {

constexpr int most_layers = 10'000;

class Metadata {
 public:
  explicit Metadata(const GgufFile& file) : file_{file}, architecture_{file.text("general.architecture")} {
    if (architecture_.empty()) fail("general.architecture");
  }

  [[noreturn]] void fail(const std::string& key) const {
    throw DataError{{file_.name, 0, ""}, fmt::format("has no \"{}\"", key)};
  }
  std::string key(std::string_view name) const { return architecture_ + "." + std::string{name}; }

  std::optional<int> whole(std::string_view name) const {
    const auto value = file_.number(key(name));
    if (!value) return std::nullopt;
    if (!(*value >= 0 && *value <= 1e9) || *value != static_cast<double>(static_cast<long long>(*value))) {
      throw DataError{{file_.name, 0, ""}, fmt::format("\"{}\" is no count", key(name))};
    }
    return static_cast<int>(*value);
  }
  int needed(std::string_view name) const {
    const auto value = whole(name);
    if (!value || *value < 1) fail(key(name));
    return *value;
  }
  /// A scalar for all layers, or an array with one value each.
  std::vector<int> per_layer(std::string_view name, int layers, std::optional<int> otherwise) const {
    const auto at = file_.metadata.find(key(name));
    if (at != file_.metadata.end()) {
      if (const auto* values = std::get_if<std::vector<double>>(&at->second.value)) {
        if (values->size() != static_cast<std::size_t>(layers)) {
          throw DataError{{file_.name, 0, ""},
                          "\"" + key(name) + "\" has " + std::to_string(values->size()) +
                              " values; expected one for each of the " + std::to_string(layers) + " layers"};
        }
        std::vector<int> out;
        for (const double value : *values) out.push_back(static_cast<int>(std::clamp(value, 0.0, 1e9)));
        return out;
      }
    }
    auto value = whole(name);
    if (!value) value = otherwise;
    if (!value) fail(key(name));
    return std::vector<int>(static_cast<std::size_t>(layers), *value);
  }
  const GgufFile& file() const { return file_; }
  const std::string& architecture() const { return architecture_; }

 private:
  const GgufFile& file_;
  std::string architecture_;
};

/// What the tensors of one layer are.
struct LayerTensors {
  bool attention = false, own_keys = false, state = false, experts = false, dense = false, gate = false;
  double state_parameters = 0, shared_width = 0;
};

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

double values_of(const GgufTensor& tensor) {
  double n = 1;
  for (const auto dimension : tensor.dimensions) n *= static_cast<double>(dimension);
  return n;
}

/// "blk.12.attn_q.weight" -> 12, or -1.
int layer_of(std::string_view name) {
  if (!name.starts_with("blk.")) return -1;
  int layer = -1;
  std::from_chars(name.data() + 4, name.data() + name.size(), layer);
  return layer;
}

TensorClass class_of(std::string_view name) {
  using enum TensorClass;
  if (name.starts_with("token_embd") || name.starts_with("per_layer_token_embd")) return embedding;
  if (name.starts_with("output.")) return head;
  if (layer_of(name) < 0) return has(name, "norm") ? norms : extra;
  if (has(name, "norm")) return norms;
  if (has(name, "ffn_gate_inp") || has(name, "exp_probs")) return router;
  if (has(name, "_exps")) return experts;
  if (has(name, "_shexp")) return shared;
  if (has(name, "ssm_") || has(name, "shortconv")) return recurrent;
  if (has(name, "ffn_")) return dense;
  return attention;
}

std::vector<LayerTensors> tensors_of_layers(const GgufFile& file, int layers) {
  std::vector<LayerTensors> all(static_cast<std::size_t>(layers));
  std::vector<double> attention(static_cast<std::size_t>(layers), 0);
  for (const auto& tensor : file.tensors) {
    const int i = layer_of(tensor.name);
    if (i < 0 || i >= layers) continue;
    auto& layer = all[static_cast<std::size_t>(i)];
    const auto kind = class_of(tensor.name);
    if (kind == TensorClass::recurrent) layer.state = true, layer.state_parameters += values_of(tensor);
    if (kind == TensorClass::attention) layer.attention = true, attention[static_cast<std::size_t>(i)] += values_of(tensor);
    if (has(tensor.name, "attn_k.") || has(tensor.name, "attn_qkv.") || has(tensor.name, "attn_kv_a")) layer.own_keys = true;
    if (kind == TensorClass::experts) layer.experts = true;
    if (kind == TensorClass::dense) layer.dense = true;
    if (has(tensor.name, "ffn_gate") && !has(tensor.name, "inp")) layer.gate = true;
    if (has(tensor.name, "ffn_up_shexp") && tensor.dimensions.size() > 1)
      layer.shared_width = static_cast<double>(tensor.dimensions[1]);
  }
  // Projections of a recurrent layer are called like attention's.
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].state) all[i].state_parameters += attention[i];
  }
  return all;
}

Recurrent read_state(const Metadata& data, const LayerTensors& layer, double hidden) {
  if (const auto cache = data.whole("shortconv.l_cache")) return {hidden * (*cache - 1), layer.state_parameters};
  const double inner = data.needed("ssm.inner_size"), state = data.needed("ssm.state_size");
  const double kernel = data.whole("ssm.conv_kernel").value_or(4), groups = data.whole("ssm.group_count").value_or(1);
  return {inner * state + (inner + 2 * groups * state) * (kernel - 1), layer.state_parameters};
}

std::vector<Attention> read_attention(const Metadata& data, const std::vector<LayerTensors>& tensors, TransformerModel& model) {
  const int layers = static_cast<int>(tensors.size());
  const auto heads = data.per_layer("attention.head_count", layers, std::nullopt);
  const int most = *std::ranges::max_element(heads);
  std::optional<int> like_heads;
  if (!data.file().metadata.contains(data.key("attention.head_count_kv"))) {
    like_heads = most;
    model.assumed.push_back(fmt::format("as many key and value heads as query heads ({}): the file states none", most));
  }
  const auto kv_heads = data.per_layer("attention.head_count_kv", layers, like_heads);
  if (most < 1) data.fail(data.key("attention.head_count"));
  const int key_size = data.whole("attention.key_length").value_or(model.hidden / most);
  const int value_size = data.whole("attention.value_length").value_or(key_size);
  const int window = data.whole("attention.sliding_window").value_or(0);
  const auto pattern = data.file().metadata.find(data.key("attention.sliding_window_pattern"));
  const auto* windowed =
      pattern == data.file().metadata.end() ? nullptr : std::get_if<std::vector<double>>(&pattern->second.value);
  int full_every = data.whole("attention.sliding_window_pattern").value_or(0);
  if (full_every == 0 && !windowed)
    full_every = data.architecture() == "gemma2" || data.architecture() == "gpt-oss" ? 2
                 : data.architecture() == "gemma3"                                   ? 6
                                                                                     : 0;

  std::vector<Attention> all;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].state) {
      all.emplace_back(read_state(data, tensors[i], model.hidden));
    } else if (!tensors[i].attention || heads[i] == 0 || (kv_heads[i] == 0 && tensors[i].own_keys)) {
      all.emplace_back(Recurrent{});
    } else if (const auto rank = data.whole("attention.kv_lora_rank")) {
      const int rope = data.needed("rope.dimension_count");
      const int full_key = data.whole("attention.key_length_mla").value_or(key_size > *rank ? 192 : key_size);
      all.emplace_back(
          Latent{.heads = heads[i],
                 .query_rank = data.whole("attention.q_lora_rank").value_or(0),
                 .kv_rank = *rank,
                 .rope_size = rope,
                 .nope_size = full_key - rope,
                 .value_size = data.whole("attention.value_length_mla").value_or(value_size > 256 ? 128 : value_size)});
    } else {
      GroupedQuery own{heads[i], std::max(1, kv_heads[i]), key_size, value_size};
      own.shares_kv = !tensors[i].own_keys;
      const bool slides = window > 0 && (windowed ? i < windowed->size() && (*windowed)[i] != 0
                                                  : full_every == 0 || (static_cast<int>(i) + 1) % full_every != 0);
      if (slides)
        all.emplace_back(SlidingWindow{own, window});
      else
        all.emplace_back(own);
    }
  }
  return all;
}

std::vector<FeedForward> read_feed_forward(const Metadata& data, const std::vector<LayerTensors>& tensors) {
  const int layers = static_cast<int>(tensors.size());
  const bool any_dense = std::ranges::any_of(tensors, [](const LayerTensors& t) { return t.dense; });
  const auto widths = data.per_layer("feed_forward_length", layers, any_dense ? std::nullopt : std::optional{0});
  std::vector<FeedForward> all;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].experts) {
      MixtureOfExperts moe;
      moe.experts = data.needed("expert_count");
      moe.active = data.needed("expert_used_count");
      moe.expert_width = data.whole("expert_feed_forward_length").value_or(widths[i]);
      if (moe.expert_width < 1) data.fail(data.key("expert_feed_forward_length"));
      if (tensors[i].shared_width > 0) moe.shared_experts = 1, moe.shared_width = static_cast<int>(tensors[i].shared_width);
      moe.gated = tensors[i].gate;
      all.emplace_back(moe);
    } else if (tensors[i].dense) {
      if (widths[i] < 1) data.fail(data.key("feed_forward_length"));
      // A fused matrix holds gate and up together.
      all.emplace_back(DenseFeedForward{widths[i], tensors[i].gate || data.architecture() == "phi3" ||
                                                       data.architecture() == "chatglm" || data.architecture() == "glm4"});
    } else {
      all.emplace_back(NoFeedForward{});
    }
  }
  return all;
}

/// Files do not reliably say what their mix is called. Of the mixes with this format in most layers, the one whose bytes for the
/// shape are nearest.
std::string nearest_mix(const GgufModel& file) {
  std::string nearest;
  Bytes least;
  for (const auto& mix : weight_mixes()) {
    const bool floats =
        mix.family == "float" && (file.weight_format == "F32" || file.weight_format == "F16" || file.weight_format == "BF16");
    if (!mix.bulk || mix.bulk->name != file.weight_format || !(mix.family == "gguf" || floats)) continue;
    const auto rule = weight_bytes(file.model, mix).total(), stored = file.weights.total();
    const auto off = rule > stored ? rule - stored : stored - rule;
    if (nearest.empty() || off < least) nearest = mix.name, least = off;
  }
  return nearest;
}

}  // namespace

GgufModel gguf_model(const GgufFile& file) {
  const Metadata data{file};
  GgufModel out;
  auto& model = out.model;
  model.file = file.name;
  model.name = file.text("general.name").empty() ? file.name : file.text("general.name");
  model.id = model.name;
  model.hidden = data.needed("embedding_length");
  const int layers = data.needed("block_count");
  if (layers > most_layers) throw DataError{{file.name, 0, ""}, fmt::format("\"{}\" is {}", data.key("block_count"), layers)};
  model.native_context = data.whole("context_length").value_or(0);
  bool separate_head = false;
  std::map<std::string, double> by_format;
  for (const auto& tensor : file.tensors) {
    out.weights[class_of(tensor.name)] += tensor.bytes;
    by_format[tensor.format] += tensor.bytes.in(units::byte);
    if (tensor.name == "output.weight") separate_head = true;
    if (tensor.name == "token_embd.weight" && tensor.dimensions.size() == 2)
      model.vocabulary = static_cast<int>(tensor.dimensions[1]);
    if (tensor.name == "per_layer_token_embd.weight") model.lookup_parameters = values_of(tensor);
  }
  model.tied_embeddings = !separate_head;
  if (model.vocabulary < 1) {
    const auto tokens = file.metadata.find("tokenizer.ggml.tokens");
    model.vocabulary = tokens == file.metadata.end()
                           ? data.needed("vocab_size")
                           : static_cast<int>(std::min<std::uint64_t>(tokens->second.length, 100'000'000));
  }
  const auto tensors = tensors_of_layers(file, layers);
  const auto attention = read_attention(data, tensors, model);
  model.groups = group_layers(attention, read_feed_forward(data, tensors));
  const auto most = std::ranges::max_element(by_format, {}, [](const auto& pair) { return pair.second; });
  if (most != by_format.end()) out.weight_format = most->first;
  out.weight_mix = nearest_mix(out);
  model.file_weights.assign(out.weights.amounts.begin(), out.weights.amounts.end());
  return out;
}

}  // namespace rigplan
