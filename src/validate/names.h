// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "rigplan/workload/model.h"
#include "rigplan/workload/number_format.h"

namespace rigplan {

/// The known shape that a measured row's model text means, or nullptr. Rows spell models as hubs, file names and tables do:
/// "bartowski/nvidia_Nemotron-Cascade-2-30B-A3B-GGUF", "llama 2 13b", "Qwen3-30B-A3B-Instruct-2507-AWQ-4bit",
/// "qwen2.5-14b class, 37 of 49 layers on GPU". Endings that name a variant or a number format are left off until a known name
/// is left; sizes and generations never are.
const TransformerModel* find_model(std::string_view text);

/// The weight mix that a row's format text or a file name means, or nullptr: "Q4_K - Medium", "IQ2_K_R4 - 2.375 bpw",
/// "bf16 (inferred)", "Qwen2.5-32B-Q4_K_M.gguf". What "MXFP4" means depends on the engine's file format.
const WeightMix* find_mix(std::string_view text, std::string_view engine = "");

/// The format of a K or V cache that a row names ("q8_0", "f16", "fp8"); nullptr when unknown, F16 for an empty text.
const NumberFormat* find_cache_format(std::string_view text);

}  // namespace rigplan
