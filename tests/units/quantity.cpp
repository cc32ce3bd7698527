// SPDX-License-Identifier: Apache-2.0
#include "rigplan/units/quantity.h"

#include <catch2/catch.hpp>
#include <type_traits>

#include "rigplan/units/range.h"

using namespace rigplan;

TEST_CASE("bytes over bandwidth is a time") {
  // 13.9 GiB = 14.925e9 B; over 1,024 GB/s that is 14.575 ms.
  const Seconds time = 13.9 * GiB / (1024 * GB_per_s);
  CHECK(time.in(ms) == Approx(14.575).epsilon(1e-4));
}

TEST_CASE("a gibibyte is 7.4 percent more than a gigabyte") { CHECK(GiB.in(GB) == Approx(1.073741824)); }

TEST_CASE("yuan over a rate of arithmetic has its own type") {
  static_assert(std::is_same_v<decltype(yuan / TFLOP_per_s), YuanPerFlopRate>);
  // 7,400 yuan for 6.1 TFLOP/s is 1,213 yuan per TFLOP/s.
  CHECK((7400 * yuan / (6.1 * TFLOP_per_s)).in(yuan_per_TFLOP_per_s) == Approx(1213.1).epsilon(1e-4));
}

TEST_CASE("a gigabit network moves an eighth of a gigabyte a second") { CHECK(Gbit_per_s.in(GB_per_s) == Approx(0.125)); }

TEST_CASE("the quotient of ranges spans the worst and the best case") {
  // 8 [6–10] over 2 [1–4]: from 6/4 to 10/1.
  const Range<Yuan> cost{6 * yuan, 8 * yuan, 10 * yuan};
  const Range<FlopRate> rate{1 * TFLOP_per_s, 2 * TFLOP_per_s, 4 * TFLOP_per_s};
  const auto merit = cost / rate;
  CHECK(merit.low.in(yuan_per_TFLOP_per_s) == Approx(1.5));
  CHECK(merit.likely.in(yuan_per_TFLOP_per_s) == Approx(4));
  CHECK(merit.high.in(yuan_per_TFLOP_per_s) == Approx(10));
}
