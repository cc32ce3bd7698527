// SPDX-License-Identifier: Apache-2.0
// How long the answers take: build/release/tests/benchmark/rigplan_benchmark
#include <benchmark/benchmark.h>

#include "benchmark/subjects.h"

using namespace rigplan;
using namespace rigplan::benchmark_subjects;

static void collective_on_eight_cards(benchmark::State& state) {
  const EightCards subject;
  double kib = 1;
  for (auto _ : state) {
    benchmark::DoNotOptimize(subject.all_reduce(kib * KiB));
    kib = kib < 1e6 ? kib + 1 : 1;  // another size each time
  }
}
BENCHMARK(collective_on_eight_cards);

static void thousand_cards_prepared(benchmark::State& state) {
  const ThousandCards subject;
  for (auto _ : state) benchmark::DoNotOptimize(subject.prepare());
}
BENCHMARK(thousand_cards_prepared)->Unit(benchmark::kMillisecond);

static void inference_estimate(benchmark::State& state) {
  const OneEstimate subject;
  double depth = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(subject.at(depth));
    depth = depth < 8000 ? depth + 1 : 0;
  }
}
BENCHMARK(inference_estimate);

static void plan_on_ten_thousand_cards(benchmark::State& state) {
  const TenThousandCards subject;
  for (auto _ : state) benchmark::DoNotOptimize(subject.evaluate());
}
BENCHMARK(plan_on_ten_thousand_cards)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
