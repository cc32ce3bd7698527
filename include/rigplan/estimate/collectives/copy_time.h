// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/catalog/calibration.h"
#include "rigplan/estimate/collectives/group_links.h"

namespace rigplan {

/// Who moves the bytes and which way.
enum class CopyDirection { one_way, both_ways, read };

/// A copy between two cards, or between a card and its host.
struct CopyLink {
  LinkClass kind = LinkClass::none;
  Bandwidth nominal;  ///< one way, as in GroupLinks
  CopyDirection direction{};
  bool host = false;     ///< between a card and its host
  bool to_card = false;  ///< of host copies: the card reads host memory
  int hops = 1;          ///< dies or bridges in a row
  bool old_host = false, virtual_machine = false;
  bool all_at_once = false;  ///< `nominal` is the max-min fair total of all pairs
  bool kernel_copy = false;  ///< through a library's send and receive instead of the copy engine
  std::string architecture;
};

/// Rate of a large copy; of both directions together for both_ways.
Bandwidth copy_bandwidth(const CopyLink& link, const Calibration& calibration);

}  // namespace rigplan
