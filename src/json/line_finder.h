// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace rigplan {

/// The line, counting from 1, on which each key or element starts whose JSON pointer is `pointer`; one line for each time that
/// it occurs. The text must be valid JSON.
std::vector<int> lines_of_pointer(std::string_view text, const std::string& pointer, bool comments);

}  // namespace rigplan
