// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/completion.h"

namespace rigplan {
namespace {

constexpr std::string_view bash_head = R"sh(# Completion of rigplan for bash. Made by: rigplan completion bash
_rigplan_ids() {
  local family
  for family in "$@"; do "${COMP_WORDS[0]}" catalog list "$family" --ids 2>/dev/null; done
}

_rigplan() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} at=rigplan word
  COMPREPLY=()
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
)sh";

constexpr std::string_view bash_tail = R"sh(  esac
}
complete -o filenames -F _rigplan rigplan
)sh";

std::string bash_values(const OptionEntry& option) {
  switch (option.kind) {
    case ValueKind::choice:
      return fmt::format("COMPREPLY=($(compgen -W {} -- \"$current\"))",
                         shell_quoted(fmt::format("{}", fmt::join(option.choices, " "))));
    case ValueKind::entry:
      return fmt::format("COMPREPLY=($(compgen -W \"$(_rigplan_ids {})\" -f -- \"$current\"))",
                         fmt::join(completed_families(option.family), " "));
    case ValueKind::file:
      return "COMPREPLY=($(compgen -f -- \"$current\"))";
    case ValueKind::text:
    case ValueKind::none:
      return "";
  }
  return "";
}

std::string bash_case(const CommandEntry& command) {
  auto text = fmt::format("    {})\n      case $previous in\n", shell_quoted(command.path));
  std::string words;
  for (const auto& option : command.options) {
    for (const auto& name : option.names) words += (words.empty() ? "" : " ") + name;
    if (option.kind != ValueKind::none)
      text += fmt::format("        {}) {}{}return ;;\n", fmt::join(option.names, "|"), bash_values(option),
                          bash_values(option).empty() ? "" : "; ");
  }
  text += "      esac\n";
  std::string firsts;
  for (const auto& sub : command.subcommands) firsts += (firsts.empty() ? "" : " ") + sub.path.substr(command.path.size() + 1);
  text += fmt::format("      if [[ $current == -* ]]; then COMPREPLY=($(compgen -W {} -- \"$current\"))\n", shell_quoted(words));
  if (!firsts.empty()) text += fmt::format("      else COMPREPLY=($(compgen -W {} -- \"$current\"))\n", shell_quoted(firsts));
  if (firsts.empty() && !command.arguments.empty() && !bash_values(command.arguments.front()).empty())
    text += fmt::format("      else {}\n", bash_values(command.arguments.front()));
  return text + "      fi ;;\n";
}

}  // namespace

std::string bash_completion(const CommandEntry& tree) {
  return std::string{bash_head} + cases_of_commands(tree, bash_case) + std::string{bash_tail};
}

}  // namespace rigplan
