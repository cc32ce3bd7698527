// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rigplan/catalog/catalog.h"
#include "rigplan/import/machine.h"
#include "rigplan/validate/measurement.h"

namespace rigplan {

/// What a reader knows and the file of a benchmark may not say; empty: as the file says.
struct BenchFacts {
  std::string gpu;  ///< catalog id
  std::optional<int> gpu_count, nodes;
  std::string link, node_link, p2p, parallel, model, quant, engine, collective;
  std::string source;  ///< where the file comes from; its name unless given
};

/// Measured rows of one benchmark file, and what it leaves open. A row that is not understood as the planner does is a question,
/// never a guess.
struct ImportedRows {
  std::vector<Measurement> rows;
  std::vector<Question> questions;
};

// Each reads the bytes of one file; `name` is for messages. @throws DataError when the bytes are something else.

/// llama-bench -o json or -o jsonl: one row for each test of a prompt or of generation.
ImportedRows import_llama_bench(const std::string& name, std::string_view bytes, const Catalog& catalog, const BenchFacts& facts);
/// vllm bench serve --save-result: the rate of all streams together and the time per token of one.
ImportedRows import_vllm_bench(const std::string& name, std::string_view bytes, const Catalog& catalog, const BenchFacts& facts);
/// What the programs of nccl-tests and rccl-tests print: the time of every size, out of place.
ImportedRows import_nccl_tests(const std::string& name, std::string_view bytes, const Catalog& catalog, const BenchFacts& facts);

}  // namespace rigplan
