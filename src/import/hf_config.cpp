// SPDX-License-Identifier: Apache-2.0
#include "rigplan/import/hf_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "import/hf_fields.h"
#include "import/hf_layers.h"
#include "import/hf_quantization.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

constexpr std::string_view wrappers[] = {"text_config",    "llm_config", "language_config", "thinker_config", "decoder",
                                         "language_model", "llm"};
constexpr std::string_view hidden_keys[] = {"hidden_size", "n_embd", "d_model", "dim"};
constexpr std::string_view layer_keys[] = {"num_hidden_layers", "n_layer", "n_layers", "num_layers"};
constexpr int deepest_wrapper = 4;

/// The language model's own object: nested ones win over dimensions at the top, which may be a vision tower's.
Cursor unwrap(Cursor at, int depth) {
  const HfFields fields{at};
  if (depth > 0) {
    for (const auto key : wrappers) {
      const auto inner = fields.find(HfKeys{key});
      if (!inner || !inner->is_object()) continue;
      const auto found = unwrap(*inner, depth - 1);
      if (HfFields{found}.find(hidden_keys)) return found;
    }
  }
  return at;
}

bool ties_by_default(const std::string& type) {
  for (const auto* known : {"gemma", "gpt2", "opt", "bloom", "mpt", "falcon", "cohere", "gpt_bigcode", "lfm2"}) {
    if (type.starts_with(known)) return true;
  }
  return false;
}

bool read_tied(const HfFields& top, const HfFields& language, std::vector<std::string>& assumed) {
  for (const auto& fields : {language, top}) {
    for (const auto* key : {"tie_word_embeddings", "tie_embedding", "use_embedding_sharing"}) {
      if (const auto stated = fields.find(key)) return stated->boolean();
    }
  }
  const auto type = language.text("model_type");
  const bool tied = ties_by_default(type);
  assumed.push_back(fmt::format("{} input and output embeddings: the file does not say", tied ? msg("tied") : msg("separate")));
  return tied;
}

/// Names of architectures that embed or rank text.
bool is_encoder(const HfFields& top) {
  for (const auto* type :
       {"bert", "roberta", "xlm-roberta", "nomic_bert", "modernbert", "mpnet", "distilbert", "new", "deberta-v2"}) {
    if (top.text("model_type") == type) return true;
  }
  const auto architectures = top.find("architectures");
  if (!architectures || !architectures->is_array()) return false;
  for (const auto& name : architectures->elements()) {
    for (const auto* ending : {"ForSequenceClassification", "ForTokenClassification", "ForMaskedLM", "EmbeddingModel"}) {
      if (name.text().ends_with(ending)) return true;
    }
  }
  return false;
}

/// Parameters of a tower from its dimensions, or an upper bound for one of unknown make.
double tower_parameters(const HfFields& tower, std::string_view key, HfConfig& out) {
  constexpr double bound = 6e9;  // the largest vision encoders in use
  const auto hidden = tower.whole({"hidden_size", "embed_dim", "width", "d_model"});
  const auto layers = tower.whole({"num_hidden_layers", "depth", "layers", "encoder_layers", "vt_num_hidden_layers"});
  if (!hidden || !layers) {
    out.remarks.push_back(fmt::format("\"{}\" states no dimensions: bounded by 6 thousand million parameters", key));
    return bound;
  }
  const double width = tower.whole({"intermediate_size", "encoder_ffn_dim", "mlp_dim"}).value_or(4 * *hidden);
  const double h = *hidden;
  // Gated blocks and a projector of two matrices are counted, whether they are there or not.
  const double blocks = *layers * (4 * h * h + 3 * h * width), patches = 3 * 16 * 16 * h * 2 + 4096 * h;
  const double projector = h * 4 * out.model.hidden + static_cast<double>(out.model.hidden) * out.model.hidden;
  out.remarks.push_back(fmt::format("\"{}\" is bounded from its dimensions, not modelled", key));
  return blocks + patches + projector;
}

void read_towers(const HfFields& top, HfConfig& out) {
  for (const auto key : {std::string_view{"vision_config"}, std::string_view{"audio_config"},
                         std::string_view{"vision_tower_config"}, std::string_view{"visual"}}) {
    const auto tower = top.find(HfKeys{key});
    if (tower && tower->is_object()) out.model.extra_parameters += tower_parameters(HfFields{*tower}, key, out);
  }
  // Omni models nest their towers with the language model.
  if (const auto thinker = top.find("thinker_config"); thinker && thinker->is_object()) read_towers(HfFields{*thinker}, out);
}

void read_context(const HfFields& fields, HfConfig& out) {
  const auto stated =
      fields.whole({"max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "max_sequence_length"});
  out.model.native_context = stated.value_or(0);
  const auto scaling = fields.find({"rope_scaling", "rope_parameters"});
  if (!scaling || !scaling->is_object()) return;
  const HfFields rope{*scaling};
  const double factor = rope.find("factor") ? rope.number("factor", 1) : 1;
  if (factor <= 1) return;
  const auto original = rope.whole("original_max_position_embeddings");
  if (original) out.model.native_context = *original;
  out.scaled_context = static_cast<int>(std::lround(out.model.native_context * factor));
  if (stated && original && *stated > out.scaled_context) out.scaled_context = *stated;
}

}  // namespace

HfConfig read_hf_config(const JsonFile& file) {
  const Cursor root{file};
  if (!root.is_object()) root.fail("expected an object");
  const HfFields top{root};
  const auto at = unwrap(root, deepest_wrapper);
  const HfFields fields{at};
  if (!fields.find(hidden_keys) || !fields.find(layer_keys)) {
    root.fail(fmt::format("has no dimensions of a language model; looked for {} and {} here and below {}", listed(hidden_keys),
                          listed(layer_keys), listed(wrappers)));
  }
  HfConfig out;
  auto& model = out.model;
  model.file = file.name();
  model.name = top.text("_name_or_path").empty() ? file.name() : top.text("_name_or_path");
  model.id = model.name;
  model.hidden = fields.needed(hidden_keys);
  const int layers = fields.needed(layer_keys);
  if (layers > 10'000) fields.find(layer_keys)->fail("expected at most 10000 layers");
  constexpr std::string_view vocabulary_keys[] = {"vocab_size", "padded_vocab_size", "n_vocab"};
  auto vocabulary = fields.whole(vocabulary_keys);
  if (!vocabulary) vocabulary = top.whole(vocabulary_keys);
  if (!vocabulary) fields.at().fail(fmt::format("has none of {}", listed(vocabulary_keys)));
  model.vocabulary = *vocabulary;
  model.tied_embeddings = read_tied(top, fields, model.assumed);
  const auto attention = read_hf_attention(fields, layers, model.hidden, model.assumed);
  model.groups = group_layers(attention, read_hf_feed_forward(fields, layers, model.assumed));
  if (const auto per_layer = fields.whole("hidden_size_per_layer_input", 0); per_layer && *per_layer > 0) {
    model.lookup_parameters =
        static_cast<double>(*per_layer) * layers * fields.whole("vocab_size_per_layer_input").value_or(model.vocabulary);
  }
  model.draft_layers = fields.whole({"num_nextn_predict_layers", "mtp_num_hidden_layers"}, 0).value_or(0);
  read_towers(top, out);
  read_context(fields, out);
  out.weight_format = read_hf_weight_format(top, fields, out.remarks);
  out.generates = !is_encoder(top);
  if (!out.generates) out.remarks.push_back("embeds or ranks text: it keeps no cache and decodes nothing");
  return out;
}

}  // namespace rigplan
