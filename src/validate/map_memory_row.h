// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>
#include <vector>

#include "rigplan/catalog/catalog.h"
#include "rigplan/estimate/memory/memory.h"
#include "rigplan/validate/predictor.h"
#include "validate/memory_note.h"

namespace rigplan {

/// A memory row as a question to the planner.
struct MemoryCase {
  const TransformerModel* model = nullptr;
  Job job;
  MemorySetting setting;
  ParallelPlan plan;
  std::vector<CardBudget> cards;
  MemoryNote note;
  bool latent = false;        ///< the model has latent attention
  bool storage_known = true;  ///< the row says how a latent cache is stored, or there is none
  bool context_known = true;
  bool format_known = true;  ///< of the weights
  bool device_known = true;  ///< the card is in the catalog
  int cards_with_cache = 0;  ///< fewer than plan.cards where the row lists cards that only hold experts
  double pool_tokens = 0;    ///< where the row states them
};

std::variant<MemoryCase, Skipped> map_memory_row(const Measurement& row, const Catalog& catalog);

}  // namespace rigplan
