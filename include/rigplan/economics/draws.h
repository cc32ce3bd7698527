// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "rigplan/units/range.h"

namespace rigplan {

/// SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators"): the same numbers in [0, 1) from the
/// same seed everywhere, which the standard's distributions do not promise.
class EvenNumbers {
 public:
  explicit EvenNumbers(std::uint64_t seed) : state_{seed} {}
  double next() {
    state_ += 0x9E3779B97F4A7C15;
    auto mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return static_cast<double>((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

/// Inverse of the distribution function of a triangle over [low, high] with its peak at `likely`.
inline double triangular(const Range<double>& range, double share) {
  const double width = range.high - range.low;
  if (width <= 0) return range.likely;
  const double below = (range.likely - range.low) / width;
  return share < below ? range.low + std::sqrt(share * width * (range.likely - range.low))
                       : range.high - std::sqrt((1 - share) * width * (range.high - range.likely));
}

}  // namespace rigplan
