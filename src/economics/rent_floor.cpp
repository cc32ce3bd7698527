// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/rent_floor.h"

#include <algorithm>
#include <vector>

namespace rigplan {
namespace {

FlopRate fp16_rate(const Gpu& gpu) { return gpu.peaks.fp16_matrix.value_or(gpu.peaks.fp16_vector.value_or(FlopRate{})); }

void lower(std::optional<RentFloor>& floor, YuanPerSecond per_card, const RentOffer& offer) {
  if (!floor || per_card < floor->per_card) floor = RentFloor{per_card, &offer};
}

}  // namespace

std::optional<RentFloor> rent_floor(const Catalog& catalog, std::string_view id) {
  const auto* gpu = catalog.gpus.find(id);
  if (!gpu) return std::nullopt;
  std::optional<RentFloor> by_memory, by_rate;
  for (const auto& offer : catalog.rent.entries) {
    const auto* other = catalog.gpus.find(offer.gpu);
    const auto price = catalog.exchange.convert(offer.per_card_hour);
    if (!other || other == gpu || other->disputed || !price) continue;
    const auto per_card = *price / (1 * hour);
    lower(by_memory, gpu->vram / other->vram * per_card, offer);
    if (fp16_rate(*other) > FlopRate{} && fp16_rate(*gpu) > FlopRate{})
      lower(by_rate, fp16_rate(*gpu) / fp16_rate(*other) * per_card, offer);
  }
  if (!by_memory || !by_rate) return std::nullopt;
  return by_memory->per_card < by_rate->per_card ? by_memory : by_rate;
}

std::optional<RentRange> rent_range(const Catalog& catalog, std::string_view gpu) {
  std::vector<YuanPerSecond> prices;
  for (const auto& offer : catalog.rent.entries)
    if (const auto price = offer.gpu == gpu ? catalog.exchange.convert(offer.per_card_hour) : std::nullopt)
      prices.push_back(*price / (1 * hour));
  if (prices.empty()) return std::nullopt;
  std::sort(prices.begin(), prices.end());
  return RentRange{{prices.front(), prices[prices.size() / 2], prices.back()}, static_cast<int>(prices.size())};
}

}  // namespace rigplan
