// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/catalog/catalog.h"
#include "rigplan/economics/price_book.h"
#include "rigplan/topology/rig.h"

namespace rigplan {

/// What one machine asks of its power supplies.
struct SupplyNeed {
  Watts sustained;    ///< DC, every card at its board power and the host busy
  int pcie_8pin = 0;  ///< leads; a 6-pin plug takes one, too
  int hpwr = 0;       ///< 12VHPWR or 12V-2x6 plugs
  int eps = 0;        ///< processors' plugs and cards with processor plugs
};

SupplyNeed supply_need(const Catalog& catalog, const RigNode& node);

/// `count` supplies of one kind.
struct SupplyChoice {
  const Part* part = nullptr;
  int count = 0;
};

/// The cheapest likely price of equal supplies whose rating leaves `margin` free at sustained load and whose leads suffice; at
/// most `most` of them. A 12VHPWR plug may be fed from as many 8-pin leads as its card's power needs (150 W each). Connector
/// counts that a source does not state do not limit. Nothing when no priced supply will do.
std::optional<SupplyChoice> choose_supplies(const Catalog& catalog, const PriceBook& prices, const SupplyNeed& need,
                                            double margin, int most = 4);

}  // namespace rigplan
