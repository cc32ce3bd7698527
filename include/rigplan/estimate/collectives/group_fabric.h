// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rigplan/estimate/collectives/library_time.h"
#include "rigplan/units/quantity.h"

namespace rigplan {

/// Cost of communication inside one group of cards, prepared so that asking it takes nanoseconds. Made from a Rig by
/// prepare_fabric(); formulas of decode, prefill and training see only this.
struct GroupFabric {
  LinkClass kind = LinkClass::none;
  int cards = 1;
  int nodes = 1;
  Seconds all_reduce_latency;  ///< of a message of a few bytes, launch excluded
  Bandwidth all_reduce_bus;    ///< bus bandwidth of large messages: 2(n-1)/n x bytes / time
  Seconds hop_latency;         ///< one boundary between neighbours in card order (layer split, pipeline, RPC)
  Bandwidth hop_bandwidth;     ///< the slowest boundary, one way
  std::string bottleneck;      ///< the link that limits, for people: "slot PCIE3 x4, chipset uplink"

  LibraryCost library;  ///< of all operations, stack excluded; cards = 1 where only the figures above are known

  /// Time of an all-reduce by the library's best method, launch excluded.
  Seconds all_reduce(Bytes size) const;
  /// Time to pass `size` bytes to the next card.
  Seconds hop(Bytes size) const { return cards > 1 ? hop_latency + size / hop_bandwidth : Seconds{}; }
};

}  // namespace rigplan
