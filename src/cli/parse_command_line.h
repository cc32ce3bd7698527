// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "cli/command.h"

namespace rigplan {

/// What a command line asks for.
struct Invocation {
  GlobalOptions options;
  Run run;
};
/// Text to print instead of running: help, version or --print-config.
struct HelpText {
  std::string text;
};

/// Reads the words behind the program's name, and behind them what the environment and a configuration file set (settings.h).
/// @throws UsageError with the nearest valid word, DataError for the file
std::variant<Invocation, HelpText> parse_command_line(std::vector<std::string> words);

}  // namespace rigplan
