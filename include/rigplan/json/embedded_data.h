// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace rigplan {

/// A file of data/ inside the program.
struct EmbeddedFile {
  std::string_view name;
  std::string_view text;
};
std::span<const EmbeddedFile> embedded_files();

}  // namespace rigplan
