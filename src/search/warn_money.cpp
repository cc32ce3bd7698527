// SPDX-License-Identifier: Apache-2.0
// Doubts about prices, supplies and circuits.
#include <algorithm>

#include "search/warning_rules.h"

namespace rigplan {
namespace {

/// A machine whose board no host kit describes draws no less than the most modest one that is described.
Watts least_of_unknown_hosts(const WarningFacts& facts) {
  Watts least;
  for (const auto& kit : facts.catalog.hosts.entries)
    if (kit.busy_power > Watts{} && (least == Watts{} || kit.busy_power < least)) least = kit.busy_power;
  return facts.power.hosts_unknown * least;
}

}  // namespace

void rules_of_money(const WarningFacts& facts, WarningCodes& codes) {
  const auto& defaults = planning_defaults(facts.catalog);
  auto power = facts.power;
  power.host_busy += least_of_unknown_hosts(facts);
  if (supply_margin(power) < defaults.psu_margin - 1e-9) codes.insert("W_PSU_MARGIN");
  const auto* circuit = facts.catalog.circuits.find(defaults.circuit);
  if (circuit && facts.wall_peak > circuit->continuous) codes.insert("W_CIRCUIT_LIMIT");
  for (const auto& line : facts.purchase.lines)
    if (line.kind == BillKind::card) {
      if (line.stale) codes.insert("W_PRICE_STALE");
      if (line.each && !line.stated && line.basis >= PriceBasis::estimate) codes.insert("W_PRICE_ESTIMATE");
    }
}

}  // namespace rigplan
