// SPDX-License-Identifier: Apache-2.0
#include "rigplan/units/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

#include "rigplan/units/message.h"

namespace rigplan {
namespace {

template <class Q>
struct Unit {
  std::string_view name;
  Q size;
};

/// What each kind of quantity is called, an example for messages, and its units.
template <class Q>
struct Kind;

template <>
struct Kind<Bytes> {
  static constexpr std::string_view name = msg("an amount of memory"), example = "16 GiB";
  static constexpr Unit<Bytes> table[] = {{"B", byte}, {"KiB", KiB}, {"MiB", MiB}, {"GiB", GiB}, {"TiB", TiB},
                                          {"kB", kB},  {"KB", kB},   {"MB", MB},   {"GB", GB},   {"TB", TB}};
};
template <>
struct Kind<Bandwidth> {
  static constexpr std::string_view name = "a bandwidth", example = "1024 GB/s";
  static constexpr Unit<Bandwidth> table[] = {{"B/s", byte / second},      {"kB/s", kB / second},   {"MB/s", MB / second},
                                              {"GB/s", GB / second},       {"TB/s", TB / second},   {"MiB/s", MiB / second},
                                              {"GiB/s", GiB / second},     {"TiB/s", TiB / second}, {"Mbit/s", 1e-3 * Gbit_per_s},
                                              {"Mbps", 1e-3 * Gbit_per_s}, {"Gbit/s", Gbit_per_s},  {"Gbps", Gbit_per_s}};
};
template <>
struct Kind<FlopRate> {
  static constexpr std::string_view name = msg("an arithmetic rate"), example = "26.5 TFLOP/s";
  static constexpr Unit<FlopRate> table[] = {{"GFLOP/s", GFLOP_per_s}, {"TFLOP/s", TFLOP_per_s}, {"PFLOP/s", 1e3 * TFLOP_per_s},
                                             {"GFLOPS", GFLOP_per_s},  {"TFLOPS", TFLOP_per_s},  {"TOP/s", TFLOP_per_s},
                                             {"TOPS", TFLOP_per_s}};
};
template <>
struct Kind<Seconds> {
  static constexpr std::string_view name = "a time", example = "1.5 ms";
  static constexpr Unit<Seconds> table[] = {{"ns", ns},      {"us", us},  {"µs", us}, {"ms", ms},    {"s", second},
                                            {"min", minute}, {"h", hour}, {"d", day}, {"mo", month}, {"y", 12 * month}};
};
template <>
struct Kind<Watts> {
  static constexpr std::string_view name = "a power", example = "250 W";
  static constexpr Unit<Watts> table[] = {{"W", watt}, {"kW", kW}};
};
template <>
struct Kind<Joules> {
  static constexpr std::string_view name = msg("an energy"), example = "1.2 kWh";
  static constexpr Unit<Joules> table[] = {{"J", joule}, {"Wh", 1e-3 * kWh}, {"kWh", kWh}};
};
template <>
struct Kind<Yuan> {
  static constexpr std::string_view name = msg("an amount of money"), example = "4200 yuan";
  static constexpr Unit<Yuan> table[] = {{"yuan", yuan}, {"CNY", yuan},        {"RMB", yuan},
                                         {"元", yuan},   {"万元", 1e4 * yuan}, {"万", 1e4 * yuan}};
};
template <>
struct Kind<YuanPerJoule> {
  static constexpr std::string_view name = msg("an electricity price"), example = "0.6 yuan/kWh";
  static constexpr Unit<YuanPerJoule> table[] = {
      {"yuan/kWh", yuan_per_kWh}, {"CNY/kWh", yuan_per_kWh}, {"元/kWh", yuan_per_kWh}, {"元/度", yuan_per_kWh}};
};
template <>
struct Kind<YuanPerSecond> {
  static constexpr std::string_view name = msg("a price per hour"), example = "1.2 yuan/h";
  static constexpr Unit<YuanPerSecond> table[] = {{"yuan/h", yuan_per_hour},
                                                  {"CNY/h", yuan_per_hour},
                                                  {"元/时", yuan_per_hour},
                                                  {"元/小时", yuan_per_hour},
                                                  {"元/h", yuan_per_hour}};
};
template <>
struct Kind<TokenRate> {
  static constexpr std::string_view name = msg("a token rate"), example = "20 token/s";
  static constexpr Unit<TokenRate> table[] = {{"token/s", token_per_s}, {"tok/s", token_per_s}, {"t/s", token_per_s}};
};
template <>
struct Kind<Tokens> {
  static constexpr std::string_view name = msg("a number of tokens"), example = "8192 or 8k";
  static constexpr Unit<Tokens> table[] = {{"", token},      {"k", 1024 * token}, {"K", 1024 * token}, {"M", 1048576 * token},
                                           {"token", token}, {"tokens", token},   {"Mtoken", Mtoken}};
};

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// A comma that groups exactly three digits may stand inside the whole part: "1,024" but not "1,5".
bool strip_thousands(std::string_view& text, std::string& number) {
  std::size_t at = 0;
  number.clear();
  int digits_since_comma = -1;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c >= '0' && c <= '9') {
      if (digits_since_comma >= 0) ++digits_since_comma;
      number += c;
    } else if (c == ',') {
      if (number.empty() || (digits_since_comma >= 0 && digits_since_comma != 3)) return false;
      digits_since_comma = 0;
    } else {
      break;
    }
  }
  if (digits_since_comma >= 0 && digits_since_comma != 3) return false;
  text.remove_prefix(at);
  return true;
}

