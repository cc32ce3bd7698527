// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace rigplan {

/// Writes the rows of the shards behind each other, as one run would have written them.
/// @param out "-": standard output
/// @throws UsageError for shards of different sweeps, and for points that are missing or stand in two of them
void merge_sweeps(const std::vector<std::string>& paths, const std::string& out);

}  // namespace rigplan
