// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace rigplan {

// Everything that people read beside the answer goes through here, to stderr.
void log_note(std::string_view text);
void log_error(std::string_view text);

}  // namespace rigplan
