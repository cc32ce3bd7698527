// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/catalog/gpu.h"
#include "rigplan/json/figure.h"
#include "rigplan/units/quantity.h"

namespace rigplan {

/// One slot (or M.2, OCuLink, SlimSAS connector) of a board.
struct Slot {
  std::string id;                        ///< "PCIE1", unique on its board
  int physical_lanes = 0;                ///< length of the connector; 4 for M.2 and OCuLink
  PcieLink link;                         ///< lanes that are wired, and the generation
  std::string fed_by;                    ///< "cpu0", "cpu1", "chipset", or the id of a switch on the board
  std::vector<std::vector<int>> splits;  ///< bifurcations that the firmware offers: {{8,8},{4,4,4,4}}
  std::vector<std::string> shares_with;  ///< slots that take lanes from this one when occupied
  int lanes_when_shared = 0;             ///< lanes left then; 0: none
};

/// A PCIe switch that is soldered to a board.
struct BoardSwitch {
  std::string id;
  PcieLink upstream;
  std::string fed_by;
};

/// A mainboard or barebone server.
struct Board : Entry {
  std::string socket;  ///< "SP3"
  int sockets = 1;
  std::vector<Slot> slots;
  std::vector<BoardSwitch> switches;
  std::optional<PcieLink> chipset_uplink;     ///< what all chipset slots, drives and network ports share
  std::vector<std::string> chipset_devices;   ///< what else hangs there: "nvme", "nic"
  int memory_channels = 0;                    ///< of all sockets together
  std::string memory_type;                    ///< "DDR4-3200 RDIMM": generation, most transfers, kind of module
  std::optional<Bandwidth> memory_bandwidth;  ///< of all sockets together
  std::optional<Bytes> max_memory;
  std::string form_factor;
  bool includes_cpu = false;  ///< a complete host whose CPU is not separate
  std::vector<std::string> warnings;
};

struct Cpu : Entry {
  std::string socket;
  std::string microarchitecture;  ///< "zen2": decides the socket link and peer-to-peer through the root complex
  Vendor vendor{};
  PcieLink pcie;  ///< lanes of one socket
  int memory_channels = 0;
  std::string memory_type;
  Bandwidth memory_bandwidth;
  std::optional<Watts> tdp;
};

/// What is wrong with the names that slots and switches of a board refer to: feeders that do not exist, slots that stand twice,
/// switches in a circle. Empty: nothing.
std::string wiring_fault(const Board& board);

}  // namespace rigplan
