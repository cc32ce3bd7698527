// SPDX-License-Identifier: Apache-2.0
#include "estimate/memory/card_shares.h"

#include <algorithm>

namespace rigplan {

std::vector<int> layers_by_capacity(int layers, std::span<const CardBudget> cards) {
  std::vector<int> dealt(cards.size(), 0);
  const auto room = [&](std::size_t card) {
    return std::max(0.0, (cards[card].vram - cards[card].driver_context - cards[card].reserve).in(units::byte));
  };
  double all = 0;
  for (std::size_t card = 0; card < cards.size(); ++card) all += room(card);
  if (all <= 0) all = 1;
  std::size_t card = 0;
  double upto = room(0) / all;  // the share of the depth that ends with this card
  for (int layer = 0; layer < layers; ++layer) {
    const double place = static_cast<double>(layer) / (layers + 1);
    while (card + 1 < cards.size() && place >= upto) upto += room(++card) / all;
    ++dealt[card];
  }
  return dealt;
}

}  // namespace rigplan
