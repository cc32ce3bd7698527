// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>

namespace rigplan {

/// Exponents of the base dimensions. One struct, so a compiler's message shows them in this order.
struct Dim {
  int byte = 0, flop = 0, second = 0, joule = 0, yuan = 0, token = 0;
  bool operator==(const Dim&) const = default;
};
constexpr Dim operator+(Dim a, Dim b) {
  return {a.byte + b.byte, a.flop + b.flop, a.second + b.second, a.joule + b.joule, a.yuan + b.yuan, a.token + b.token};
}
constexpr Dim operator-(Dim a, Dim b) {
  return {a.byte - b.byte, a.flop - b.flop, a.second - b.second, a.joule - b.joule, a.yuan - b.yuan, a.token - b.token};
}

/// A number that carries its physical dimension in its type: Bytes / Bandwidth is Seconds, Bytes + Seconds does not compile.
template <Dim D>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double base_units) : base_{base_units} {}

  /// The number of `unit`s in this quantity: `vram.in(GiB)`. The only way out to a bare double.
  constexpr double in(Quantity unit) const { return base_ / unit.base_; }

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity& operator+=(Quantity o) {
    base_ += o.base_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity o) {
    base_ -= o.base_;
    return *this;
  }
  constexpr Quantity& operator*=(double k) {
    base_ *= k;
    return *this;
  }
  constexpr Quantity& operator/=(double k) {
    base_ /= k;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
  friend constexpr Quantity operator*(double k, Quantity a) { return Quantity{k * a.base_}; }
  friend constexpr Quantity operator*(Quantity a, double k) { return k * a; }
  friend constexpr Quantity operator/(Quantity a, double k) { return Quantity{a.base_ / k}; }

 private:
  template <Dim A, Dim B>
  friend constexpr auto operator*(Quantity<A>, Quantity<B>);
  template <Dim A, Dim B>
  friend constexpr auto operator/(Quantity<A>, Quantity<B>);
  template <Dim A>
  friend constexpr auto operator/(double, Quantity<A>);
  double base_ = 0;
};

/// A product or quotient whose dimensions cancel is a plain double.
template <Dim A, Dim B>
constexpr auto operator*(Quantity<A> a, Quantity<B> b) {
  if constexpr (A + B == Dim{})
    return a.base_ * b.base_;
  else
    return Quantity<A + B>{a.base_ * b.base_};
}
template <Dim A, Dim B>
constexpr auto operator/(Quantity<A> a, Quantity<B> b) {
  if constexpr (A == B)
    return a.base_ / b.base_;
  else
    return Quantity<A - B>{a.base_ / b.base_};
}
template <Dim A>
constexpr auto operator/(double k, Quantity<A> a) {
  return Quantity<Dim{} - A>{k / a.base_};
}

using Bytes = Quantity<Dim{.byte = 1}>;
using Flops = Quantity<Dim{.flop = 1}>;  ///< a count of operations, never a rate
using Seconds = Quantity<Dim{.second = 1}>;
using Joules = Quantity<Dim{.joule = 1}>;
using Yuan = Quantity<Dim{.yuan = 1}>;
using Tokens = Quantity<Dim{.token = 1}>;
using Bandwidth = Quantity<Dim{.byte = 1, .second = -1}>;
using FlopRate = Quantity<Dim{.flop = 1, .second = -1}>;
using Watts = Quantity<Dim{.second = -1, .joule = 1}>;
using TokenRate = Quantity<Dim{.second = -1, .token = 1}>;
using YuanPerFlopRate = Quantity<Dim{.flop = -1, .second = 1, .yuan = 1}>;
using YuanPerToken = Quantity<Dim{.yuan = 1, .token = -1}>;
using YuanPerTokenRate = Quantity<Dim{.second = 1, .yuan = 1, .token = -1}>;
using YuanPerSecond = Quantity<Dim{.second = -1, .yuan = 1}>;
using YuanPerByte = Quantity<Dim{.byte = -1, .yuan = 1}>;
using YuanPerJoule = Quantity<Dim{.joule = -1, .yuan = 1}>;

inline namespace units {
inline constexpr Bytes byte{1}, KiB{1024.0}, MiB{1048576.0}, GiB{1073741824.0}, TiB{1099511627776.0};
inline constexpr Bytes kB{1e3}, MB{1e6}, GB{1e9}, TB{1e12};
inline constexpr Seconds second{1}, ms{1e-3}, us{1e-6}, ns{1e-9}, minute{60}, hour{3600}, day{86400};
/// A planning month: a year of 365.25 days divided by twelve.
inline constexpr Seconds month{86400.0 * 365.25 / 12};
inline constexpr Bandwidth GB_per_s{1e9}, MB_per_s{1e6}, Gbit_per_s{1.25e8};
inline constexpr Flops FLOP{1}, GFLOP{1e9}, TFLOP{1e12};
inline constexpr FlopRate GFLOP_per_s{1e9}, TFLOP_per_s{1e12};
inline constexpr Watts watt{1}, kW{1e3};
inline constexpr Joules joule{1}, kWh{3.6e6};
inline constexpr Yuan yuan{1};
inline constexpr Tokens token{1}, Mtoken{1e6};
inline constexpr TokenRate token_per_s{1};
inline constexpr YuanPerFlopRate yuan_per_TFLOP_per_s{1e-12};
inline constexpr YuanPerToken yuan_per_Mtoken{1e-6};
inline constexpr YuanPerTokenRate yuan_per_token_per_s{1};
inline constexpr YuanPerSecond yuan_per_hour{1.0 / 3600};
inline constexpr YuanPerJoule yuan_per_kWh{1.0 / 3.6e6};
inline constexpr YuanPerByte yuan_per_GiB{1.0 / 1073741824.0};
}  // namespace units

}  // namespace rigplan
