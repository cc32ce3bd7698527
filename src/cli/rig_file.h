// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/session.h"
#include "rigplan/topology/rig.h"

namespace rigplan {

/// The rig in a file; "-" is standard input. Comments are allowed. @throws DataError
Rig read_rig_file(const Session& session, const std::string& path);

}  // namespace rigplan
