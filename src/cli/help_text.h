// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/command_tree.h"

namespace rigplan {

/// How a value is written behind its option: "--context QUANTITY", "--all".
std::string option_usage(const OptionEntry& option);
/// "rigplan estimate [OPTIONS] [RIG]"
std::string usage_line(const CommandEntry& command);
/// Range, choices and standard value of an option, each as it is worth saying: "1 to 4096; 16 unless given".
std::string option_limits(const OptionEntry& option);

/// What --help prints: at most one screen (help_lines lines of help_width columns). An option is a line; of groups that many
/// commands share only the names are told when the page would grow longer than a screen.
std::string short_help(const CommandEntry& command);
/// What --help-all prints: every option with its whole text.
std::string full_help(const CommandEntry& command);

inline constexpr int help_lines = 45;
inline constexpr int help_width = 100;

}  // namespace rigplan
