// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

namespace rigplan {

std::span<const Command> commands() {
  static const Command all[] = {
      catalog_command,
      explain_command,
      topology_command,
      import_command,
      verify_command,
      validate_command,
      calibrate_command,
      version_command,
  };
  return all;
}

}  // namespace rigplan
