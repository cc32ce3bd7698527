// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rigplan/json/cursor.h"

namespace rigplan {

/// Days since 1970-01-01 of the first day that "2025-01-03", "2025-01" or "2025" may mean; nothing for other texts and for
/// days that no calendar has.
std::optional<int> first_day(std::string_view date);

/// A date as above, or "undated", which becomes "".
std::string read_date(Cursor at);

}  // namespace rigplan
