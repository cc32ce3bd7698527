// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/options.h"
#include "rigplan/json/data_error.h"
#include "rigplan/report/catalog_entry.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

struct ExplainOptions {
  std::string code;
  OutputFormat format = OutputFormat::table;
};

Run define_explain(CLI::App& app) {
  const auto options = std::make_shared<ExplainOptions>();
  app.add_option("CODE", options->code, msg("A warning code such as W_NO_P2P"))->required();
  add_format(app, options->format);
  return [options](const Session& session) {
    auto report = warning_report(session.catalog(), options->code);
    if (!report) report = warning_report(session.catalog(), "W_" + options->code);
    if (!report)
      throw UsageError{fmt::format("explain: no warning \"{}\"{}; rigplan catalog list warnings lists them", options->code,
                                   did_you_mean(options->code, session.catalog().warnings.ids()))};
    session.print(options->format == OutputFormat::json ? to_json_text(to_json(*report)) + "\n"
                                                        : session.fitted(to_text(*report)));
    return ExitCode::done;
  };
}

}  // namespace

const Command explain_command{"explain", msg("What a warning code means and what to do about it"), "rigplan explain W_NO_P2P",
                              define_explain};

}  // namespace rigplan
