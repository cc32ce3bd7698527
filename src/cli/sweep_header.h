// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/sweep_points.h"
#include "rigplan/json/value.h"

namespace rigplan {

/// What a sweep asks, everything that its rows depend on, for the head of its output and to tell it from another sweep:
///   {"schema": "rigplan/sweep/1", "query": {...}, "rig": {...}, "axes": [...], "points": n, "shard": null, "data": "...",
///    "program": "0.1.0"}
/// "query" is the question of the first point; "data" is a fingerprint of catalog, models, calibrations and rig files.
/// @param shard "1/8"; empty: all points
JsonValue sweep_header(const SweepWorld& world, const std::string& shard);

/// The question of the first point in one line, and the axes.
std::string sweep_question(const SweepWorld& world);

}  // namespace rigplan
