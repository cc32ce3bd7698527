// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/result_output.h"
#include "rigplan/json/data_error.h"
#include "rigplan/report/difference.h"
#include "rigplan/units/message.h"
#include "rigplan/units/parse.h"

namespace rigplan {
namespace {

struct DiffOptions {
  std::string before, after;
  double tolerance = 0;
  bool exit_code = false;
  ResultOptions result;
};

/// "rigplan/rank/1" without its version.
std::string kind_of_answer(const JsonFile& file) {
  const auto& schema = *file.root().find("schema")->text();
  return schema.substr(0, schema.rfind('/'));
}

ExitCode run_diff(const DiffOptions& options, const Session& session) {
  const auto before = read_result_file(options.before), after = read_result_file(options.after);
  if (kind_of_answer(before) != kind_of_answer(after))
    throw UsageError{fmt::format("diff: {} holds an answer of {}, {} one of {}", options.before, kind_of_answer(before),
                                 options.after, kind_of_answer(after))};
  const DifferenceReport report{options.before, options.after, options.tolerance,
                                difference_of(result_of(before.root()), result_of(after.root()), options.tolerance)};
  const Answer answer{fmt::format("{} against {}", options.after, options.before),
                      [&] { return difference_to_text(report, session.screen()); }, [&] { return difference_to_json(report); }};
  return finish_answer(session, options.result, answer,
                       options.exit_code && !report.difference.empty() ? ExitCode::difference_found : ExitCode::done);
}

Run define_diff(CLI::App& app) {
  const auto options = std::make_shared<DiffOptions>();
  app.add_option("BEFORE", options->before, msg("An answer that --format json wrote; - reads standard input"))->required();
  app.add_option("AFTER", options->after, msg("A later answer of the same command"))->required();
  app.add_option_function<std::string>(
         "--tolerance",
         [options](const std::string& text) {
           const bool percent = text.ends_with('%');
           const auto number = parse_number(percent ? text.substr(0, text.size() - 1) : text);
           const auto* value = std::get_if<double>(&number);
           if (!value || *value < 0)
             throw CLI::ValidationError{"--tolerance", fmt::format("\"{}\" is not a share such as 1% or 0.01", text)};
           options->tolerance = percent ? *value / 100 : *value;
         },
         msg("Numbers that differ by no more than this share are the same, such as 1%"))
      ->type_name("SHARE");
  app.add_flag("--exit-code", options->exit_code, msg("Exit with 5 when something differs"));
  add_result_format(app, options->result.format);
  app.add_option("--summary", options->result.summary, msg("Append the difference to this file in Markdown"))
      ->type_name("FILE.md");
  return [options](const Session& session) { return run_diff(*options, session); };
}

}  // namespace

const Command diff_command{"diff", msg("What changed between two answers, row by row"),
                           "rigplan diff main.json branch.json --tolerance 1% --exit-code", define_diff};

}  // namespace rigplan
