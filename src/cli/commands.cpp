// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

namespace rigplan {

std::span<const Command> commands() {
  static const Command all[] = {
      calibrate_command,
      catalog_command,
      estimate_command,
      explain_command,
      import_command,
      rank_command,
      topology_command,
      validate_command,
      verify_command,
      version_command,
  };
  return all;
}

}  // namespace rigplan
