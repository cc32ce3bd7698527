// SPDX-License-Identifier: Apache-2.0
#include "rigplan/import/hf_config.h"

#include <catch2/catch.hpp>
#include <string>

#include "rigplan/workload/kv_cache.h"
#include "rigplan/workload/parameters.h"

using namespace rigplan;

static HfConfig read(const std::string& text) { return read_hf_config(JsonFile::parse("config.json", text)); }

/// A small complete config with `changes` ("key": value pairs) added; a key that stands twice is not JSON, so `without` leaves
/// one out.
static std::string config(const std::string& changes = "", const std::string& without = "") {
  const std::pair<std::string, std::string> fields[] = {
      {"model_type", R"("llama")"}, {"hidden_size", "64"},        {"num_hidden_layers", "4"}, {"num_attention_heads", "8"},
      {"num_key_value_heads", "2"}, {"intermediate_size", "256"}, {"vocab_size", "1000"},     {"tie_word_embeddings", "false"}};
  std::string text;
  for (const auto& [key, value] : fields) {
    if (key == without || changes.find("\"" + key + "\"") != std::string::npos) continue;
    text += (text.empty() ? "" : ", ") + ("\"" + key + "\": " + value);
  }
  return "{" + text + (changes.empty() ? "" : ", " + changes) + "}";
}
static const GroupedQuery& heads(const HfConfig& of, std::size_t group = 0) {
  return std::get<GroupedQuery>(of.model.groups[group].attention);
}
static double cache_of_token(const HfConfig& of) { return kv_bytes_per_token(of.model, {.context = Tokens{1}}).in(units::byte); }

