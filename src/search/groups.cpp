// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "rigplan/search/evaluator.h"

namespace rigplan {

std::vector<int> cards_of_copy(const RigGraph& graph, const ParallelPlan& plan) {
  std::vector<int> cards(static_cast<std::size_t>(std::min(plan.cards, graph.cards())));
  std::iota(cards.begin(), cards.end(), 0);
  return cards;
}

PeerOverPcie worst_peer(const RigGraph& graph, const std::vector<int>& cards) {
  // A ring asks its neighbours only; all pairs of a large group would be asked thousands of times.
  auto worst = PeerOverPcie::yes;
  for (std::size_t i = 1; i < cards.size(); ++i) {
    const auto answer = peer_access(graph, cards[i - 1], cards[i]).answer;
    if (answer == PeerOverPcie::no) return answer;
    if (answer == PeerOverPcie::unknown) worst = answer;
  }
  return worst;
}

}  // namespace rigplan
