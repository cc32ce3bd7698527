// SPDX-License-Identifier: Apache-2.0
#include "topology/bridge_reach.h"

#include <algorithm>
#include <vector>

namespace rigplan {
namespace {

/// Slots are listed from the processor down; -1: not in a slot of the board.
int place_on_board(const RigNode& node, const Board& board, int card) {
  const auto& id = node.cards[static_cast<std::size_t>(card)].plug.slot;
  const auto at = std::find_if(board.slots.begin(), board.slots.end(), [&](const Slot& slot) { return slot.id == id; });
  return at == board.slots.end() ? -1 : static_cast<int>(at - board.slots.begin());
}

}  // namespace

BridgeReach bridge_reach(const RigNode& node, const Board& board, const BridgePlace& bridge) {
  std::vector<int> at;
  for (const int card : bridge.cards) {
    at.push_back(place_on_board(node, board, card));
    if (at.back() < 0 || !node.cards[static_cast<std::size_t>(card)].plug.via.empty()) return BridgeReach::off_board;
  }
  const auto [least, most] = std::minmax_element(at.begin(), at.end());
  for (int i = 0; i < static_cast<int>(node.cards.size()); ++i) {
    if (std::find(bridge.cards.begin(), bridge.cards.end(), i) != bridge.cards.end()) continue;
    if (const int place = place_on_board(node, board, i); place > *least && place < *most) return BridgeReach::card_between;
  }
  return BridgeReach::reaches;
}

}  // namespace rigplan
