// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/session.h"
#include "rigplan/json/json_file.h"
#include "rigplan/report/policy_report.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace rigplan {

/// How an answer with rows is printed.
enum class ResultFormat { table, json, csv, markdown, github, bench_bigger, bench_smaller };

/// What a command with rows does with its answer beside printing it.
struct ResultOptions {
  ResultFormat format = ResultFormat::table;
  std::vector<std::string> fail_on, warn_on;
  std::string policy, baseline, summary;
};

/// --format table|json|csv|markdown|github|bench-bigger|bench-smaller
CLI::Option* add_result_format(CLI::App& app, ResultFormat& format);
/// --fail-on, --warn-on, --policy, --baseline, --summary
void add_policy_options(CLI::App& app, ResultOptions& options);

/// The answer of an earlier run, from a file that --format json wrote. @throws DataError
JsonFile read_result_file(const std::string& path);

/// What the rules of the options say of an answer; nothing when no rule is given. Rules are read and judged before anything is
/// printed, so that a wrong one prints nothing. @throws UsageError, DataError
std::optional<PolicyReport> judge(const Session& session, const ResultOptions& options, const std::string& subject,
                                  const JsonValue& answer, RuleScope scope = RuleScope::first);

/// An answer with rows in the forms that it can be printed in; made when it is asked for.
struct Answer {
  std::string subject;  ///< "rank", or the name of the rig
  std::function<std::string()> text;
  std::function<JsonValue()> json;
};

/// Judges and prints an answer. Matches go to stderr, with --format github to stdout as annotations.
/// @return policy_matched when a --fail-on rule matches, else `otherwise`.
ExitCode finish_answer(const Session& session, const ResultOptions& options, const Answer& answer, ExitCode otherwise);

}  // namespace rigplan
