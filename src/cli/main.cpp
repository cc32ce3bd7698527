// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <csignal>
#include <exception>

#include "cli/log.h"
#include "cli/parse_command_line.h"
#include "rigplan/json/data_error.h"
#include "text/tr.h"

using namespace rigplan;

static ExitCode run(std::vector<std::string> words) {
  const auto asked = parse_command_line(std::move(words));
  if (const auto* help = std::get_if<HelpText>(&asked)) {
    write_file("-", help->text);
    return ExitCode::done;
  }
  const auto& invocation = std::get<Invocation>(asked);
  // Never taken apart: the system has the memory of the catalog back faster than its thousand entries could give it.
  static const auto* session = new Session{invocation.options};
  return invocation.run(*session);
}

int main(int count, char** words) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that leaves is an OutputError, not the end of the program
  auto code = ExitCode::internal_error;
  try {
    code = run({words + 1, words + count});
  } catch (const UsageError& error) {
    log_error(tr(error.what()));
    code = ExitCode::input_error;
  } catch (const DataError& error) {
    log_error(tr(error.what()));
    code = ExitCode::input_error;
  } catch (const OutputError& error) {
    if (error.reader_left) return static_cast<int>(ExitCode::done);
    log_error(tr(error.what()));
  } catch (const std::bad_alloc&) {
    log_error(tr("out of memory"));
  } catch (const std::exception& error) {
    log_error(trf("internal error: {}; please report it with the command line and its input", error.what()));
  }
  return static_cast<int>(code);
}
