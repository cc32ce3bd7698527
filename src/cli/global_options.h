// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

namespace rigplan {

struct GlobalOptions;

/// Adds the options that every command understands, as the group "Everywhere".
void add_global_options(CLI::App& app, GlobalOptions& options);

}  // namespace rigplan
