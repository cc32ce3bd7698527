// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/merit.h"

namespace rigplan {

Range<Yuan> Cost::total() const {
  // What comes back follows the price that was paid: the bounds of the share, not of the amount, are paired with those of the
  // price, so that a cheap purchase that keeps its value is the low end.
  const auto share = [](Yuan sold, Yuan bought) { return bought > Yuan{} ? sold / bought : 0.0; };
  const double worst = share(resale.low, purchase.low), best = share(resale.high, purchase.high);
  return {(1 - best) * purchase.low + energy.low + upkeep.low, purchase.likely - resale.likely + energy.likely + upkeep.likely,
          (1 - worst) * purchase.high + energy.high + upkeep.high};
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
