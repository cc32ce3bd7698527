// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/catalog_check.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "rigplan/json/data_error.h"
#include "rigplan/report/catalog_entry.h"
#include "rigplan/report/catalog_listing.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

struct CatalogOptions {
  std::string family = "gpus";
  std::string id;
  std::vector<std::string> files;
  OutputFormat format = OutputFormat::table;
  bool ids = false;
};

template <class Report>
ExitCode print(const Session& session, const Report& report, OutputFormat format) {
  if (format == OutputFormat::json)
    session.print(to_json_text(to_json(report)) + "\n");
  else if constexpr (requires { to_text(report, session.screen()); })
    session.print(session.fitted(to_text(report, session.screen())));
  else
    session.print(session.fitted(to_text(report)));
  return ExitCode::done;
}

ExitCode list(const Session& session, const CatalogOptions& options) {
  const auto families = listable_families();
  if (std::find(families.begin(), families.end(), options.family) == families.end()) {
    const std::vector<std::string> names{families.begin(), families.end()};
    throw UsageError{fmt::format("catalog list: no family \"{}\"{}; expected one of {}", options.family,
                                 did_you_mean(options.family, names), fmt::join(names, ", "))};
  }
  const auto models = options.family == "models" ? session.models().entries() : std::vector<TransformerModel>{};
  const auto listing = list_catalog(session.catalog(), options.family, models);
  if (!options.ids) return print(session, listing, options.format);
  std::string ids;
  for (const auto& row : listing.rows) ids += row.front().text + "\n";
  session.print(ids);
  return ExitCode::done;
}

ExitCode show(const Session& session, const CatalogOptions& options) {
  if (const auto warning = warning_report(session.catalog(), options.id)) return print(session, *warning, options.format);
  const auto& models = session.models().entries();
  const auto report = catalog_entry(session.catalog(), models, options.id);
  if (!report)
    throw UsageError{fmt::format("catalog show: nothing is called \"{}\"{}; rigplan catalog list FAMILY lists what there is",
                                 options.id, did_you_mean(options.id, catalog_names(session.catalog(), models)))};
  return print(session, *report, options.format);
}

ExitCode check(const Session& session, const CatalogOptions& options) {
  return print(session, check_catalog(session, options.files), options.format);
}

Run define_catalog(CLI::App& app) {
  const auto options = std::make_shared<CatalogOptions>();
  auto run = std::make_shared<Run>();
  const auto add = [&](const char* name, const char* help, ExitCode (*act)(const Session&, const CatalogOptions&)) {
    auto* command = app.add_subcommand(name, help);
    command->fallthrough();
    add_format(*command, options->format);
    command->callback([run, options, act] { *run = [options, act](const Session& session) { return act(session, *options); }; });
    return command;
  };
  auto* listed = add("list", msg("One line for each entry of a family"), list);
  listed->add_flag("--ids", options->ids, msg("Only the first column: the ids, one a line"));
  listed->add_option("FAMILY", options->family, fmt::format("One of {}", fmt::join(listable_families(), ", ")))
      ->type_name(fmt::format("FAMILY:{{{}}}", fmt::join(listable_families(), ",")))
      ->capture_default_str();
  add("show", msg("Every field of an entry with its source, its prices and its warnings"), show)
      ->add_option("ID", options->id, msg("An id, name or alias of anything in the catalog"))
      ->required();
  add("check", msg("Read catalog files and report what is wrong with them"), check)
      ->add_option("FILE", options->files, msg("Files or folders; none: the catalog in force"));
  app.require_subcommand(0, 1);
  return [run](const Session& session) {
    if (!*run) throw UsageError{msg("catalog: expected list, show or check; try rigplan catalog --help")};
    return (*run)(session);
  };
}

}  // namespace

const Command catalog_command{"catalog",
                              msg("Look into the catalog: cards, boards, models, prices and where each figure comes from"),
                              "rigplan catalog show mi50-32gb", define_catalog};

}  // namespace rigplan
