// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/supplies.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "rigplan/economics/host_kit.h"
#include "rigplan/economics/power.h"

namespace rigplan {

SupplyNeed supply_need(const Catalog& catalog, const RigNode& node) {
  SupplyNeed need;
  if (const auto* kit = host_kit_of(catalog, node.board)) {
    need.sustained += kit->busy_power;
    need.eps += std::max(1, kit->cpus);
  }
  for (const auto& place : node.cards) {
    const auto* gpu = catalog.gpus.find(place.gpu);
    if (!gpu) continue;
    need.sustained += card_power(*gpu, place);
    need.pcie_8pin += gpu->power_8pin + gpu->power_6pin;
    need.hpwr += gpu->power_12vhpwr;
    need.eps += gpu->power_eps;
  }
  return need;
}

namespace {

constexpr Watts per_8pin_lead{150};  // PCI Express CEM: 150 W for a 2x4 plug
constexpr Watts per_hpwr_plug{600};

int times(double wanted, double each) { return static_cast<int>(std::ceil(wanted / each - 1e-9)); }

/// Supplies of this kind that `need` takes, or 0 when its leads can never do.
int count_needed(const Psu& psu, const SupplyNeed& need, double margin) {
  int count = std::max(1, times(need.sustained.in(watt) / (1 - margin), psu.power.in(watt)));
  const bool states_leads = psu.pcie_8pin + psu.hpwr + psu.eps > 0;
  if (!states_leads) return count;
  // Plugs without a native lead hang on adapters from 8-pin leads.
  const int leads_per_plug = times(per_hpwr_plug.in(watt), per_8pin_lead.in(watt));
  while (count <= 16) {
    const int adapted = std::max(0, need.hpwr - count * psu.hpwr) * leads_per_plug;
    // Processor plugs beyond the supply's own can be fed from an 8-pin lead through an adapter.
    const int extra_eps = std::max(0, need.eps - count * std::max(1, psu.eps));
    if (need.pcie_8pin + adapted + extra_eps <= count * psu.pcie_8pin) return count;
    ++count;
  }
  return 0;
}

}  // namespace

std::optional<SupplyChoice> choose_supplies(const Catalog& catalog, const PriceBook& prices, const SupplyNeed& need,
                                            double margin, int most) {
  std::optional<SupplyChoice> best;
  Yuan least;
  for (const auto& part : catalog.parts.entries) {
    const auto* psu = std::get_if<Psu>(&part.what);
    if (!psu || psu->form != PsuForm::atx) continue;  // server supplies need boards and fans of their own: named, never assumed
    const auto* price = prices.find(part.id);
    if (!price) continue;
    // A server supply gives 12 V only: no lead for a mainboard.
    if (psu->form == PsuForm::server && need.eps > 0) continue;
    const int count = count_needed(*psu, need, margin);
    if (count == 0 || count > most) continue;
    const auto cost = count * price->range.likely;
    // Of equal ones the first id, so that the order of the catalog does not show.
    if (!best || std::tie(cost, count, part.id) < std::tie(least, best->count, best->part->id)) {
      best = SupplyChoice{&part, count};
      least = cost;
    }
  }
  return best;
}

}  // namespace rigplan
