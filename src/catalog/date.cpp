// SPDX-License-Identifier: Apache-2.0
#include "catalog/date.h"

#include <fmt/format.h>

#include <chrono>

namespace rigplan {
namespace {

/// The digits as a number; nothing when anything else stands among them.
std::optional<unsigned> digits(std::string_view text) {
  unsigned value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + static_cast<unsigned>(c - '0');
  }
  return value;
}

}  // namespace

std::optional<int> first_day(std::string_view date) {
  const auto size = date.size();
  if (size != 4 && size != 7 && size != 10) return std::nullopt;
  if ((size > 4 && date[4] != '-') || (size > 7 && date[7] != '-')) return std::nullopt;
  const auto year = digits(date.substr(0, 4));
  const auto month = size > 4 ? digits(date.substr(5, 2)) : 1U;
  const auto day = size > 7 ? digits(date.substr(8, 2)) : 1U;
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day calendar{std::chrono::year{static_cast<int>(*year)}, std::chrono::month{*month},
                                             std::chrono::day{*day}};
  if (!calendar.ok()) return std::nullopt;
  return std::chrono::sys_days{calendar}.time_since_epoch().count();
}

std::string read_date(Cursor at) {
  const auto& text = at.text();
  if (text == "undated") return "";
  if (!first_day(text))
    at.fail(fmt::format("is \"{}\"; expected a date such as \"2026-11-30\", \"2026-11\" or \"2026\", or \"undated\"", text));
  return text;
}

}  // namespace rigplan
