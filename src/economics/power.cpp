// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/power.h"

#include <algorithm>
#include <cmath>

#include "rigplan/economics/host_kit.h"

namespace rigplan {

Watts card_power(const Gpu& gpu, const CardPlace& place) {
  const auto rated = gpu.board_power.value_or(Watts{});
  if (!place.power_cap) return rated;
  return rated > Watts{} ? std::min(rated, *place.power_cap) : *place.power_cap;
}

namespace {

void add_cards(RigPower& power, const Catalog& catalog, const PlanningDefaults& defaults, const RigNode& node) {
  for (const auto& place : node.cards) {
    power.cards += node.count;
    const auto* gpu = catalog.gpus.find(place.gpu);
    const auto rated = gpu ? card_power(*gpu, place) : Watts{};
    if (rated == Watts{}) {
      power.cards_unknown += node.count;
      continue;
    }
    power.cards_rated += node.count * rated;
    power.cards_idle += node.count * gpu->idle_power.value_or(defaults.idle_draw * rated);
  }
}

void add_supplies(RigPower& power, const Catalog& catalog, const RigNode& node) {
  for (const auto& id : node.psus) {
    const auto* part = catalog.parts.find(id);
    const auto* psu = part ? std::get_if<Psu>(&part->what) : nullptr;
    if (!psu) continue;
    power.supplies_rated += node.count * psu->power;
    if (!power.efficiency) power.efficiency = catalog.efficiencies.find(psu->rating);
  }
}

}  // namespace

RigPower rig_power(const Catalog& catalog, const PlanningDefaults& defaults, const Rig& rig) {
  RigPower power;
  for (const auto& node : rig.nodes) {
    add_cards(power, catalog, defaults, node);
    add_supplies(power, catalog, node);
    if (const auto* kit = host_kit_of(catalog, node.board)) {
      power.host_idle += node.count * kit->idle_power;
      power.host_busy += node.count * kit->busy_power;
    } else {
      power.hosts_unknown += node.count;
    }
  }
  return power;
}

PhasePower dc_power(const RigPower& power, const PlanningDefaults& defaults, double busy) {
  const auto loaded = [&](double share) {
    const double of_rated = busy * share + (1 - busy) * defaults.waiting_draw;
    return power.host_busy + std::max(of_rated * power.cards_rated, power.cards_idle);
  };
  return {.idle = power.host_idle + power.cards_idle,
          .decode = loaded(defaults.decode_draw),
          .prefill = loaded(defaults.prefill_draw),
          .training = loaded(defaults.training_draw),
          .peak = power.host_busy + power.cards_rated};
}

double supply_efficiency(const EfficiencyCurve* curve, Watts load, Watts rated) {
  if (!curve || curve->points.empty() || rated <= Watts{}) return 1;
  const double share = load / rated;
  const auto& points = curve->points;
  if (share <= points.front().load) return points.front().efficiency;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const auto &below = points[i - 1], &above = points[i];
    if (share <= above.load)
      return below.efficiency + (above.efficiency - below.efficiency) * (share - below.load) / (above.load - below.load);
  }
  return points.back().efficiency;
}

Watts wall_power(const RigPower& power, Watts load) {
  return load / supply_efficiency(power.efficiency, load, power.supplies_rated);
}

PhasePower wall_power(const RigPower& power, const PhasePower& load) {
  return {wall_power(power, load.idle), wall_power(power, load.decode), wall_power(power, load.prefill),
          wall_power(power, load.training), wall_power(power, load.peak)};
}

double supply_margin(const RigPower& power) {
  if (power.supplies_rated <= Watts{}) return 1;
  return 1 - (power.host_busy + power.cards_rated) / power.supplies_rated;
}

std::vector<CircuitNeed> circuits_needed(std::span<const Circuit> circuits, Watts wall) {
  std::vector<CircuitNeed> needs;
  for (const auto& circuit : circuits)
    if (circuit.continuous > Watts{})
      needs.push_back({&circuit, std::max(1, static_cast<int>(std::ceil(wall / circuit.continuous)))});
  std::stable_sort(needs.begin(), needs.end(), [](const CircuitNeed& a, const CircuitNeed& b) {
    if (a.count != b.count) return a.count < b.count;
    return a.circuit->continuous < b.circuit->continuous;
  });
  return needs;
}

}  // namespace rigplan
