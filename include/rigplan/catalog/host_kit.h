// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rigplan/catalog/gpu.h"
#include "rigplan/json/figure.h"
#include "rigplan/units/quantity.h"

namespace rigplan {

/// What a builder puts around a board when nobody says otherwise: the parts that a bill adds, and what the host draws.
/// Ranking tries every kit whose board has a price; a rig that names only a board takes the missing parts from the kit of that
/// board.
struct HostKit : Entry {
  std::string board;  ///< id of a Board
  std::string cpu;    ///< id of a Cpu; empty where the board includes it
  int cpus = 1;
  std::string memory;  ///< part id of one module or kit
  int memory_count = 0;
  Bytes memory_size;      ///< of all modules together
  std::string storage;    ///< part id
  std::string enclosure;  ///< part id of a case, frame or chassis
  std::string cooler;     ///< part id of the processor's cooler; empty where it is included
  std::string riser;      ///< part id through which each card is plugged; empty: straight into its slot
  CardForm card_form = CardForm::pcie;
  std::vector<std::string> architectures;  ///< of the cards that it takes; empty: any
  std::string supply;                      ///< part id; empty: chosen by the load
  int supply_count = 0;
  int max_cards = 0;  ///< cards that fit into the enclosure; 0: as many as the slots take
  Watts idle_power;   ///< DC: board, processor, memory, drive and fans, without cards
  Watts busy_power;   ///< the same under load
};

}  // namespace rigplan
