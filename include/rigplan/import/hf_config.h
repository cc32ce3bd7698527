// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/json/json_file.h"
#include "rigplan/workload/model.h"

namespace rigplan {

/// What a Hugging Face config.json says.
struct HfConfig {
  TransformerModel model;  ///< model.assumed lists what the file leaves open
  /// The weight mix that quantization_config (or torch_dtype) names; empty when neither is there or it is not understood.
  std::string weight_format;
  int scaled_context = 0;            ///< with the file's rope scaling; 0: none
  bool generates = true;             ///< false: an embedding or reranking model, which keeps no cache and decodes nothing
  std::vector<std::string> remarks;  ///< what people should know: mixed formats, projectors that are only bounded
};

/// Reads the shape of the language model. Unknown fields that matter are errors, missing ones errors or lines in
/// model.assumed; a value of null counts as missing. Vision and audio towers are bounded, not modelled.
/// @throws DataError with file, line and JSON pointer.
HfConfig read_hf_config(const JsonFile& file);

}  // namespace rigplan
