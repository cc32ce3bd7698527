// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "rigplan/topology/rig.h"

namespace rigplan {

/// What a plug offers to the device in it.
struct Port {
  std::string parent;  ///< "cpu0", "chipset", or the id of a switch: what feeds it
  PcieLink wired;      ///< after sharing, splits, the processor's generation, and risers on the way
  PcieLink slot;       ///< what the slot alone is wired for
  int length = 0;      ///< lanes of the connector
  std::string label;   ///< "PCIE1", "sw0/2"
};

/// Why a plug offers nothing.
struct NoPort {
  std::string message;
};

/// The slots of one machine and what is plugged into them, for questions about single plugs.
class Plugs {
 public:
  Plugs(const RigNode& node, const Catalog& catalog);

  const Board& board() const { return board_; }
  const Cpu* cpu() const { return cpu_; }

  std::variant<Port, NoPort> port(const Plug& plug) const;
  /// The same for a port that find_fault() has passed. @throws std::logic_error otherwise.
  Port good_port(const Plug& plug) const;

  /// Lanes that a slot of the board has while the slots of this machine are taken as they are.
  PcieLink slot_link(const Slot& slot) const;
  bool occupied(std::string_view slot) const;
  const AdapterPlace* adapter(std::string_view id) const;

 private:
  std::variant<Port, NoPort> board_port(const Slot& slot) const;
  std::variant<Port, NoPort> adapter_port(std::string_view text, std::size_t slash, int depth) const;
  std::variant<Port, NoPort> split_port(const AdapterPlace& adapter, const Bifurcator& part, std::size_t index, int depth) const;
  std::variant<Port, NoPort> resolve(const Plug& plug, int depth) const;

  const RigNode& node_;
  const Catalog& catalog_;
  const Board& board_;
  const Cpu* cpu_;
  std::vector<std::string> taken_;
};

/// What a port of a switch hangs below. A switch that is plugged into several root ports is as many switches to the machine, each
/// with an equal part of the ports in their order ("sw0", "sw0.1"): bytes between two of them pass the root complex, whatever
/// ways the chip has inside (PEX890xx boxes show such trees, github.com/voipmonitor/rtx6kpro, 2026-04).
std::string virtual_switch(const AdapterPlace& adapter, std::size_t port, std::size_t ports);

/// Every plug of a node: adapters (all of theirs), cards, NICs.
struct PlugUse {
  RigFault::Where where{};
  int index = 0;
  const Plug* plug = nullptr;
};
std::vector<PlugUse> plug_uses(const RigNode& node);

/// Sites of modules (SXM and OAM boards) are called by that name; cards with an edge connector do not go there.
bool is_module_site(std::string_view slot);

/// "PCIE1, PCIE2"; at most twenty of them.
std::string listed(const std::vector<std::string>& names);

}  // namespace rigplan
