// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "rigplan/units/quantity.h"
#include "rigplan/workload/kv_cache.h"

namespace rigplan {

/// What the note of a memory row states in the words of engines' logs.
struct MemoryNote {
  std::optional<double> context, micro_batch;  ///< "n_ctx 2048; ubatch 512"
  std::optional<bool> flash_attention;
  std::optional<int> layers, heads, kv_heads, head_size;
  std::optional<int> experts;
  std::optional<double> parameters;  ///< "params 235.094 B"
  int parameter_digits = 0;          ///< behind the point: two in llama.cpp's logs, three in its fork's
  std::optional<Bytes> file;         ///< "file size 4.58 GiB"
  std::optional<int> latent_mode;    ///< "mla mode 3"
  std::optional<LatentStorage> latent;
  bool scratch_once = false;          ///< "2023 build"
  std::optional<double> utilisation;  ///< "gpu memory utilisation 0.9"
  std::optional<double> pool_tokens;  ///< "kv tokens 184832"
  bool full_windows = false;          ///< the stated bytes per token count sliding layers in full
  std::vector<double> card_weights;   ///< MiB a card, where the list was not cut off
  std::vector<double> card_caches;    ///< the same of the KV cache
  bool host_cache = false;            ///< part of the cache is in host memory
};

MemoryNote read_memory_note(std::string_view note);

}  // namespace rigplan
