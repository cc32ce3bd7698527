// SPDX-License-Identifier: Apache-2.0
#include "search/card_facts.h"

#include <fmt/format.h>

namespace rigplan {

CardBudget card_budget(const Gpu& gpu, const Catalog& catalog) {
  const auto* architecture = catalog.architectures.find(gpu.architecture);
  return {gpu.vram, architecture ? architecture->driver_context : Bytes{}, Bytes{}};
}

CardSpeed capped_speed(const Gpu& gpu, std::optional<Watts> power_cap, const Catalog& catalog) {
  auto speed = card_speed(gpu, catalog.architectures.find(gpu.architecture));
  if (power_cap) speed.power_cap = *power_cap;
  return speed;
}

Range<FlopRate> usable_range(const InferenceSpeed& speed) {
  return map_range(speed.decode, [&](TokenRate rate) { return rate / speed.decode.likely * speed.usable; });
}

std::string no_plan_text(const std::string& engine, int cards) {
  return fmt::format("{} has no way to divide the model over {} cards", engine, cards);
}

}  // namespace rigplan
