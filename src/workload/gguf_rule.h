// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/workload/matrices.h"
#include "rigplan/workload/number_format.h"

namespace rigplan {

/// What llama.cpp's quantiser looks at beside a tensor's name.
struct GgufFacts {
  int layers = 0;
  int queries_per_kv_head = 1;
  int experts = 0;
};

/// The format that the rule gives matrix `index` of `count` alike, or nullptr for "as the bulk".
const NumberFormat* gguf_rule_format(GgufRule rule, MatrixRole role, const GgufFacts& facts, int index, int count);

/// The format that is used instead where rows of `columns` values cannot be cut into whole blocks of `format`.
const NumberFormat* gguf_fitting_format(const NumberFormat* format, double columns);

}  // namespace rigplan
