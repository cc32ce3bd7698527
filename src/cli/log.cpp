// SPDX-License-Identifier: Apache-2.0
#include "cli/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace rigplan {
namespace {

spdlog::logger& to_stderr() {
  static spdlog::logger logger = [] {
    spdlog::logger made{"rigplan", std::make_shared<spdlog::sinks::stderr_sink_mt>()};
    made.set_pattern("rigplan: %v");
    return made;
  }();
  return logger;
}

}  // namespace

void log_note(std::string_view text) { to_stderr().info("{}", text); }
void log_error(std::string_view text) { to_stderr().error("{}", text); }

}  // namespace rigplan
