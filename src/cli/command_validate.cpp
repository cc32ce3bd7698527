// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/result_output.h"
#include "rigplan/json/cursor.h"
#include "rigplan/report/validation.h"
#include "rigplan/units/message.h"
#include "rigplan/validate/calibrated_family.h"

namespace rigplan {
namespace {

struct ValidateOptions {
  std::vector<std::string> files, calibrations;
  ResultOptions rules;
  OutputFormat format = OutputFormat::table;
  std::string by, plot;
  int worst = 0;
};

std::vector<Calibration> read_calibrations(const std::vector<std::string>& paths) {
  std::vector<Calibration> calibrations;
  for (const auto& path : paths) {
    const auto file = JsonFile::parse(path, read_file(path));
    calibrations.push_back(read_calibration(Cursor{file}));
  }
  return calibrations;
}

ExitCode run_validate(const ValidateOptions& options, const Session& session) {
  std::vector<Measurement> rows;
  for (const auto& path : options.files)
    for (auto& row : read_measurements(path, read_file(path))) rows.push_back(std::move(row));
  const auto predicted = predict_rows(rows, row_predictors(session.catalog(), read_calibrations(options.calibrations)));
  const ValidationReport report{summarize(predicted, options.by), options.by, predicted, options.worst,
                                find_outliers(rows, session.catalog())};
  const auto policy = judge(session, options.rules, "validate", to_json(report), RuleScope::any);
  session.print(options.format == OutputFormat::json ? to_json_text(to_json(report)) + "\n"
                                                     : session.fitted(to_text(report, session.screen())));
  if (!options.plot.empty()) write_file(options.plot, to_svg(report));
  if (!policy) return ExitCode::done;
  for (const auto& breach : policy->breaches) session.note(to_text(breach));
  return policy->failed() ? ExitCode::policy_matched : ExitCode::done;
}

Run define_validate(CLI::App& app) {
  const auto options = std::make_shared<ValidateOptions>();
  app.add_option("file", options->files, msg("Measured rows (CSV); - is standard input"))->required()->type_name("FILE.csv");
  add_format(app, options->format);
  const auto columns = grouping_columns();
  app.add_option("--by", options->by, msg("Group further by this column"))
      ->check(CLI::IsMember(std::vector<std::string>(columns.begin(), columns.end())))
      ->type_name("COLUMN");
  app.add_option("--worst", options->worst, msg("List this many rows with the largest errors"))
      ->check(CLI::Range(0, 1000000))
      ->type_name("N");
  app.add_option("--calibration", options->calibrations, msg("Use this calibration instead of the built-in one of its family"))
      ->type_name("FILE.json");
  app.add_option("--plot", options->plot, msg("Write a plot of predicted against measured values"))->type_name("FILE.svg");
  app.add_option("--fail-on", options->rules.fail_on,
                 msg("Exit with 4 when a summary line is worse, such as decode.median_abs_error>0.1; without a kind: any line"))
      ->type_name("RULE")
      ->allow_extra_args(false);
  return [options](const Session& session) { return run_validate(*options, session); };
}

}  // namespace

const Command validate_command{"validate", msg("Compare predictions with measured rows"),
                               "rigplan validate data/measurements/speed.csv", define_validate};

}  // namespace rigplan
