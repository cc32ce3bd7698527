// SPDX-License-Identifier: Apache-2.0
#include "cli/parse_command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/version.h"
#include "rigplan/json/data_error.h"

namespace rigplan {
namespace {

void add_global_options(CLI::App& app, GlobalOptions& options) {
  app.add_option("--catalog", options.catalog_paths,
                 "Lay a catalog file or folder over the built-in one (repeatable; also RIGPLAN_CATALOG)")
      ->type_name("PATH")
      ->allow_extra_args(false)
      ->group("Everywhere");
  app.add_option("--set", options.overrides, "Change one value for this run: gpus.mi50-32gb.price=\"900 yuan\" (repeatable)")
      ->type_name("ITEM=VALUE")
      ->allow_extra_args(false)
      ->group("Everywhere");
  app.add_option("--fx", options.exchange, "Yuan for one unit of a currency: USD=7.2 (repeatable)")
      ->type_name("CUR=YUAN")
      ->allow_extra_args(false)
      ->group("Everywhere");
  app.add_option("--as-of", options.as_of, "Use prices seen up to this date")->type_name("DATE")->group("Everywhere");
  app.add_option("--max-price-age", options.max_price_age_days, "Flag prices older than so many days")
      ->type_name("DAYS")
      ->check(CLI::Range(1, 36500))
      ->group("Everywhere");
  app.add_flag("--quiet,-q", options.quiet, "No notes on stderr")->group("Everywhere");
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const auto& command : commands()) names.emplace_back(command.name);
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options())
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

const CLI::App& chosen(const CLI::App& app) {
  const auto subcommands = app.get_subcommands();
  return subcommands.empty() ? app : chosen(*subcommands.front());
}

/// CLI11's complaint in our words: the word that is wrong, and the nearest right one.
std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const auto& command = chosen(app);
  const auto extras = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) && !extras.empty()) {
    const auto& word = extras.front();
    const auto name = word.substr(0, word.find('='));
    return fmt::format("unknown {} \"{}\"{}; try {} --help", word.front() == '-' ? "option" : "argument", word,
                       word.front() == '-' ? did_you_mean(name, option_names(command)) : "", command.get_name());
  }
  return fmt::format("{}; try {} --help", error.what(), command.get_name());
}

std::string overview() {
  std::string text =
      "rigplan plans GPU rigs: which build does a job, how fast, and what it costs in yuan per usable TFLOP/s\n\n"
      "Usage: rigplan COMMAND [OPTIONS]\n\n";
  for (const auto& command : commands()) text += fmt::format("  {:<14} {}\n", command.name, command.summary);
  text += "\nrigplan COMMAND --help shows a command's options and an example.\n";
  return text;
}

}  // namespace

std::variant<Invocation, HelpText> parse_command_line(std::vector<std::string> words) {
  if (words.empty() || words.front() == "--help" || words.front() == "-h" || words.front() == "help") {
    if (words.size() < 2) return HelpText{overview()};
    words = {words[1], "--help"};
  }
  if (words.front() == "--version") return HelpText{std::string{"rigplan "} + version + "\n"};

  const auto names = command_names();
  if (std::find(names.begin(), names.end(), words.front()) == names.end())
    throw UsageError{
        fmt::format("no command \"{}\"{}; rigplan --help lists them", words.front(), did_you_mean(words.front(), names))};
  const auto& command =
      *std::find_if(commands().begin(), commands().end(), [&](const Command& c) { return c.name == words.front(); });

  Invocation invocation;
  CLI::App app{std::string{command.summary}, "rigplan " + std::string{command.name}};
  app.footer(fmt::format("Example:\n  {}", command.example));
  add_global_options(app, invocation.options);
  app.option_defaults()->always_capture_default();
  invocation.run = command.define(app);
  words.erase(words.begin());
  std::reverse(words.begin(), words.end());  // CLI11 takes a stack
  try {
    app.parse(words);
  } catch (const CLI::CallForHelp&) {
    return HelpText{app.help()};
  } catch (const CLI::CallForAllHelp&) {
    return HelpText{app.help("", CLI::AppFormatMode::All)};
  } catch (const CLI::ParseError& error) {
    throw UsageError{explain(app, error)};
  }
  return invocation;
}

}  // namespace rigplan
