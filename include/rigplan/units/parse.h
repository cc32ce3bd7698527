// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "rigplan/units/quantity.h"

namespace rigplan {

/// Why a text is not a quantity: `"1024" has no unit; expected a bandwidth such as "1024 GB/s"`.
struct UnitError {
  std::string message;
};

/// Reads "16 GiB", "1,024 GB/s", "26.5 TFLOP/s", "250 W", "1.5 us", "24 mo", "4200 yuan", "0.3万元", "0.6 yuan/kWh", "8k".
/// A space between number and unit is optional. GB is 10^9 bytes and GiB 2^30, Gbit/s is an eighth of a GB/s; "B" is bytes
/// and never billions. The number is read without regard to the locale; NaN, infinities, negatives and trailing text are
/// errors, and so is a missing unit (except for Tokens, where a bare number and the suffixes k = 1024 and M = 1024^2 are usual).
/// @tparam Q one of the quantities instantiated in parse.cpp.
template <class Q>
std::variant<Q, UnitError> parse_quantity(std::string_view text);

/// A plain number such as "1.5", "1e9" or "12,000": the whole text must be read. Independent of the locale.
std::variant<double, UnitError> parse_number(std::string_view text);

/// A whole number within [least, greatest].
std::variant<long long, UnitError> parse_integer(std::string_view text, long long least, long long greatest);

/// Names are told apart without regard to the case of ASCII letters: "Q4_K_M" is "q4_k_m".
bool same_name(std::string_view a, std::string_view b);

}  // namespace rigplan
