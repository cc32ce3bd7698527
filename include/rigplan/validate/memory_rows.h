// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/catalog/catalog.h"
#include "rigplan/validate/predictor.h"

namespace rigplan {

/// Predicts rows of the kind "memory". The catalog gives the cards' memory; it must outlive the predictor.
/// Metrics: weights_mib, kv_mib, kv_pool_mib, compute_buffer_mib, activation_peak_mib, non_torch_mib, cuda_graph_mib, total_mib
/// (the sum of the buffers that the engine printed) and peak_total_gb (what the device reported).
RowPredictor memory_predictor(const Catalog& catalog);

}  // namespace rigplan
