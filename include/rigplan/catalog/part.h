// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rigplan/catalog/gpu.h"
#include "rigplan/json/figure.h"
#include "rigplan/units/quantity.h"

namespace rigplan {

/// A riser, extension cable, redriver or retimer: one link in, one link out.
struct Riser {
  PcieLink link;           ///< the most it carries
  bool usb_cable = false;  ///< a mining riser
};

/// A passive adapter that needs the slot to be split by the firmware.
struct Bifurcator {
  int lanes = 0;           ///< of the slot it takes
  std::vector<int> ports;  ///< {4,4,4,4}
};

/// A PCIe switch card or board.
struct PcieSwitch {
  PcieLink upstream;       ///< of each upstream port
  int upstream_ports = 1;  ///< more than one: several root ports
  std::vector<int> ports;  ///< lanes of each downstream port
  Seconds latency;         ///< per crossing
};

/// An NVLink or xGMI bridge.
struct BridgePart {
  PeerLinkKind kind{};
  int cards = 2;
  std::vector<std::string> fits;  ///< GPU ids; empty: every card with such a connector
};

struct Nic {
  Bandwidth rate;  ///< of all ports together, each way
  int ports = 1;
  bool rdma = false;
  std::optional<PcieLink> pcie;
};

struct NetworkSwitch {
  int ports = 0;
  Bandwidth port_rate;
};

enum class PsuForm { atx, server };
struct Psu {
  Watts power;
  std::string rating;                    ///< "80 PLUS Platinum": the name of an efficiency curve
  int pcie_8pin = 0, hpwr = 0, eps = 0;  ///< connectors; all 0: not stated
  PsuForm form{};
};

/// Anything else that a bill counts: memory by size, drives, cases, coolers, and whole machines to compare a build with.
struct OtherPart {
  std::string kind;           ///< "memory", "storage", "case", "cooling", "cable", "carrier", "machine", "service"
  std::optional<Bytes> size;  ///< of all modules or drives of the item together
  int pieces = 1;             ///< modules or drives in the item
  std::string fits;           ///< what it goes with: "DDR4 RDIMM" (see memory_fits()), a socket, a card form; empty: anything
  int cards = 0;              ///< double-width cards that a case or carrier holds; 0: none or not stated
};

/// A part that is neither card, board nor processor.
struct Part : Entry {
  std::variant<Riser, Bifurcator, PcieSwitch, BridgePart, Nic, NetworkSwitch, Psu, OtherPart> what;
  std::vector<std::string> warnings;
};

/// Whether memory made for `fits` ("DDR4 RDIMM") goes into a board whose memory type is `board_memory` ("DDR4-3200 RDIMM"):
/// the same generation and the same kind of module.
bool memory_fits(std::string_view fits, std::string_view board_memory);

}  // namespace rigplan
