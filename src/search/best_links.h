// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "rigplan/catalog/calibration.h"
#include "rigplan/catalog/gpu.h"
#include "rigplan/estimate/collectives/group_fabric.h"

namespace rigplan {

/// Fabrics of which one is at least as fast as any that a host can give to `cards` cards of this kind in one machine. Plug-in
/// cards: each alone on the widest link that it can train to, writing to the others where its kind ever may. Modules: links that
/// cost no time.
/// @param bridged a bridge may join plug-in cards: links that cost no time
std::vector<GroupFabric> best_links(const Gpu& gpu, int cards, bool bridged, const Calibration& collectives);

}  // namespace rigplan
