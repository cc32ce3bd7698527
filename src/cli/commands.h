// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.h"

namespace rigplan {

// Each is defined in command_<name>.cpp.
extern const Command calibrate_command;
extern const Command catalog_command;
extern const Command check_claim_command;
extern const Command check_command;
extern const Command collective_command;
extern const Command completion_command;
extern const Command diff_command;
extern const Command estimate_command;
extern const Command explain_command;
extern const Command import_command;
extern const Command merge_command;
extern const Command plan_command;
extern const Command rank_command;
extern const Command rent_or_buy_command;
extern const Command report_command;
extern const Command sweep_command;
extern const Command topology_command;
extern const Command validate_command;
extern const Command verify_command;
extern const Command version_command;

}  // namespace rigplan
