// SPDX-License-Identifier: Apache-2.0
#include "import/hf_quantization.h"

#include <fmt/format.h>

#include <algorithm>

namespace rigplan {
namespace {

std::string integer_format(int bits, int group) {
  if (bits == 8) return "GPTQ-Int8";
  if (bits == 3) return "GPTQ-Int3";
  if (bits != 4) return "";
  if (group == 32) return "GPTQ-Int4-g32";
  if (group == 64) return "GPTQ-Int4-g64";
  return group <= 0 ? "GPTQ-Int4-channel" : "GPTQ-Int4";
}

/// compressed-tensors describes groups of layers; the first group's weights decide, others are remarked on.
std::string compressed_tensors(const HfFields& config, std::vector<std::string>& remarks) {
  const auto groups = config.find("config_groups");
  if (!groups || groups->members().empty()) return "";
  const auto all = groups->members();
  if (all.size() > 1)
    remarks.push_back(
        fmt::format("weights are in {} formats; sized by the last, which covers the experts or the bulk", all.size()));
  const auto& chosen = all.back().second;
  const HfFields group{chosen};
  const auto weights = group.find("weights");
  if (!weights) return "";
  const HfFields of{*weights};
  const int bits = of.whole("num_bits").value_or(0), size = of.whole("group_size", -1).value_or(-1);
  const auto format = group.text("format").empty() ? config.text("format") : group.text("format");
  if (of.text("type") == "float") {
    if (bits == 4) return format.find("mxfp4") != std::string::npos ? "MXFP4" : "NVFP4";
    return of.find("block_structure") ? "FP8_BLOCK" : "FP8";
  }
  return bits == 8 && size <= 0 ? "INT8" : integer_format(bits, size);
}

std::string quantized(const HfFields& config, std::vector<std::string>& remarks) {
  const auto method = config.text("quant_method");
  if (method == "fp8" || method == "fbgemm_fp8") return config.find("weight_block_size") ? "FP8_BLOCK" : "FP8";
  if (method == "mxfp4") return "MXFP4";
  if (method == "gptq" || method == "auto-round" || method == "intel/auto-round" || method == "gptq_marlin") {
    return integer_format(config.whole("bits").value_or(4), config.whole("group_size", -1).value_or(128));
  }
  if (method == "awq") return config.whole({"bits", "w_bit"}).value_or(4) == 4 ? "AWQ" : "";
  if (method == "compressed-tensors") return compressed_tensors(config, remarks);
  if (method == "modelopt" || method.empty()) {
    auto algorithm = config.text("quant_algo");
    if (const auto inner = config.find("quantization"); algorithm.empty() && inner)
      algorithm = HfFields{*inner}.text("quant_algo");
    if (algorithm.starts_with("NVFP4")) return "NVFP4";
    if (algorithm.starts_with("FP8")) return "FP8";
    if (algorithm.starts_with("W4A16_AWQ")) return "AWQ";
  }
  if (method == "bitsandbytes" || method.empty()) {
    if (config.flag("load_in_4bit", false) || config.flag("_load_in_4bit", false)) {
      return config.flag("bnb_4bit_use_double_quant", false) ? "NF4_DQ" : "NF4";
    }
    if (config.flag("load_in_8bit", false) || config.flag("_load_in_8bit", false)) return "INT8";
  }
  if (const auto bits = config.whole("bits"); bits && method.empty()) {  // MLX
    return *bits == 4 ? "MLX-4bit" : *bits == 6 ? "MLX-6bit" : *bits == 8 ? "MLX-8bit" : "";
  }
  return "";
}

}  // namespace

std::string read_hf_weight_format(const HfFields& top, const HfFields& language, std::vector<std::string>& remarks) {
  constexpr std::string_view keys[] = {"quantization_config", "quantization"};
  auto config = top.find(keys);
  if (!config) config = language.find(keys);
  if (config && config->is_object()) {
    const HfFields fields{*config};
    const auto name = quantized(fields, remarks);
    if (name.empty()) {
      remarks.push_back(
          fmt::format("quantization method \"{}\" is not understood; state the format", fields.text("quant_method")));
      return "";
    }
    for (const auto* key : {"modules_to_not_convert", "ignore", "ignored_layers", "dynamic"}) {
      const auto kept = fields.find(key);
      if (!kept) continue;
      const auto count = kept->is_array() ? kept->elements().size() : kept->is_object() ? kept->members().size() : 0;
      if (count > 1)
        remarks.push_back(
            fmt::format("{} entries of \"{}\" keep other formats; the file is a little larger than {} alone", count, key, name));
    }
    return name;
  }
  for (const auto& fields : {top, language}) {
    auto type = fields.text("torch_dtype");
    if (type.empty()) type = fields.text("dtype");
    if (type == "bfloat16") return "BF16";
    if (type == "float16") return "F16";
    if (type == "float32") return "F32";
  }
  return "";
}

}  // namespace rigplan
