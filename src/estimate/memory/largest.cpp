// SPDX-License-Identifier: Apache-2.0
// Searches over the memory estimate: need grows with context, users and layers on the cards, so halving finds the edge.
#include <algorithm>
#include <cmath>

#include "rigplan/estimate/memory/memory.h"

namespace rigplan {
namespace {

/// The largest whole number in [0, most], most at least 1, for which `fits` holds, given that it holds below every number for
/// which it holds.
template <class F>
long long largest_that_fits(long long most, F fits) {
  if (!fits(1)) return 0;
  long long good = 1, bad = 2;
  while (bad <= most && fits(bad)) {
    good = bad;
    bad *= 2;
  }
  bad = std::min(bad, most + 1);
  while (bad - good > 1) {
    const auto middle = good + (bad - good) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return good;
}

}  // namespace

Tokens PreparedMemory::largest_context(const ParallelPlan& plan, std::span<const CardBudget> cards, int users) const {
  constexpr double step = 256;
  constexpr long long most = (1 << 24) / 256;
  const auto steps = largest_that_fits(
      most, [&](long long n) { return at(plan, cards, Tokens{step * static_cast<double>(n)}, users).fit() != Fit::no; });
  return Tokens{step * static_cast<double>(steps)};
}

int PreparedMemory::largest_users(const ParallelPlan& plan, std::span<const CardBudget> cards) const {
  constexpr long long most = 1 << 16;
  return static_cast<int>(
      largest_that_fits(most, [&](long long n) { return at(plan, cards, context_, static_cast<int>(n)).fit() != Fit::no; }));
}

std::optional<double> PreparedMemory::layers_to_offload(const ParallelPlan& plan, std::span<const CardBudget> cards,
                                                        bool experts_only) const {
  const auto layers = static_cast<long long>(model_.layers());
  auto other = *this;
  const auto fits_with = [&](long long on_host) {
    (experts_only ? other.setting_.host_expert_layers : other.setting_.host_layers) = static_cast<double>(on_host);
    return other.at(plan, cards).fit() != Fit::no;
  };
  if (fits_with(0)) return 0;
  if (!fits_with(layers)) return std::nullopt;
  // The fewest on the host are all layers less the most on the cards.
  return static_cast<double>(layers - largest_that_fits(layers, [&](long long kept) { return fits_with(layers - kept); }));
}

}  // namespace rigplan
