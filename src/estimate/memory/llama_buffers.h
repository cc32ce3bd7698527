// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/estimate/memory/memory.h"

namespace rigplan {

/// What the size of llama.cpp's compute buffers depends on, beside the model.
struct LlamaBufferCase {
  MemoryEngine engine = MemoryEngine::llama_cpp;
  double micro_batch = 512;  ///< rows of one pass
  double context = 0;        ///< of one stream
  int cards = 1;
  bool flash_attention = true;
  bool experts_on_host = false;  ///< of some layers
  bool pipeline_copies = true;
  bool dequantised_cache = false;  ///< keys and values are kept in a block format
  LatentStorage latent = LatentStorage::compressed;
  int latent_mode = 0;
  Bytes attention_limit;  ///< ik_llama.cpp's -amb: scores are computed in blocks of this size; 0: at once
  Bytes expert_tensor;    ///< the routed experts' weights of one matrix of one layer
};

/// Compute buffers of one card: with layers only, with the output head only, and with both.
struct LlamaBuffers {
  Bytes layer, head;
  Bytes staged;  ///< the layer part where expert weights are copied in from host memory; only the first card does that

  Bytes on_card(bool has_layers, bool has_head, bool stages) const;
};

LlamaBuffers llama_buffers(const TransformerModel& model, const LlamaBufferCase& of);

/// The one scratch buffer of llama.cpp builds of 2023.
Bytes llama_scratch_2023(const TransformerModel& model, double micro_batch, double context);

}  // namespace rigplan
