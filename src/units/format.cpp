// SPDX-License-Identifier: Apache-2.0
#include "rigplan/units/format.h"

#include <fmt/format.h>

#include <cmath>

namespace rigplan {
namespace {

std::string with_thousands(std::string digits) {
  const auto point = digits.find('.');
  auto at = static_cast<std::ptrdiff_t>(point == std::string::npos ? digits.size() : point) - 3;
  const std::ptrdiff_t first = digits.front() == '-' ? 1 : 0;
  for (; at > first; at -= 3) digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

std::string without_trailing_zeros(std::string digits) {
  if (digits.find('.') == std::string::npos) return digits;
  while (digits.back() == '0') digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

}  // namespace

std::string format_number(double value) {
  if (value == 0) return "0";
  if (!std::isfinite(value)) return "unknown";
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  const double step = std::pow(10.0, magnitude - 2);
  const double rounded = std::round(value / step) * step;
  const int decimals = std::max(0, 2 - magnitude);
  return with_thousands(without_trailing_zeros(fmt::format("{:.{}f}", rounded, decimals)));
}

std::string format_whole(double value) {
  if (!std::isfinite(value)) return "unknown";
  return with_thousands(fmt::format("{:.0f}", std::round(value) + 0.0));
}

std::string format_range(Range<double> range) {
  const auto likely = format_number(range.likely), low = format_number(range.low), high = format_number(range.high);
  if (low == likely && high == likely) return likely;
  return fmt::format("{} [{}–{}]", likely, low, high);
}

std::string to_text(Bytes size) {
  if (size >= GiB) return format_number(size.in(GiB)) + " GiB";
  if (size >= MiB) return format_number(size.in(MiB)) + " MiB";
  if (size >= KiB) return format_number(size.in(KiB)) + " KiB";
  return format_number(size.in(byte)) + " B";
}
std::string to_text(Bandwidth rate) {
  if (rate < 0.1 * GB_per_s) return format_number(rate.in(MB_per_s)) + " MB/s";
  return format_number(rate.in(GB_per_s)) + " GB/s";
}
std::string to_text(FlopRate rate) { return format_number(rate.in(TFLOP_per_s)) + " TFLOP/s"; }
std::string to_text(Seconds time) {
  if (time >= 2 * day) return format_number(time.in(day)) + " d";
  if (time >= hour) return format_number(time.in(hour)) + " h";
  if (time >= 2 * minute) return format_number(time.in(minute)) + " min";
  if (time >= second) return format_number(time.in(second)) + " s";
  if (time >= ms) return format_number(time.in(ms)) + " ms";
  return format_number(time.in(us)) + " us";
}
std::string to_text(Watts power) {
  if (power >= 10 * kW) return format_number(power.in(kW)) + " kW";
  return format_number(power.in(watt)) + " W";
}
std::string to_text(Joules energy) { return format_number(energy.in(kWh)) + " kWh"; }
std::string to_text(Yuan amount) { return fmt::format("{} yuan", format_number(amount.in(yuan))); }
std::string to_text(TokenRate rate) { return format_number(rate.in(token_per_s)) + " token/s"; }
std::string to_text(Tokens count) { return fmt::format("{} tokens", format_whole(count.in(token))); }
std::string to_text(YuanPerJoule price) { return fmt::format("{} yuan/kWh", format_number(price.in(yuan_per_kWh))); }
std::string to_text(YuanPerSecond price) { return fmt::format("{} yuan/h", format_number(price.in(yuan_per_hour))); }

}  // namespace rigplan
