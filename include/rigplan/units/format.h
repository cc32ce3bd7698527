// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "rigplan/units/quantity.h"
#include "rigplan/units/range.h"

namespace rigplan {

/// A number for people: three significant digits at most, thousands separated, no exponent. Whole numbers of 1,000 and more
/// keep three significant digits too (12,345 -> "12,300"). Independent of the locale.
std::string format_number(double value);
/// The same with all whole digits kept: 12,345.4 -> "12,345". For money in itemised bills and for counts.
std::string format_whole(double value);
/// "38 [34–43]", or just "38" where the range has no width.
std::string format_range(Range<double> range);
/// The same of a quantity, in the given unit.
template <class Q>
std::string format_range(const Range<Q>& range, Q unit) {
  return format_range(map_range(range, [&](Q value) { return value.in(unit); }));
}
template <class Q>
std::string format_range(const std::optional<Range<Q>>& range, Q unit) {
  return range ? format_range(*range, unit) : std::string{"unknown"};
}

// Which unit people read is decided here and only here: VRAM in GiB, links in GB/s, arithmetic in TFLOP/s.
std::string to_text(Bytes);          ///< "13.9 GiB"; below 1 GiB in MiB, below 1 MiB in KiB, below 1 KiB in B
std::string to_text(Bandwidth);      ///< "1,020 GB/s"
std::string to_text(FlopRate);       ///< "26.1 TFLOP/s"
std::string to_text(Seconds);        ///< "90 ms", "12 us", "3.4 h"
std::string to_text(Watts);          ///< "250 W"
std::string to_text(Joules);         ///< "1.2 kWh"
std::string to_text(Yuan);           ///< "7,400 yuan"
std::string to_text(TokenRate);      ///< "38 token/s"
std::string to_text(Tokens);         ///< "8,192 tokens"
std::string to_text(YuanPerJoule);   ///< "0.6 yuan/kWh"
std::string to_text(YuanPerSecond);  ///< "1.2 yuan/h"

}  // namespace rigplan
