// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/merit.h"

namespace rigplan {

Range<Yuan> Cost::total() const {
  const auto at = [](Yuan bought, Yuan sold, Yuan running, Yuan repairs) { return bought - sold + running + repairs; };
  return {at(purchase.low, resale.low, energy.low, upkeep.low), at(purchase.likely, resale.likely, energy.likely, upkeep.likely),
          at(purchase.high, resale.high, energy.high, upkeep.high)};
}

namespace {

template <class A, class B>
auto quotient(Range<A> a, Range<B> b) -> std::optional<decltype(a / b)> {
  if (b.low <= B{} || a.likely <= A{}) return std::nullopt;
  return a / b;
}

}  // namespace

Merit merit_of(const Cost& cost, const Yield& yield) {
  const auto total = cost.total();
  const auto tokens = map_range(yield.tokens, [&](TokenRate rate) { return rate * yield.loaded; });
  return {.per_usable_rate = quotient(total, yield.usable),
          .purchase_per_usable_rate = quotient(cost.purchase, yield.usable),
          .purchase_per_peak_rate = quotient(cost.purchase, Range<FlopRate>::exactly(yield.peak)),
          .per_token = quotient(total, tokens),
          .per_token_rate = quotient(total, yield.tokens),
          .purchase_per_vram = quotient(cost.purchase, Range<Bytes>::exactly(yield.vram))};
}

}  // namespace rigplan
