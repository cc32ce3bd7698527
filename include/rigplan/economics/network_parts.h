// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "rigplan/catalog/catalog.h"
#include "rigplan/economics/price_book.h"
#include "rigplan/topology/rig.h"

namespace rigplan {

/// Equal switches in one layer or two, and the cables between the layers.
struct SwitchLayout {
  int switches = 0;
  int cables = 0;  ///< from leaves to spines
};
/// Switches of `ports` ports that join `links` links at full rate; nothing where two layers do not do.
std::optional<SwitchLayout> switch_layout(int ports, int links);

/// Links from the machines of a rig to its network, and what they should carry.
struct NetworkNeed {
  int links = 0;   ///< 0: one machine
  Bandwidth rate;  ///< of one link
  bool nics_named = false, switch_named = false;
};
NetworkNeed network_need(const Catalog& catalog, const Rig& rig);

struct SwitchChoice {
  const Part* part = nullptr;
  SwitchLayout layout;
};
/// The cheapest likely price of equal switches for so many links; nothing when no priced switch will do.
std::optional<SwitchChoice> choose_switches(const Catalog& catalog, const PriceBook& prices, int links, Bandwidth rate);
/// The cheapest network card of at least this rate; nullptr when none has a price.
const Part* choose_nic(const Catalog& catalog, const PriceBook& prices, Bandwidth rate, bool rdma);
/// The slowest of the cables that carry this rate; nullptr above the fastest, and where a plain cord does. A part that is one
/// fits a rate: "100 Gbit/s".
const Part* cable_for(const Catalog& catalog, Bandwidth rate);

}  // namespace rigplan
