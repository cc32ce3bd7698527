// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "cli/completion.h"
#include "cli/help_text.h"

namespace rigplan {
namespace {

/// A text that scdoc takes as it stands: its marks for bold, underline and escapes lose their meaning.
std::string scdoc_escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view{"\\_*#[]~|"}.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string scdoc_option(const OptionEntry& option) {
  std::string names;
  for (const auto& name : option.names) names += (names.empty() ? "*" : ", *") + scdoc_escaped(name) + "*";
  if (option.names.front().front() != '-')
    names = "*" + scdoc_escaped(option_usage(option)) + "*";
  else if (!option.value.empty())
    names += " " + scdoc_escaped(option.value);
  auto text = names + "\n\t" + scdoc_escaped(option.help) + ".";
  const auto limits = option_limits(option);
  if (!limits.empty()) text += " (" + scdoc_escaped(limits) + ")";
  return text + "\n\n";
}

std::string scdoc_groups(const CommandEntry& command, bool everywhere) {
  std::string text, group;
  for (const auto& option : command.options) {
    if ((option.group == "Everywhere") != everywhere) continue;
    if (option.group != group) text += "## " + (group = option.group) + "\n\n";
    text += scdoc_option(option);
  }
  return text;
}

}  // namespace

std::string scdoc_options(const CommandEntry& command) {
  auto page = command.path;
  std::replace(page.begin(), page.end(), ' ', '-');
  auto text = fmt::format("{}(1)\n\n# NAME\n\n{} - {}\n\n# SYNOPSIS\n\n", page, page, scdoc_escaped(command.summary));
  for (const auto* each : all_commands(command))
    if (each->subcommands.empty() || each == &command) text += scdoc_escaped(usage_line(*each)) + "\n\n";
  text += "@DESCRIPTION@\n";
  if (!command.arguments.empty()) text += "# ARGUMENTS\n\n";
  for (const auto& argument : command.arguments) text += scdoc_option(argument);
  if (!command.subcommands.empty()) text += "# COMMANDS\n\n";
  for (const auto& sub : command.subcommands) {
    text += fmt::format("## {}\n\n{}.\n\n", scdoc_escaped(sub.path), scdoc_escaped(sub.summary));
    for (const auto& argument : sub.arguments) text += scdoc_option(argument);
    for (const auto& option : sub.options)
      if (option.names.front() != "--help") text += scdoc_option(option);
  }
  return text + "# OPTIONS\n\n" + scdoc_groups(command, false) + scdoc_groups(command, true);
}

}  // namespace rigplan
