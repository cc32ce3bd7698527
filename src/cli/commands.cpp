// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

namespace rigplan {

std::span<const Command> commands() {
  static const Command all[] = {
      rank_command,       estimate_command,    plan_command,        catalog_command,    topology_command,
      collective_command, rent_or_buy_command, check_claim_command, import_command,     verify_command,
      sweep_command,      merge_command,       diff_command,        check_command,      report_command,
      validate_command,   calibrate_command,   explain_command,     completion_command, version_command,
  };
  return all;
}

}  // namespace rigplan
