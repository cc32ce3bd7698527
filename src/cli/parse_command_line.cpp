// SPDX-License-Identifier: Apache-2.0
#include "cli/parse_command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "cli/command_tree.h"
#include "cli/global_options.h"
#include "cli/help_text.h"
#include "cli/language_choice.h"
#include "cli/settings.h"
#include "cli/version.h"
#include "rigplan/json/data_error.h"
#include "rigplan/report/text_table.h"
#include "rigplan/units/message.h"
#include "text/tr.h"

namespace rigplan {
namespace {

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
  // "--modl x" also leaves --model out; what was written wrong is the better news.
  const auto is_option = [](const std::string& word) { return word.starts_with("--"); };
  const auto unknown = dynamic_cast<const CLI::ExtrasError*>(&error)     ? extras.begin()
                       : dynamic_cast<const CLI::RequiredError*>(&error) ? std::find_if(extras.begin(), extras.end(), is_option)
                                                                         : extras.end();
  if (unknown != extras.end()) {
    const auto& word = *unknown;
    const auto name = word.substr(0, word.find('='));
    return fmt::format("unknown {} \"{}\"{}; try {} --help", word.front() == '-' ? msg("option") : msg("argument"), word,
                       word.front() == '-' ? did_you_mean(name, option_names(command)) : "", command.get_name());
  }
  return fmt::format("{}; try {} --help", error.what(), command.get_name());
}

std::string overview() {
  auto text =
      tr("rigplan plans GPU rigs: which build does a job, how fast, and what it costs in yuan per usable TFLOP/s\n\n"
         "Usage: rigplan COMMAND [OPTIONS]\n\n");
  for (const auto& command : commands()) text += fmt::format("  {:<14} {}\n", command.name, tr(command.summary));
  text += tr("\nrigplan COMMAND --help shows a command's options and an example, --help-all all of them in full.\n");
  return text;
}

}  // namespace

namespace {

/// Options of one command: its own, and those of its subcommands that are named.
std::vector<const CLI::Option*> settable_options(const CLI::App& app, const std::vector<std::string>& words) {
  std::vector<const CLI::Option*> options;
  const auto add = [&](const CLI::App& from) {
    for (const auto* option : from.get_options())
      if (!option->get_lnames().empty()) options.push_back(option);
  };
  add(app);
  for (const auto* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    if (std::find(words.begin(), words.end(), sub->get_name()) != words.end()) add(*sub);
  std::erase_if(options, [](const CLI::Option* option) {
    const auto& name = option->get_lnames().front();
    return name == "help" || name == "help-all" || name == "config" || name == "print-config";
  });
  return options;
}

bool stands_in(const CLI::Option& option, const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    const auto is_long = [&](const std::string& name) { return word == "--" + name || word.starts_with("--" + name + "="); };
    const auto is_short = [&](const std::string& name) { return !word.starts_with("--") && word.starts_with("-" + name); };
    return std::any_of(option.get_lnames().begin(), option.get_lnames().end(), is_long) ||
           std::any_of(option.get_snames().begin(), option.get_snames().end(), is_short);
  });
}

/// The file named by --config; empty when there is none.
std::string config_in(const std::vector<std::string>& words) {
  constexpr std::string_view name = "--config";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == name && i + 1 < words.size()) return words[i + 1];
    if (words[i].starts_with("--config=")) return words[i].substr(name.size() + 1);
  }
  return "";
}

/// Long names of the options of all commands.
std::vector<std::string> all_option_names() {
  std::vector<std::string> names;
  for (const auto& command : commands()) {
    CLI::App app;
    GlobalOptions options;
    add_global_options(app, options);
    const auto run = command.define(app);
    for (const auto* sub : app.get_subcommands([](const CLI::App*) { return true; }))
      for (const auto* option : sub->get_options())
        for (const auto& name : option->get_lnames()) names.push_back(name);
    for (const auto* option : app.get_options())
      for (const auto& name : option->get_lnames()) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::erase_if(
      names, [](const auto& name) { return name == "help" || name == "help-all" || name == "config" || name == "print-config"; });
  return names;
}

using Origins = std::map<const CLI::Option*, std::string>;

/// Puts what environment and configuration file set behind the words of the command line, where these are silent.
Origins add_settings(const CLI::App& app, std::vector<std::string>& words) {
  Origins origins;
  const auto given = words;
  std::vector<std::string> names;
  for (const auto* option : settable_options(app, given)) names.push_back(option->get_lnames().front());
  const auto settings = Settings::in_force(config_in(words), names, all_option_names);
  for (const auto* option : settable_options(app, given)) {
    if (stands_in(*option, given)) {
      origins[option] = msg("command line");
      continue;
    }
    const auto* setting = settings.find(option->get_lnames().front());
    if (!setting) continue;
    origins[option] = setting->origin;
    for (const auto& value : setting->values) words.push_back(fmt::format("--{}={}", option->get_lnames().front(), value));
  }
  return origins;
}

/// Where the value comes from that a complaint is about; empty for the command line.
std::string origin_of(const std::string& complaint, const Origins& origins) {
  for (const auto& [option, origin] : origins)
    if (origin != "command line" && complaint.starts_with("--" + option->get_lnames().front() + ":"))
      return fmt::format(" (set by {})", origin);
  return "";
}

/// The entry of the command that was named, or of the one below it.
CommandEntry help_entry(const CLI::App& app, const Command& command) {
  const auto path = fmt::format("rigplan {}", command.name);
  const auto& named = chosen(app);
  return &named == &app ? command_entry(app, path, command.example) : command_entry(named, path + " " + named.get_name(), "");
}

std::string config_text(const CLI::App& app, const std::vector<std::string>& words, const Origins& origins) {
  TextTable table{{{tr("option"), Align::left}, {tr("value"), Align::left}, {trc("setting", "from"), Align::left}}};
  for (const auto* option : settable_options(app, words)) {
    const auto from = origins.find(option);
    const auto value = from == origins.end() ? option->get_default_str() : fmt::format("{}", fmt::join(option->results(), " "));
    if (from == origins.end() && (value.empty() || value == "[]")) continue;
    table.row({"--" + option->get_lnames().front(), value, from == origins.end() ? tr("default") : tr(from->second)});
  }
  return table.text();
}

}  // namespace

std::variant<Invocation, HelpText> parse_command_line(std::vector<std::string> words) {
  set_language(choose_language(words));
  const auto of_language = take_language(words);
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
  add_global_options(app, invocation.options);
  app.set_help_all_flag("--help-all", msg("Every option in full"))->group("Everywhere");
  app.option_defaults()->always_capture_default();
  invocation.run = command.define(app);
  words.erase(words.begin());
  words.insert(words.begin(), of_language.begin(), of_language.end());
  const auto given = words;
  const auto origins = add_settings(app, words);
  set_language(choose_language(words));  // again, for a language set in a file of options
  if (std::find(words.begin(), words.end(), "--print-config") != words.end())
    for (auto* option : app.get_options()) option->required(false);
  std::reverse(words.begin(), words.end());  // CLI11 takes a stack
  try {
    app.parse(words);
  } catch (const CLI::CallForHelp&) {
    return HelpText{short_help(help_entry(app, command))};
  } catch (const CLI::CallForAllHelp&) {
    return HelpText{full_help(help_entry(app, command))};
  } catch (const CLI::ParseError& error) {
    throw UsageError{explain(app, error) + origin_of(error.what(), origins)};
  }
  if (invocation.options.print_config) return HelpText{config_text(app, given, origins)};
  return invocation;
}

}  // namespace rigplan
