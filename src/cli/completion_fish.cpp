// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/completion.h"

namespace rigplan {
namespace {

constexpr std::string_view fish_head = R"sh(# Completion of rigplan for fish. Made by: rigplan completion fish
function __rigplan_ids
    for family in $argv
        rigplan catalog list $family --ids 2>/dev/null
    end
end

# Whether the words so far lead to this command.
function __rigplan_at
    set -l at rigplan
    for word in (commandline -opc)[2..-1]
        if contains -- "$at $word" $__rigplan_commands
            set at "$at $word"
        end
    end
    test "$at" = "$argv"
end

complete -c rigplan -f
)sh";

std::string fish_values(const OptionEntry& option) {
  switch (option.kind) {
    case ValueKind::choice:
      return fmt::format(" -x -a {}", shell_quoted(fmt::format("{}", fmt::join(option.choices, " "))));
    case ValueKind::entry:
      return fmt::format(" -r -a '(__rigplan_ids {})'", fmt::join(completed_families(option.family), " "));
    case ValueKind::file:
      return " -r -F";
    case ValueKind::text:
      return " -x";
    case ValueKind::none:
      return "";
  }
  return "";
}

std::string fish_lines(const CommandEntry& command) {
  const auto head = fmt::format("complete -c rigplan -n '__rigplan_at {}'", command.path);
  std::string text;
  for (const auto& option : command.options) {
    text += head;
    for (const auto& name : option.names) text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    text += fmt::format("{} -d {}\n", fish_values(option), shell_quoted(option.help));
  }
  for (const auto& sub : command.subcommands)
    text += fmt::format("{} -a {} -d {}\n", head, sub.path.substr(command.path.size() + 1), shell_quoted(sub.summary));
  if (command.subcommands.empty() && !command.arguments.empty()) {
    const auto values = fish_values(command.arguments.front());
    if (!values.empty() && values != " -x") text += head + (values == " -r -F" ? " -F" : values) + "\n";
  }
  return text;
}

}  // namespace

std::string fish_completion(const CommandEntry& tree) {
  std::string text{fish_head};
  text += "set -g __rigplan_commands";
  for (const auto* command : all_commands(tree))
    if (command != &tree) text += " " + shell_quoted(command->path);
  text += "\n";
  for (const auto* command : all_commands(tree)) text += fish_lines(*command);
  return text;
}

}  // namespace rigplan
