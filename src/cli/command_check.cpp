// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/result_output.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

struct CheckOptions {
  std::string file;
  ResultOptions result;
};

ExitCode run_check(const CheckOptions& options, const Session& session) {
  const auto& given = options.result;
  if (given.policy.empty() && given.fail_on.empty() && given.warn_on.empty())
    throw UsageError{msg("check: there is no rule; give --policy FILE, --fail-on RULE or --warn-on RULE")};
  const auto file = read_result_file(options.file);
  const auto report = *judge(session, given, options.file, file.root());
  auto to_print = given;  // the rules are about the file, not about this command's own answer
  to_print.policy.clear();
  to_print.fail_on.clear();
  to_print.warn_on.clear();
  to_print.baseline.clear();
  if (to_print.format == ResultFormat::github) {
    session.print(policy_to_annotations(report));
    to_print.format = ResultFormat::table;
  }
  const Answer answer{"check " + options.file, [&] { return policy_to_text(report); }, [&] { return policy_to_json(report); }};
  return finish_answer(session, to_print, answer, report.failed() ? ExitCode::policy_matched : ExitCode::done);
}

Run define_check(CLI::App& app) {
  const auto options = std::make_shared<CheckOptions>();
  app.add_option("RESULT", options->file, msg("An answer that --format json wrote; - reads standard input"))->required();
  add_policy_options(app, options->result);
  add_result_format(app, options->result.format);
  return [options](const Session& session) { return run_check(*options, session); };
}

}  // namespace

const Command check_command{"check", msg("Ask rules of an answer: exit with 4 when one of them is broken"),
                            "rigplan check ranking.json --policy policy.json --baseline main.json", define_check};

}  // namespace rigplan
