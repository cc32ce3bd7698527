// SPDX-License-Identifier: Apache-2.0
#include "cli/command_tree.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <sstream>

#include "cli/command.h"
#include "cli/global_options.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

/// The catalog's family in which the value of an option or argument is an id.
const std::map<std::string, std::string, std::less<>>& families_of_values() {
  static const std::map<std::string, std::string, std::less<>> families{
      {"--gpu", "gpus"},  {"--model", "models"}, {"--board", "boards"},
      {"--rent", "rent"}, {"CODE", "warnings"},  {"--engine", "engines"},
      {"ID", ""},
  };
  return families;
}

std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream{text};
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// "INT in [1 - 4096]" -> "1 to 4096", "{a,b}" -> choices; other validators tell nothing that the help does not.
void read_validator(const std::string& text, OptionEntry& entry) {
  const auto open = text.find_first_of("[{"), close = text.find_last_of("]}");
  if (open == std::string::npos || close == std::string::npos) return;
  const auto inside = text.substr(open + 1, close - open - 1);
  if (text[open] == '{') {
    entry.choices = split_at(inside, ',');
    return;
  }
  const auto dash = inside.find(" - ");
  if (dash != std::string::npos) entry.range = inside.substr(0, dash) + " to " + inside.substr(dash + 3);
}

void set_kind(OptionEntry& entry) {
  const auto& name = entry.names.front();
  const auto family = families_of_values().find(name);
  const bool plain_name = entry.value.find_first_of("|") == std::string::npos;
  if (entry.value.empty())
    entry.kind = ValueKind::none;
  else if (!entry.choices.empty())
    entry.kind = ValueKind::choice;
  else if (!plain_name) {
    entry.kind = ValueKind::choice;
    entry.choices = split_at(entry.value, '|');
  } else if (family != families_of_values().end()) {
    entry.kind = ValueKind::entry;
    entry.family = family->second;
  } else if (entry.value.starts_with("FILE") || entry.value == "PATH" || entry.value.starts_with("RIG")) {
    entry.kind = ValueKind::file;
  } else {
    entry.kind = ValueKind::text;
  }
}

OptionEntry option_entry(const CLI::Option& option) {
  OptionEntry entry;
  for (const auto& name : option.get_lnames()) entry.names.push_back("--" + name);
  for (const auto& name : option.get_snames()) entry.names.push_back("-" + name);
  const bool argument = entry.names.empty();
  if (argument) entry.names.push_back(option.get_name(true));
  if (option.get_type_size() != 0) {
    const auto type = option.get_type_name();
    const auto colon = type.find(':');
    entry.value = argument && type.starts_with("TEXT") ? entry.names.front() : type.substr(0, colon);
    if (colon != std::string::npos) read_validator(type.substr(colon + 1), entry);
  }
  entry.help = option.get_description();
  entry.group = option.get_group();
  entry.required = option.get_required();
  const auto standard = option.get_default_str();
  if (standard != "[]" && standard != "0" && entry.names.front() != "--jobs") entry.standard = standard;
  set_kind(entry);
  return entry;
}

CommandEntry build_tree() {
  CommandEntry tree{"rigplan", msg("Plans GPU rigs: which build does a job, how fast, and what it costs"), "", {}, {}, {}};
  for (const auto& command : commands()) {
    CLI::App app{std::string{command.summary}, std::string{command.name}};
    GlobalOptions options;
    add_global_options(app, options);
    app.set_help_all_flag("--help-all", msg("Every option in full"))->group("Everywhere");
    app.option_defaults()->always_capture_default();
    const auto run = command.define(app);
    tree.subcommands.push_back(command_entry(app, fmt::format("rigplan {}", command.name), command.example));
  }
  return tree;
}

void add_below(const CommandEntry& entry, std::vector<const CommandEntry*>& all) {
  all.push_back(&entry);
  for (const auto& sub : entry.subcommands) add_below(sub, all);
}

}  // namespace

CommandEntry command_entry(const CLI::App& app, const std::string& path, std::string_view example) {
  CommandEntry entry{path, app.get_description(), std::string{example}, {}, {}, {}};
  for (const auto* option : app.get_options())
    (option->get_positional() ? entry.arguments : entry.options).push_back(option_entry(*option));
  for (const auto* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    entry.subcommands.push_back(command_entry(*sub, path + " " + sub->get_name(), ""));
  return entry;
}

const CommandEntry& command_tree() {
  static const auto tree = build_tree();
  return tree;
}

std::vector<const CommandEntry*> all_commands(const CommandEntry& tree) {
  std::vector<const CommandEntry*> all;
  add_below(tree, all);
  return all;
}

}  // namespace rigplan
