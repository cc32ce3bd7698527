// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace rigplan {

/// A file inside the program.
struct EmbeddedFile {
  std::string_view name;
  std::string_view text;
  std::string_view cbor{};  ///< the same JSON as CBOR (RFC 8949), which is read in a third of the time; empty for what is no JSON
};
/// The files of data/.
std::span<const EmbeddedFile> embedded_files();

}  // namespace rigplan
