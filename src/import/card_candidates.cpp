// SPDX-License-Identifier: Apache-2.0
#include "import/card_candidates.h"

#include "validate/row_text.h"

namespace rigplan {

std::vector<const Gpu*> card_candidates(const Catalog& catalog, const ImportedDevice& card) {
  if (const auto* named = catalog.gpus.find(card.name); !card.name.empty() && named != nullptr) return {named};
  std::vector<const Gpu*> found;
  const auto name = lower_case(card.name);
  for (const auto& gpu : catalog.gpus.entries)
    if (!name.empty() && !gpu.name.empty() && (has_word(name, lower_case(gpu.name)) || has_word(lower_case(gpu.name), name)))
      found.push_back(&gpu);
  if (found.empty() && !card.architecture.empty())
    for (const auto& gpu : catalog.gpus.entries)
      if (gpu.architecture == card.architecture) found.push_back(&gpu);
  return found;
}

}  // namespace rigplan
