// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rigplan/catalog/catalog.h"
#include "rigplan/economics/price_book.h"
#include "rigplan/topology/rig.h"

namespace rigplan {

enum class BillKind {
  card,
  spare,
  board,
  processor,
  memory,
  supply,
  attachment,
  bridge,
  network,
  cooling,
  enclosure,
  storage,
  reserve,
  other
};
std::string_view to_text(BillKind kind);

/// One line of a bill.
struct PurchaseLine {
  BillKind kind{};
  std::string item{};  ///< catalog id; empty where the line is free text or computed
  std::string name{};
  double count = 1;
  std::optional<Range<Yuan>> each{};  ///< nothing: unknown, and counted as such
  Condition condition = Condition::unknown;
  PriceBasis basis = PriceBasis::estimate;
  std::string newest{}, oldest{};  ///< dates of the price rows that decided
  bool stale = false;
  bool stated = false;   ///< the price comes from the rig file
  bool assumed = false;  ///< the rig does not name the part; the planner added it

  std::optional<Range<Yuan>> total() const {
    if (!each) return std::nullopt;
    return count * *each;
  }
};

/// The bill of a rig.
struct Purchase {
  std::vector<PurchaseLine> lines;
  Range<Yuan> total;           ///< of the lines whose price is known
  int unknown = 0;             ///< lines without a price
  int stale = 0;               ///< lines whose price is old or undated
  std::string oldest, newest;  ///< dates of the prices used; empty: none dated
};

/// What a bill is made with.
struct BillContext {
  const Catalog& catalog;
  const PriceBook& prices;
  const PlanningDefaults& defaults;
};

/// The bill: what the rig names, then what it leaves open (power supplies, memory, storage, enclosure, fans for passive cards,
/// spares) from the host kit of its board, then a reserve that lifts supplies, cooling and cabling to their least share. A line
/// of RigNode::bill whose kind is given there replaces what would have been assumed.
Purchase purchase_of(const BillContext& context, const Rig& rig);

/// Power supplies of each node, chosen where the rig names none, so that its power can be computed. Nodes for which no priced
/// supply suffices stay without.
Rig with_supplies(const BillContext& context, Rig rig);

}  // namespace rigplan
