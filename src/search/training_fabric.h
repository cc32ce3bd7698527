// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "rigplan/simulate/training.h"
#include "rigplan/topology/graph.h"
#include "rigplan/topology/peer.h"

namespace rigplan {

/// The links of a plan on a rig: tensor-parallel groups are neighbouring cards, stages lie one group apart, copies one pipeline
/// apart.
TrainingFabric training_fabric(const RigGraph& graph, const ParallelPlan& plan, PeerAssumption assumption,
                               const Calibration& collectives);

/// The slowest of these cards' ways to host memory while all of them are used at once.
HostPath host_path(const RigGraph& graph, int cards);

/// What states may take of the memory of the machine that has least; nothing where a machine's memory is not stated.
std::optional<Bytes> host_room(const Rig& rig);

/// Cards of the machine that has most.
int most_cards_of_machine(const Rig& rig);

}  // namespace rigplan
