// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace rigplan {

/// Bytes of the colour code, "ESC [ 1 m", that begins at `at`; 0 where none does.
inline std::size_t colour_code_at(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) != "\x1b[") return 0;
  const auto end = text.find('m', at);
  return end == std::string_view::npos ? 0 : end + 1 - at;
}

/// The UTF-8 letter that begins at `at`, or the colour code; a stray byte is a letter of its own.
inline std::string_view letter_at(std::string_view text, std::size_t at) {
  if (const auto code = colour_code_at(text, at)) return text.substr(at, code);
  const auto lead = static_cast<std::uint8_t>(text[at]);
  return text.substr(at, lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1);
}

}  // namespace rigplan
