// SPDX-License-Identifier: Apache-2.0
// The promised times, with a factor of three for machines that are slow or busy. The figures are printed.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <iostream>

#include "benchmark/subjects.h"

using namespace rigplan;
using namespace rigplan::benchmark_subjects;

namespace {

#ifdef NDEBUG
constexpr double slack = 3;
#else
constexpr double slack = 60;
#endif

volatile double kept = 0;  ///< so that nothing timed is optimised away

/// Microseconds of one call, the best of five runs of `calls` each: other work on the machine only ever adds.
template <class F>
double best_us(int calls, F ask) {
  double best = 1e30;
  for (int run = 0; run < 5; ++run) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) kept = ask(i);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count() / calls);
  }
  return best;
}

void promise(const char* what, double us, double promised_us) {
  std::cout << fmt::format("{:<45} {:>12.3f} us, promised {:g} us\n", what, us, promised_us);
  CHECK(us <= slack * promised_us);
}

}  // namespace

TEST_CASE("A collective on a mapped rig of eight cards takes under 2 us") {
  const EightCards subject;
  promise("collective on eight cards", best_us(20'000, [&](int i) { return subject.all_reduce((1 + i) * KiB).in(us); }), 2);
}

TEST_CASE("1,024 cards in 128 machines are prepared in under a second") {
  const ThousandCards subject;
  promise("1,024 cards prepared", best_us(1, [&](int) { return subject.prepare().all_reduce_latency.in(us); }), 1e6);
}

TEST_CASE("A prepared estimate of decode, prefill and memory takes at most 2 us") {
  const OneEstimate subject;
  promise("inference estimate", best_us(20'000, [&](int i) { return subject.at(i % 8000); }), 2);
}

TEST_CASE("A plan on 10,000 cards takes at most 10 ms") {
  const TenThousandCards subject;
  REQUIRE(subject.graph.cards() == 10'000);
  promise("plan on 10,000 cards", best_us(1, [&](int) { return subject.evaluate().memory.empty() ? 0.0 : 1.0; }), 1e4);
}
