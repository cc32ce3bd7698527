// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "rigplan/economics/price_book.h"
#include "rigplan/search/evaluator.h"
#include "rigplan/search/query.h"

namespace rigplan {

/// Cards of one kind, whatever they are plugged into. Builds of the same group share a bound.
struct CardSet {
  const Gpu* gpu = nullptr;
  int cards = 0;  ///< of all machines
  bool bridged = false;
};

/// A network between equal machines: the cheapest card and switch of a rate. Two machines are joined by a cable.
struct NetworkChoice {
  int machines = 0;
  const Part* nic = nullptr;             ///< one a machine
  const Part* network_switch = nullptr;  ///< nullptr: none
  Bandwidth rate;
};

/// A build before its rig is made. A search holds hundreds of thousands of them and makes the rigs of a few.
struct BuildChoice {
  const Gpu* gpu = nullptr;
  const HostKit* kit = nullptr;
  const Part* split = nullptr;  ///< a Bifurcator that divides slots; nullptr: cards straight in their slots
  int cards = 0;                ///< of one machine
  int machines = 1;
  const Part* bridge = nullptr;            ///< joins as many neighbours as it takes; nullptr: none
  const NetworkChoice* network = nullptr;  ///< of the space; nullptr: one machine
  std::uint32_t group = 0, host = 0;       ///< where its cards and its kit stand in Space::groups and Space::hosts
};

/// Which builds there are to look at.
struct Space {
  std::vector<BuildChoice> choices;  ///< cards by id, for each the hosts by id, so that no order of catalog entries shows
  std::vector<CardSet> groups;
  std::vector<const HostKit*> hosts;
  std::deque<NetworkChoice> networks;
  std::vector<std::string> cards_without_price;  ///< ids that match the patterns but have no price
  std::vector<std::string> cards_without_host;   ///< ids whose form no host takes
};

/// Numbers of cards that are tried, up to `most` (0: all).
std::vector<int> card_counts(int most);

/// The rig of a choice; nothing when its cards do not all find a slot.
std::optional<Build> build_of(const Catalog& catalog, const BuildChoice& choice);

/// Every card that has a price (and matches a pattern) x numbers of cards x host kits whose board has a price x direct or split
/// slots x the bridges that fit (without splits) x equal machines on networks of 1, 10, 25 and 100 Gbit/s where the question
/// allows several, of at most 16 cards together. Disputed cards are only looked at when a pattern names them.
Space make_space(const Catalog& catalog, const PriceBook& prices, const Query& query);

}  // namespace rigplan
