// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rigplan {

/// A value that is not known exactly: low <= likely <= high. For rates and times [low, high] is meant to hold 80 % of
/// measured cases; for prices it spans the dated offers behind it.
template <class T>
struct Range {
  T low{}, likely{}, high{};

  bool operator==(const Range&) const = default;
  /// A value known exactly.
  static constexpr Range exactly(T value) { return {value, value, value}; }

  friend constexpr Range operator+(Range a, Range b) { return {a.low + b.low, a.likely + b.likely, a.high + b.high}; }
  friend constexpr Range operator+(Range a, T b) { return a + exactly(b); }
  friend constexpr Range operator*(double k, Range a) { return {k * a.low, k * a.likely, k * a.high}; }
  Range& operator+=(Range b) { return *this = *this + b; }
};

/// The quotient's bounds: the least numerator over the greatest denominator, and the other way round.
template <class A, class B>
constexpr auto operator/(Range<A> a, Range<B> b) {
  using Q = decltype(a.low / b.high);
  return Range<Q>{a.low / b.high, a.likely / b.likely, a.high / b.low};
}
/// What an increasing function makes of a range.
template <class T, class F>
constexpr auto map_range(Range<T> r, F f) {
  return Range<decltype(f(r.low))>{f(r.low), f(r.likely), f(r.high)};
}

}  // namespace rigplan
