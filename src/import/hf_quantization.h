// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "import/hf_fields.h"

namespace rigplan {

/// The name of the weight mix that "quantization_config" describes; without one that of "torch_dtype"; "" when it is not
/// understood, with a remark.
std::string read_hf_weight_format(const HfFields& top, const HfFields& language, std::vector<std::string>& remarks);

}  // namespace rigplan
