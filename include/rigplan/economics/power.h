// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rigplan/catalog/catalog.h"
#include "rigplan/topology/rig.h"

namespace rigplan {

/// What a rig draws on the DC side, and what its supplies make of it. Sums over all machines.
struct RigPower {
  Watts host_idle, host_busy;  ///< everything but cards
  Watts cards_rated;           ///< board power, or the owner's power cap where that is lower
  Watts cards_idle;
  Watts supplies_rated;                         ///< 0: no supply is named
  const EfficiencyCurve* efficiency = nullptr;  ///< of the supplies; nullptr: unknown
  int cards = 0;
  int cards_unknown = 0;  ///< cards whose power no source states; they are missing from the sums
  int hosts_unknown = 0;  ///< machines whose board has no host kit; likewise
};

/// One number for each thing that a rig can be doing.
struct PhasePower {
  Watts idle, decode, prefill, training, peak;
};

/// Board power of a card in this place. 0 when no source states it.
Watts card_power(const Gpu& gpu, const CardPlace& place);

RigPower rig_power(const Catalog& catalog, const PlanningDefaults& defaults, const Rig& rig);

/// DC power by phase. `busy` is the share of the cards that work at the same time: 1 for tensor parallel, 1/n for a layer split
/// that serves one stream, whose other cards wait with clocks up. Peak: every card at its board power.
PhasePower dc_power(const RigPower& power, const PlanningDefaults& defaults, double busy);

/// AC in over DC out at this load: piecewise linear between the points of the curve, flat beyond them. Supplies share the load
/// evenly. Without a curve or a rating the loss is unknown and 1 is returned.
double supply_efficiency(const EfficiencyCurve* curve, Watts load, Watts rated);

/// Power at the wall for a DC load.
Watts wall_power(const RigPower& power, Watts load);
PhasePower wall_power(const RigPower& power, const PhasePower& load);

/// Share of the supplies' rating that full sustained load leaves free; negative when they are too small, 1 when none is named.
double supply_margin(const RigPower& power);

/// How many circuits of one kind carry `wall` all day.
struct CircuitNeed {
  const Circuit* circuit = nullptr;
  int count = 0;
};
/// Every kind of the catalog, fewest circuits first, smaller circuits first among equals.
std::vector<CircuitNeed> circuits_needed(std::span<const Circuit> circuits, Watts wall);

}  // namespace rigplan
