// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace rigplan {

/// A tensor type of GGUF files by its number in the file.
struct GgufType {
  std::uint32_t id = 0;
  std::string_view name;
  int block = 1;
  int block_bytes = 0;
  int row_bytes = 0;  ///< in front of every row: scales of some of the fork's formats
};

/// nullptr for a number that is not known.
const GgufType* find_gguf_type(std::uint32_t id);

}  // namespace rigplan
