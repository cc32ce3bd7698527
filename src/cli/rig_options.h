// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/session.h"
#include "rigplan/topology/rig.h"

namespace CLI {
class App;
}

namespace rigplan {

/// One rig: a file, or cards of one kind on a board.
struct RigOptions {
  std::string rig, gpu, board;
  int count = 1;
};

/// RIG, --gpu, --count, --board
void add_rig_options(CLI::App& app, RigOptions& options);
/// @throws UsageError when both or neither is given, or for names that the catalog does not know; DataError
Rig rig_from(const RigOptions& options, const Session& session);

}  // namespace rigplan
