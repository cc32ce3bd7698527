// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/completion.h"

namespace rigplan {
namespace {

constexpr std::string_view zsh_head = R"sh(#compdef rigplan
# Completion of rigplan for zsh. Made by: rigplan completion zsh
_rigplan_ids() {
  local family
  local -a ids
  for family in "$@"; do ids+=(${(f)"$($words[1] catalog list $family --ids 2>/dev/null)"}); done
  compadd -- $ids
}

_rigplan() {
  local current=$words[CURRENT] previous=$words[CURRENT-1] at=rigplan word
  local -a offers
  for word in ${words[2,CURRENT-1]}; do
    case "$at $word" in
)sh";

constexpr std::string_view zsh_tail = R"sh(  esac
}
if [[ $funcstack[1] == _rigplan ]]; then _rigplan "$@"; else compdef _rigplan rigplan; fi
)sh";

std::string zsh_values(const OptionEntry& option) {
  switch (option.kind) {
    case ValueKind::choice:
      return fmt::format("compadd -- {}", fmt::join(option.choices, " "));
    case ValueKind::entry:
      return fmt::format("_rigplan_ids {}; _files", fmt::join(completed_families(option.family), " "));
    case ValueKind::file:
      return "_files";
    case ValueKind::text:
      return "_message " + shell_quoted(option.help);
    case ValueKind::none:
      return "";
  }
  return "";
}

/// "name:what it does", as _describe wants it.
std::string described(const std::string& name, const std::string& help) {
  std::string text;
  for (const char c : name) text += c == ':' ? "\\:" : std::string{c};
  return shell_quoted(text + ":" + help);
}

std::string zsh_case(const CommandEntry& command) {
  auto text = fmt::format("    {})\n      case $previous in\n", shell_quoted(command.path));
  std::string options;
  for (const auto& option : command.options) {
    for (const auto& name : option.names) options += "\n        " + described(name, option.help);
    if (option.kind != ValueKind::none)
      text += fmt::format("        {}) {}; return ;;\n", fmt::join(option.names, "|"), zsh_values(option));
  }
  text += "      esac\n";
  text += fmt::format("      if [[ $current == -* ]]; then\n        offers=({})\n        _describe option offers\n", options);
  if (!command.subcommands.empty()) {
    std::string subs;
    for (const auto& sub : command.subcommands)
      subs += "\n        " + described(sub.path.substr(command.path.size() + 1), sub.summary);
    text += fmt::format("      else\n        offers=({})\n        _describe command offers\n", subs);
  } else if (!command.arguments.empty()) {
    text += fmt::format("      else\n        {}\n", zsh_values(command.arguments.front()));
  }
  return text + "      fi ;;\n";
}

}  // namespace

std::string zsh_completion(const CommandEntry& tree) {
  return std::string{zsh_head} + cases_of_commands(tree, zsh_case) + std::string{zsh_tail};
}

}  // namespace rigplan
