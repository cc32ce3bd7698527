// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/topology/graph.h"

namespace rigplan {

/// What to make of peer access over PCIe. The first two believe the verdict where it is yes or no; the last two are for
/// measured rows and for "what if".
enum class PeerAssumption { unknown_is_no, unknown_is_yes, always_no, always_yes };

/// One thing that peer access hangs on.
struct PeerCondition {
  std::string code;  ///< "card_class", "bar", "above_4g", "iommu", "acs", "driver", "root_complex", "socket", "bridge"
  std::string text;
  std::optional<bool> holds;  ///< unset: not known
};

/// Whether two cards reach each other's memory without the host, and why.
struct PeerVerdict {
  PeerOverPcie answer = PeerOverPcie::unknown;
  std::vector<PeerCondition> conditions;
};

/// Verdict for two cards numbered through all machines. A direct NVLink or xGMI link is a yes; different machines are a no.
PeerVerdict peer_access(const RigGraph& graph, int from, int to);
bool may_peer(PeerOverPcie verdict, PeerAssumption assumption);

}  // namespace rigplan