struct Split {
  double number;
  std::string_view unit;
};

/// Number and the text behind it, or why there is none.
std::variant<Split, UnitError> split(std::string_view whole) {
  std::string_view rest = trim(whole);
  if (rest.empty()) return UnitError{msg("is empty")};
  const bool negative = rest.front() == '-';
  if (negative || rest.front() == '+') rest.remove_prefix(1);
  std::string digits;
  if (!strip_thousands(rest, digits))
    return UnitError{fmt::format("\"{}\" has a comma that does not group thousands; the decimal sign is a point", whole)};
  std::size_t tail = 0;
  if (tail < rest.size() && rest[tail] == '.') {
    digits += '.';
    for (++tail; tail < rest.size() && rest[tail] >= '0' && rest[tail] <= '9'; ++tail) digits += rest[tail];
  }
  // An exponent only where a digit follows it: "1e9" but not the unit of "1 EB".
  if (tail + 1 < rest.size() && (rest[tail] == 'e' || rest[tail] == 'E')) {
    std::size_t exponent = tail + 1;
    if (rest[exponent] == '-' || rest[exponent] == '+') ++exponent;
    if (exponent < rest.size() && rest[exponent] >= '0' && rest[exponent] <= '9') {
      digits += 'e';
      if (rest[tail + 1] == '-') digits += '-';
      for (; exponent < rest.size() && rest[exponent] >= '0' && rest[exponent] <= '9'; ++exponent) digits += rest[exponent];
      tail = exponent;
    }
  }
  double number = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (failure == std::errc::result_out_of_range) return UnitError{fmt::format("\"{}\" is out of range", whole)};
  if (failure != std::errc{} || end != digits.data() + digits.size() || digits == ".")
    return UnitError{fmt::format("\"{}\" is not a number", whole)};
  if (negative && number != 0) return UnitError{fmt::format("\"{}\" is negative", whole)};
  return Split{number, trim(rest.substr(tail))};
}

template <class Q>
std::string unit_names() {
  std::string names;
  for (const auto& unit : Kind<Q>::table)
    if (!unit.name.empty()) names += (names.empty() ? "" : ", ") + std::string{unit.name};
  return names;
}

}  // namespace

template <class Q>
std::variant<Q, UnitError> parse_quantity(std::string_view text) {
  auto parts = split(text);
  if (auto* error = std::get_if<UnitError>(&parts))
    return UnitError{fmt::format("{}; expected {} such as \"{}\"", error->message, Kind<Q>::name, Kind<Q>::example)};
  const auto [number, unit_name] = std::get<Split>(parts);
  for (const auto& unit : Kind<Q>::table)
    if (unit.name == unit_name) return number * unit.size;
  if (unit_name.empty())
    return UnitError{fmt::format("\"{}\" has no unit; expected {} such as \"{}\"", text, Kind<Q>::name, Kind<Q>::example)};
  return UnitError{fmt::format("\"{}\" has the unit \"{}\"; expected {} such as \"{}\" (units: {})", text, unit_name,
                               Kind<Q>::name, Kind<Q>::example, unit_names<Q>())};
}

std::variant<double, UnitError> parse_number(std::string_view text) {
  std::string_view rest = trim(text);
  double number = 0;
  if (!rest.empty() && rest.front() == '+') rest.remove_prefix(1);
  std::string grouped;  // "12,000" without its comma
  if (rest.find(',') != std::string_view::npos && strip_thousands(rest, grouped)) {
    grouped += rest;
    rest = grouped;
  }
  const auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (failure != std::errc{} || end != rest.data() + rest.size() || !std::isfinite(number))
    return UnitError{fmt::format("\"{}\" is not a number", text)};
  return number;
}

std::variant<long long, UnitError> parse_integer(std::string_view text, long long least, long long greatest) {
  const std::string_view rest = trim(text);
  long long number = 0;
  const auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (failure != std::errc{} || end != rest.data() + rest.size())
    return UnitError{fmt::format("\"{}\" is not a whole number", text)};
  if (number < least || number > greatest)
    return UnitError{fmt::format("{} is out of range; expected a whole number from {} to {}", number, least, greatest)};
  return number;
}

template std::variant<Bytes, UnitError> parse_quantity(std::string_view);
template std::variant<Bandwidth, UnitError> parse_quantity(std::string_view);
template std::variant<FlopRate, UnitError> parse_quantity(std::string_view);
template std::variant<Seconds, UnitError> parse_quantity(std::string_view);
template std::variant<Watts, UnitError> parse_quantity(std::string_view);
template std::variant<Joules, UnitError> parse_quantity(std::string_view);
template std::variant<Yuan, UnitError> parse_quantity(std::string_view);
template std::variant<YuanPerJoule, UnitError> parse_quantity(std::string_view);
template std::variant<YuanPerSecond, UnitError> parse_quantity(std::string_view);
template std::variant<TokenRate, UnitError> parse_quantity(std::string_view);
template std::variant<Tokens, UnitError> parse_quantity(std::string_view);

bool same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace rigplan
