// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rigplan/catalog/calibration.h"
#include "rigplan/estimate/collectives/collective.h"
#include "rigplan/json/value.h"
#include "rigplan/report/screen.h"
#include "rigplan/topology/graph.h"
#include "rigplan/topology/peer.h"
#include "rigplan/units/range.h"

namespace rigplan {

/// One size of the curve.
struct CollectiveRow {
  Bytes size;
  Range<Seconds> time;              ///< what the library would take
  Bandwidth algorithm_bandwidth;    ///< size over time
  Bandwidth bus_bandwidth;          ///< the same in bytes over each card's link, as nccl-tests count
  std::string algorithm, protocol;  ///< what the library would choose
  std::string best_algorithm;       ///< the fastest that we know of
  Seconds best_time;
  Seconds wire_time;  ///< of the best on these wires with every efficiency 1
};

/// The curve under one answer to the question whether cards reach each other's memory.
struct CollectiveCurve {
  std::string peers;       ///< "on" or "off" where that is not known, "as known" where it makes no difference
  std::string link;        ///< class of the slowest hop
  std::string bottleneck;  ///< the link that limits, by name
  std::vector<CollectiveRow> rows;
};

struct CollectiveReport {
  std::string rig, operation, stack;
  int cards = 0, nodes = 0;
  std::vector<CollectiveCurve> curves;  ///< two where peer-to-peer access is not known and decides
};

/// @param stack empty: the library of the cards' vendor, launched from a recorded graph
CollectiveReport report_collective(const RigGraph& graph, CollectiveOp op, std::span<const Bytes> sizes,
                                   const Calibration& calibration, std::string stack = "");

std::string collective_text(const CollectiveReport& report, const Screen& screen = {});
JsonValue collective_json(const CollectiveReport& report);

}  // namespace rigplan
