// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/topology/rig.h"

namespace rigplan {

/// A bridge is a stiff part that spans neighbouring slots.
enum class BridgeReach {
  reaches,
  card_between,  ///< a card that the bridge does not join sits between those that it does
  off_board,     ///< a card hangs on a cable or an adapter: whether the bridge reaches is not known
};
BridgeReach bridge_reach(const RigNode& node, const Board& board, const BridgePlace& bridge);

}  // namespace rigplan
