// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/estimate/memory/memory.h"

namespace rigplan {

/// What vLLM's profiling run finds beside weights: a full step of `tokens` and the sampler on `sequences` rows of logits.
Bytes paged_activation_peak(const TransformerModel& model, double tokens, double sequences);
/// Memory of libraries outside the allocator: more where cards talk to each other.
Bytes paged_non_torch(int cards);
/// Captured graphs of a paged engine.
Bytes paged_graphs(const TransformerModel& model);

/// The peak of one eager PyTorch forward pass over `rows` tokens beside weights and cache.
Bytes pytorch_forward_peak(const TransformerModel& model, double rows);

}  // namespace rigplan
