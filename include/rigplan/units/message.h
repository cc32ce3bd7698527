// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rigplan {

/// Marks a text that people read and that is shown elsewhere, so that translators get it (po/update.py). It stays as it is.
consteval const char* msg(const char* english) { return english; }

}  // namespace rigplan
