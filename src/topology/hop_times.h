// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/units/quantity.h"

namespace rigplan {

/// Times that bytes take on their way, one way, apart from the transfer itself. PCIe: chosen so that a remote read of 128 bytes
/// (two ways) takes 0.76 us below one switch, 1.16 us over two leaves and a root switch and 1.46 us through the root complex;
/// measured on Gen5 switch boxes are 0.71, 1.16 and 1.4 to 1.6 us (github.com/voipmonitor/rtx6kpro, 2026-04).
struct HopTimes {
  Seconds endpoint = 0.14 * us;      ///< between a card or NIC and its link
  Seconds pcie_switch = 0.10 * us;   ///< crossing a switch that states nothing else
  Seconds root_complex = 0.45 * us;  ///< crossing a processor or its memory
  Seconds chipset = 0.30 * us;       ///< inferred: a switch behind a slower link
  Seconds nvlink = 0.35 * us;        ///< card to card, inferred from one-way kernel latencies of 0.6 to 0.8 us
  Seconds xgmi = 0.45 * us;          ///< inferred as NVLink, one generation slower
  Seconds peer_switch = 0.20 * us;   ///< crossing an NVSwitch, inferred
  Seconds memory = 0.10 * us;        ///< one DRAM access
  Seconds socket = 0.20 * us;        ///< where no entry for the processor exists
  Seconds rdma = 1.5 * us;           ///< NIC, cable and switch of RDMA networks, half of it on each side
  Seconds tcp = 25 * us;             ///< the same with the kernel's network stack
};

}  // namespace rigplan
