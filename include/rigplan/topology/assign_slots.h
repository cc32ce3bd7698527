// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rigplan/topology/graph.h"
#include "rigplan/topology/rig.h"

namespace rigplan {

/// The rig with a slot for every card, NIC and adapter that it leaves open: widest free slots first, those of the processor
/// before those of the chipset, sockets filled one after the other. What is plugged stays.
/// @throws DataError naming what has no slot.
Rig with_slots(const Rig& rig, const Catalog& catalog);

}  // namespace rigplan
