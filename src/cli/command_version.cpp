// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/version.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

Run define_version(CLI::App&) {
  return [](const Session& session) {
    session.print(std::string{"rigplan "} + version + "\n");
    return ExitCode::done;
  };
}

}  // namespace

const Command version_command{"version", msg("Print the version"), "rigplan version", define_version};

}  // namespace rigplan
