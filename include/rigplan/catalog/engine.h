// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rigplan/catalog/gpu.h"
#include "rigplan/json/figure.h"

namespace rigplan {

enum class SupportLevel { supported, community, ended, unsupported, unknown };

/// What one engine (or driver stack) says of one architecture.
struct EngineSupport : Entry {
  std::string engine;        ///< id of an Engine
  std::string architecture;  ///< id of an Architecture
  SupportLevel level = SupportLevel::unknown;
  std::string last_good_version;
  std::vector<std::string> warnings;  ///< "W_ENGINE_FORK"
};

/// A program that runs models.
struct Engine : Entry {
  std::string family;                ///< calibration groups by it: "llama.cpp", "vllm", "pytorch"
  std::vector<std::string> splits;   ///< ways to use several cards: "layer", "row", "tensor", "pipeline", "expert"
  std::vector<Vendor> vendors;       ///< of the cards it can run on at all; empty: any
  std::vector<std::string> formats;  ///< families of number formats it reads: "gguf", "gptq", "fp16"
  bool batches_streams = false;      ///< continuous batching
  bool trains = false;
};

}  // namespace rigplan
