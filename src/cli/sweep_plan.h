// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/session.h"
#include "cli/sweep_fields.h"
#include "rigplan/search/sweep_space.h"

namespace rigplan {

/// What a sweep asks: the fixed part and the axes.
struct SweepPlan {
  SweepInput base;
  SweepSpace space{{}};
  std::vector<std::vector<SweepField>> fields;  ///< of each axis

  /// Names of all fields of all axes, in order.
  std::vector<std::string> field_names() const;
};

/// Axes and settings of a sweep file:
///   {"schema": "rigplan/sweep_plan/1", "rig": "two-7900-xtx.json", "set": {"model": "qwen2.5-14b"},
///    "axes": [{"context": "8k..128k*2"}, {"cards": [2, 4], "users": [1, 8]}]}
/// Fields that stand in one object of "axes" are linked. A rig file is looked for beside the sweep file.
/// @param given options of the command line: they stand above the file's settings
/// @throws DataError
void read_sweep_file(const std::string& path, const std::set<std::string>& given, SweepInput& base, std::vector<SweepAxis>& axes);

/// Checks every name and, of axes of up to ten thousand values, every value (of longer ones the first and the last).
/// @throws UsageError that names the axis
SweepPlan make_sweep_plan(SweepInput base, std::vector<SweepAxis> axes, const Session& session);

}  // namespace rigplan