TEST_CASE("a plain config is read") {
  const auto read_back = read(config());
  CHECK(read_back.model.layers() == 4);
  CHECK(heads(read_back).head_size == 8);
  CHECK(heads(read_back).kv_heads == 2);
  CHECK(read_back.model.assumed.empty());
}
TEST_CASE("dimensions under a wrapper are found", "[bad-input-1]") {
  for (const auto* wrapper : {"text_config", "llm_config", "language_config", "decoder"}) {
    INFO(wrapper);
    CHECK(read("{\"model_type\": \"vlm\", \"" + std::string{wrapper} + "\": " + config() + "}").model.hidden == 64);
  }
}
TEST_CASE("without any dimensions the keys that were tried are named", "[bad-input-1]") {
  CHECK_THROWS_WITH(read(R"({"model_type": "x"})"), Catch::Contains("hidden_size") && Catch::Contains("text_config"));
}
TEST_CASE("two levels of wrapping are unwrapped", "[bad-input-2]") {
  CHECK(read(R"({"thinker_config": {"text_config": )" + config() + "}}").model.layers() == 4);
}
TEST_CASE("a nested language model wins over dimensions at the top", "[bad-input-3]") {
  const auto mixed =
      read(R"({"hidden_size": 1152, "num_hidden_layers": 27, "num_attention_heads": 16, "text_config": )" + config() + "}");
  CHECK(mixed.model.hidden == 64);
  CHECK(mixed.model.layers() == 4);
}
TEST_CASE("absent key and value heads are as many as heads, and that is said", "[bad-input-4]") {
  const auto multi_head = read(config("", "num_key_value_heads"));
  CHECK(heads(multi_head).kv_heads == 8);
  REQUIRE(multi_head.model.assumed.size() == 1);
  CHECK_THAT(multi_head.model.assumed[0], Catch::Contains("key and value heads"));
}
TEST_CASE("a stated head size wins over hidden width by heads", "[bad-input-5][bad-input-6]") {
  CHECK(heads(read(config(R"("head_dim": 128)"))).head_size == 128);
  CHECK(heads(read(config(R"("head_dim": null)"))).head_size == 8);  // null counts as absent
}
TEST_CASE("no heads are an error with the place", "[bad-input-7]") {
  CHECK_THROWS_WITH(read(config(R"("num_attention_heads": 0)")), Catch::Contains("/num_attention_heads"));
  CHECK_THROWS_WITH(read(config(R"("num_attention_heads": 7)", "")), Catch::Contains("no multiple"));
}
TEST_CASE("key and value heads may be an array with one value a layer", "[bad-input-8]") {
  const auto varied = read(config(R"("num_key_value_heads": [2, 2, 8, 8])"));
  // 2 * 8 * (2 + 2 + 8 + 8) * 2 bytes.
  CHECK(cache_of_token(varied) == 2 * 8 * 20 * 2);
  CHECK_THROWS_WITH(read(config(R"("num_key_value_heads": [2, 2])")), Catch::Contains("4 layers"));
}
TEST_CASE("windows: a pattern, a list, all layers, none", "[bad-input-9]") {
  const auto cache_at = [](const std::string& changes, double context) {
    return kv_cache_bytes(read(config(changes)).model, {.context = Tokens{context}}).in(units::byte);
  };
  const double token = 2 * 2 * 8 * 2;  // of one layer
  CHECK(cache_at(R"("sliding_window": 16, "sliding_window_pattern": 2)", 100) == token * (2 * 16 + 2 * 100));
  CHECK(cache_at(R"("sliding_window": 16, "sliding_window_pattern": 0)", 100) == token * 4 * 16);
  CHECK(
      cache_at(
          R"("sliding_window": 16, "layer_types": ["sliding_attention", "full_attention", "sliding_attention", "sliding_attention"])",
          100) == token * (3 * 16 + 100));
  CHECK(cache_at(R"("sliding_window": 16)", 100) == token * 4 * 16);
  CHECK(cache_at(R"("sliding_window": 16, "use_sliding_window": false)", 100) == token * 4 * 100);
  CHECK(cache_at(R"("sliding_window": null)", 100) == token * 4 * 100);
  CHECK(cache_at(R"("sliding_window": 16)", 10) == token * 4 * 10);
}
TEST_CASE("a layer kind that is not known is an error, not full attention") {
  CHECK_THROWS_WITH(read(config(R"("layer_types": ["full_attention", "warp_attention", "full_attention", "full_attention"])")),
                    Catch::Contains("/layer_types/1") && Catch::Contains("warp_attention"));
}
TEST_CASE("latent attention caches rank and rope part once a layer", "[bad-input-10]") {
  const auto latent =
      read(config(R"("model_type": "deepseek_v3", "kv_lora_rank": 512, "q_lora_rank": null, "qk_rope_head_dim": 64,
      "qk_nope_head_dim": 128, "v_head_dim": 128)"));
  CHECK(cache_of_token(latent) == 4 * (512 + 64) * 2);
}
TEST_CASE("recurrent layers have a state that does not grow", "[bad-input-11]") {
  const auto hybrid = read(config(R"("model_type": "qwen3_next", "full_attention_interval": 4, "linear_num_key_heads": 2,
      "linear_num_value_heads": 4, "linear_key_head_dim": 16, "linear_value_head_dim": 16, "linear_conv_kernel_dim": 4)"));
  CHECK(cache_of_token(hybrid) == 2 * 2 * 8 * 2);
  // State 4 * 16 * 16 values and 3 columns of 2 * 32 + 64; three layers in fp32.
  CHECK(recurrent_state_bytes(hybrid.model, 1).in(units::byte) == 3 * 4 * (1024 + 3 * 128));
  CHECK(heads(hybrid, 1).gated_output);
}
TEST_CASE("a mixture counts all experts, shared ones and the first dense layers", "[bad-input-12]") {
  const auto moe =
      read(config(R"("model_type": "deepseek_v3", "n_routed_experts": 16, "num_experts_per_tok": 2, "moe_intermediate_size": 32,
      "n_shared_experts": 1, "first_k_dense_replace": 1)"));
  const auto count = count_parameters(moe.model);
  CHECK(count[TensorClass::experts] == 3 * 16 * 3 * 64 * 32);
  CHECK(count[TensorClass::shared] == 3 * 3 * 64 * 32);
  CHECK(count[TensorClass::dense] == 3 * 64 * 256);
  CHECK(active_parameters(moe.model)[TensorClass::experts] == Approx(3 * 2 * 3 * 64 * 32));
  CHECK_THROWS_WITH(read(config(R"("num_experts": 4, "num_experts_per_tok": 5)")), Catch::Contains("at most the 4 experts"));
  CHECK_THROWS_WITH(read(config(R"("num_experts": 4, "num_experts_per_tok": 2)", "intermediate_size")),
                    Catch::Contains("intermediate_size"));
}
TEST_CASE("tied embeddings count once; where the file is silent the family decides and that is said", "[bad-input-14]") {
  const auto tied = read(config(R"("tie_word_embeddings": true)"));
  CHECK(count_parameters(tied.model)[TensorClass::head] == 0);
  CHECK(active_parameters(tied.model)[TensorClass::head] == 64 * 1000);
  const auto silent = read(config("", "tie_word_embeddings"));
  CHECK_FALSE(silent.model.tied_embeddings);
  CHECK_THAT(silent.model.assumed.at(0), Catch::Contains("embeddings"));
  CHECK(read(config(R"("model_type": "gemma3_text")", "tie_word_embeddings")).model.tied_embeddings);
}
TEST_CASE("an unknown model type says what it assumes of the feed-forward") {
  CHECK_THAT(read(config(R"("model_type": "novel")")).model.assumed.at(0), Catch::Contains("gated feed-forward"));
  CHECK(count_parameters(read(config(R"("model_type": "gpt_neox")")).model)[TensorClass::dense] == 4 * 2 * 64 * 256);
}
TEST_CASE("quantised checkpoints name their format", "[bad-input-16][bad-input-17]") {
  const auto format = [](const std::string& quantization) {
    return read(config("\"quantization_config\": " + quantization)).weight_format;
  };
  CHECK(format(R"({"quant_method": "fp8", "weight_block_size": [128, 128]})") == "FP8_BLOCK");
  CHECK(format(R"({"quant_method": "fp8"})") == "FP8");
  CHECK(format(R"({"quant_method": "gptq", "bits": 4, "group_size": 32})") == "GPTQ-Int4-g32");
  CHECK(format(R"({"quant_method": "gptq", "bits": 4, "group_size": -1})") == "GPTQ-Int4-channel");
  CHECK(format(R"({"quant_method": "awq", "bits": 4})") == "AWQ");
  CHECK(format(R"({"quant_method": "mxfp4"})") == "MXFP4");
  CHECK(format(R"({"quant_method": "bitsandbytes", "load_in_4bit": true, "bnb_4bit_use_double_quant": true})") == "NF4_DQ");
  CHECK(format(R"({"quant_method": "modelopt", "quant_algo": "NVFP4"})") == "NVFP4");
  CHECK(format(R"({"quant_method": "compressed-tensors", "config_groups": {"group_0": {"weights":
      {"num_bits": 4, "type": "int", "group_size": 128}}}})") == "GPTQ-Int4");
  CHECK(
      format(R"({"quant_method": "compressed-tensors", "format": "nvfp4-pack-quantized", "config_groups": {"group_0": {"weights":
      {"num_bits": 4, "type": "float", "group_size": 16}}}})") == "NVFP4");
  CHECK(read(config(R"("torch_dtype": "bfloat16")")).weight_format == "BF16");
  CHECK(read(config()).weight_format == "");
}
TEST_CASE("an unknown quantisation is remarked on, and so are layers that keep another format", "[bad-input-18]") {
  CHECK_THAT(read(config(R"("quantization_config": {"quant_method": "magic"})")).remarks.at(0), Catch::Contains("magic"));
  const auto mixed = read(config(R"("quantization_config": {"quant_method": "fp8", "ignored_layers": ["a", "b", "c"]})"));
  CHECK(mixed.weight_format == "FP8");
  CHECK_THAT(mixed.remarks.at(0), Catch::Contains("3 entries"));
}
TEST_CASE("scales and zero points are part of a quantised size", "[bad-input-19]") {
  // 4 bits in groups of 128 with an fp16 scale and a 4-bit zero point: 4.156 bits.
  const auto gptq = read(config(R"("quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 128})"));
  const auto bytes = weight_bytes(gptq.model, *find_weight_mix(gptq.weight_format));
  CHECK(bytes[TensorClass::dense].in(units::byte) == Approx(4 * 3 * 64 * 256 * 4.15625 / 8));
}
TEST_CASE("native and scaled context are apart", "[bad-input-20]") {
  const auto yarn = read(config(R"("max_position_embeddings": 32768, "rope_scaling": {"type": "yarn", "factor": 4.0,
      "original_max_position_embeddings": 32768})"));
  CHECK(yarn.model.native_context == 32768);
  CHECK(yarn.scaled_context == 131072);
  const auto plain = read(config(R"("max_position_embeddings": 4096, "rope_scaling": null)"));
  CHECK(plain.model.native_context == 4096);
  CHECK(plain.scaled_context == 0);
}
TEST_CASE("embedding and reranking models do not generate", "[bad-input-21]") {
  CHECK_FALSE(read(config(R"("model_type": "bert")")).generates);
  CHECK_FALSE(read(config(R"("architectures": ["Qwen3ForSequenceClassification"])")).generates);
  CHECK(read(config(R"("architectures": ["LlamaForCausalLM"])")).generates);
}
TEST_CASE("a vision tower is bounded, an unknown one with a remark", "[bad-input-22]") {
  const auto known =
      read(R"({"vision_config": {"hidden_size": 1152, "num_hidden_layers": 27, "intermediate_size": 4304}, "text_config": )" +
           config() + "}");
  // SigLIP So400m has 0.41 thousand million parameters; the bound is above it and below twice that.
  CHECK(known.model.extra_parameters > 0.41e9);
  CHECK(known.model.extra_parameters < 0.82e9);
  const auto unknown = read(R"({"vision_config": {"projector_type": "new"}, "text_config": )" + config() + "}");
  CHECK(unknown.model.extra_parameters == 6e9);
  CHECK_THAT(unknown.remarks.at(0), Catch::Contains("bounded"));
}
TEST_CASE("published shapes give their published sizes") {
  const auto llama = read(R"({"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
    "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256, "tie_word_embeddings": false, "torch_dtype": "bfloat16"})");
  CHECK(count_parameters(llama.model).total() == Approx(8.03e9).epsilon(0.001));
  const auto oss = read(
      R"({"model_type": "gpt_oss", "hidden_size": 2880, "num_hidden_layers": 2, "num_attention_heads": 64, "num_key_value_heads": 8,
    "head_dim": 64, "intermediate_size": 2880, "num_local_experts": 32, "num_experts_per_tok": 4, "sliding_window": 128, "vocab_size": 201088,
    "tie_word_embeddings": false, "layer_types": ["sliding_attention", "full_attention"], "quantization_config": {"quant_method": "mxfp4"}})");
  CHECK(std::get<SlidingWindow>(oss.model.groups[0].attention).window == 128);
  CHECK(oss.weight_format == "MXFP4");
}
TEST_CASE("numbers that are no counts are errors") {
  CHECK_THROWS_WITH(read(config(R"("num_hidden_layers": 4.5)")), Catch::Contains("/num_hidden_layers"));
  CHECK_THROWS_WITH(read(config(R"("hidden_size": "64")")), Catch::Contains("/hidden_size"));
  CHECK_THROWS_WITH(read(config(R"("vocab_size": -1)")), Catch::Contains("/vocab_size"));
  CHECK_THROWS_AS(read("[]"), DataError);
}
