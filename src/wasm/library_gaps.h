// What the C++ library of Debian's Emscripten lacks of C++20.
#pragma once
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <string>
namespace std {
inline from_chars_result from_chars(const char* first, const char* last, double& value) {
  // The longest number at the beginning; strtod would take blanks, a plus sign and hexadecimal digits as well.
  const char* end = first;
  if (end != last && *end == '-') ++end;
  const char* digits = end;
  while (end != last && ((*end >= '0' && *end <= '9') || *end == '.')) ++end;
  if (end == digits) return {first, errc::invalid_argument};
  if (end != last && (*end == 'e' || *end == 'E')) {
    const char* power = end + 1;
    if (power != last && (*power == '-' || *power == '+')) ++power;
    if (power != last && *power >= '0' && *power <= '9') {
      while (power != last && *power >= '0' && *power <= '9') ++power;
      end = power;
    }
  }
  const string text{first, end};
  char* read = nullptr;
  const double number = strtod(text.c_str(), &read);
  if (read == text.c_str()) return {first, errc::invalid_argument};
  value = number;
  return {first + (read - text.c_str()), errc{}};
}
namespace ranges {
template <class R, class T, class P = identity>
auto find(R&& range, const T& wanted, P projection = {}) {
  return std::find_if(std::begin(range), std::end(range), [&](auto&& e) { return std::invoke(projection, e) == wanted; });
}
template <class R, class F, class P = identity>
auto find_if(R&& range, F holds, P projection = {}) {
  return std::find_if(std::begin(range), std::end(range),
                      [&](auto&& e) { return std::invoke(holds, std::invoke(projection, e)); });
}
template <class R, class F, class P = identity>
bool any_of(R&& range, F holds, P projection = {}) {
  return std::any_of(std::begin(range), std::end(range),
                     [&](auto&& e) { return std::invoke(holds, std::invoke(projection, e)); });
}
template <class R, class C = std::less<>, class P = identity>
auto max_element(R&& range, C = {}, P projection = {}) {
  return std::max_element(std::begin(range), std::end(range),
                          [&](auto&& a, auto&& b) { return std::invoke(projection, a) < std::invoke(projection, b); });
}
}  // namespace ranges
}  // namespace std
