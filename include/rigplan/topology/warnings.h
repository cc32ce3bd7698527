// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rigplan/topology/graph.h"

namespace rigplan {

/// Something about slots and links that the owner of a rig should know, with the facts behind it.
struct TopologyWarning {
  std::string code;     ///< id of a Warning in the catalog: "W_CHIPSET_SLOT"
  std::string text;     ///< one sentence with figures
  std::string subject;  ///< what it is about: "node0/GPU3", "sw0"; empty: the rig
  bool operator==(const TopologyWarning&) const = default;
};

/// All warnings of a rig, in the order of its nodes and devices; machines that are alike are described once.
std::vector<TopologyWarning> topology_warnings(const RigGraph& graph);

}  // namespace rigplan
