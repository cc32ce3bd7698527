// SPDX-License-Identifier: Apache-2.0
// A circuit carries four fifths of volts x amperes all day: Circuit::continuous.
#include "rigplan/economics/feeds.h"

#include <algorithm>
#include <cmath>

namespace rigplan {
namespace {

int times(Watts wanted, Watts each) { return static_cast<int>(std::ceil(wanted / each - 1e-9)); }

}  // namespace

std::optional<FeedChoice> choose_feeds(const Catalog& catalog, const PriceBook& prices, const PlanningDefaults& defaults,
                                       Watts wall) {
  const auto* usual = catalog.circuits.find(defaults.circuit);
  if (!usual || usual->continuous <= Watts{} || wall <= usual->continuous) return std::nullopt;
  const auto here = [&](const Circuit& circuit) { return circuit.phases == 1 && circuit.volts == usual->volts; };
  Watts largest;
  for (const auto& circuit : catalog.circuits.entries)
    if (here(circuit)) largest = std::max(largest, circuit.continuous);
  std::optional<FeedChoice> best;
  Yuan least;
  for (const auto& circuit : catalog.circuits.entries) {
    const bool three_phases = circuit.phases == 3 && circuit.volts > usual->volts;
    if (!three_phases && (!here(circuit) || wall > largest)) continue;
    const auto* price = prices.find(circuit.id);
    if (!price || circuit.continuous <= Watts{}) continue;
    const int count = times(wall, circuit.continuous) - (circuit.id == usual->id ? 1 : 0);
    const auto cost = count * price->range.likely;
    if (best && least <= cost) continue;
    best = FeedChoice{&circuit, count};
    least = cost;
  }
  return best;
}

StripChoice choose_strips(const Catalog& catalog, Watts machine) {
  StripChoice best;
  Watts of_best;
  for (const auto& part : catalog.parts.entries) {
    const auto* strip = std::get_if<OtherPart>(&part.what);
    const auto* circuit = strip && !strip->fits.empty() ? catalog.circuits.find(strip->fits) : nullptr;
    if (!circuit || circuit->continuous <= Watts{}) continue;
    const int count = std::max(1, times(machine, circuit->continuous));
    if (best.part && (count > best.count || (count == best.count && circuit->continuous >= of_best))) continue;
    best = {&part, count};
    of_best = circuit->continuous;
  }
  return best;
}

}  // namespace rigplan
