// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "cli/exit_code.h"
#include "cli/session.h"

namespace CLI {
class App;
}

namespace rigplan {

/// What runs once the command line was read.
using Run = std::function<ExitCode(const Session&)>;

/// A subcommand, one file each: command_<name>.cpp. `define` adds its options to `app` and returns what to run; it reads
/// nothing and prints nothing.
struct Command {
  std::string_view name;
  std::string_view summary;  ///< one line for `rigplan --help`
  std::string_view example;  ///< a command line that works as it stands, shown by --help
  Run (*define)(CLI::App& app);
};

/// All commands, in the order in which --help lists them.
std::span<const Command> commands();

}  // namespace rigplan
