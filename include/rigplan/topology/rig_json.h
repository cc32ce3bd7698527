// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigplan/json/value.h"
#include "rigplan/topology/rig.h"

namespace rigplan {

/// The rig file of a rig: read_rig() gives the same rig back.
JsonValue to_json(const Rig& rig);

}  // namespace rigplan
