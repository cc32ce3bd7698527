// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "rigplan/topology/paths.h"
#include "rigplan/units/range.h"

namespace rigplan {

/// What a plain copy from one card to another reaches, one way, nothing else moving: the route's bandwidth times the share that
/// was measured for its kind (92 rows of peer copies: median, and the spread of staging, whose host buffers decide).
Range<Bandwidth> copy_rate(const RigGraph& graph, const Route& route);

/// The same when the destination reads instead of the source writing, over PCIe and where that was measured for the reading card.
std::optional<Range<Bandwidth>> read_rate(const RigGraph& graph, const Route& route, int to);

/// What a copy of a few bytes takes: the wires, and the driver's steps where host memory stands in between (1.0 us with and
/// 14 to 15 us without peers, measured on root ports of one processor, github.com/noonghunna/club-3090, 2026-08).
Seconds copy_latency(const Route& route);

}  // namespace rigplan
