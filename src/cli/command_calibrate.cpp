// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/options.h"
#include "rigplan/report/validation.h"
#include "rigplan/units/message.h"
#include "rigplan/validate/calibrated_family.h"

namespace rigplan {
namespace {

struct CalibrateOptions {
  std::vector<std::string> files;
  OutputFormat format = OutputFormat::table;
  std::string family, output, left_out, by;
  int worst = 0;
};

const CalibratedFamily& family_of(const std::string& name, const std::vector<Measurement>& rows) {
  const auto families = calibrated_families();
  if (!name.empty()) return *std::ranges::find(families, name, &CalibratedFamily::name);
  const CalibratedFamily* found = nullptr;
  for (const auto& family : families)
    if (std::ranges::any_of(rows, family.accepts)) {
      if (found)
        throw UsageError{fmt::format("the rows belong to {} and to {}; name one with --family", found->name, family.name)};
      found = &family;
    }
  if (!found) throw UsageError{msg("no row belongs to a family that can be calibrated")};
  return *found;
}

ExitCode run_calibrate(const CalibrateOptions& options, const Session& session) {
  if (options.output.empty() && options.left_out.empty()) throw UsageError{msg("give -o FILE.json, --cross-validate, or both")};
  std::vector<Measurement> rows;
  for (const auto& path : options.files)
    for (auto& row : read_measurements(path, read_file(path))) rows.push_back(std::move(row));
  const auto& family = family_of(options.family, rows);
  std::erase_if(rows, [&](const Measurement& row) { return !family.accepts(row); });
  if (!options.left_out.empty()) {
    if (!family.cross_validate) throw UsageError{fmt::format("{} cannot be cross-validated here", family.name)};
    if (!std::ranges::count(family.left_out, options.left_out))
      throw UsageError{fmt::format("--cross-validate: rows of {} are left out by {}; found \"{}\"", family.name,
                                   fmt::join(family.left_out, ", "), options.left_out)};
    const auto predicted = family.cross_validate(rows, session.catalog(), options.left_out);
    const ValidationReport report{summarize(predicted, options.by), options.by, predicted, options.worst,
                                  find_outliers(rows, session.catalog())};
    session.print(options.format == OutputFormat::json ? to_json_text(to_json(report)) + "\n"
                                                       : session.fitted(to_text(report, session.screen())));
  }
  if (!options.output.empty())
    write_file(options.output, to_json_text(calibration_to_json(family.fit(rows, session.catalog()))) + "\n");
  return ExitCode::done;
}

Run define_calibrate(CLI::App& app) {
  const auto options = std::make_shared<CalibrateOptions>();
  std::vector<std::string> families, left_out;
  for (const auto& family : calibrated_families()) {
    families.emplace_back(family.name);
    for (const auto name : family.left_out)
      if (!std::ranges::count(left_out, name)) left_out.emplace_back(name);
  }
  const auto columns = grouping_columns();
  app.add_option("file", options->files, msg("Measured rows (CSV); - is standard input"))->required()->type_name("FILE.csv");
  app.add_option("-o,--output", options->output, msg("Where to write the calibration; - is standard output"))
      ->type_name("FILE.json");
  app.add_option("--family", options->family, msg("What to calibrate, where the rows are of several families"))
      ->check(CLI::IsMember(families))
      ->type_name("FAMILY");
  app.add_option(
         "--cross-validate", options->left_out,
         msg("Predict every row by a fit without its gpu, model, source or pair of card and model; collectives without their "
             "system (card and source)"))
      ->check(CLI::IsMember(left_out))
      ->type_name("WHAT");
  app.add_option("--by", options->by, msg("Group the cross-validation further by this column"))
      ->check(CLI::IsMember(std::vector<std::string>(columns.begin(), columns.end())))
      ->type_name("COLUMN");
  app.add_option("--worst", options->worst, msg("List this many rows with the largest errors"))
      ->check(CLI::Range(0, 1000000))
      ->type_name("N");
  add_format(app, options->format);
  return [options](const Session& session) { return run_calibrate(*options, session); };
}

}  // namespace

const Command calibrate_command{"calibrate", msg("Fit the constants of the formulas to measured rows"),
                                "rigplan calibrate data/measurements/speed.csv -o speed.json", define_calibrate};

}  // namespace rigplan
