// SPDX-License-Identifier: Apache-2.0
#include "estimate/memory/card_shares.h"

#include <algorithm>

namespace rigplan {

std::vector<int> layers_by_capacity(int layers, std::span<const CardBudget> cards) {
  std::vector<int> dealt(cards.size(), 0);
  double all = 0;
  for (const auto& card : cards) all += std::max(0.0, (card.vram - card.driver_context - card.reserve).in(units::byte));
  if (all <= 0) all = 1;
  for (int layer = 0; layer < layers; ++layer) {
    const double place = static_cast<double>(layer) / (layers + 1);
    double upto = 0;
    std::size_t card = 0;
    for (; card + 1 < cards.size(); ++card) {
      upto += std::max(0.0, (cards[card].vram - cards[card].driver_context - cards[card].reserve).in(units::byte)) / all;
      if (place < upto) break;
    }
    ++dealt[card];
  }
  return dealt;
}

}  // namespace rigplan
