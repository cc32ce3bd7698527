// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/completion.h"
#include "rigplan/json/data_error.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

struct CompletionOptions {
  std::string shell;
  std::string command;
};

ExitCode run_completion(const CompletionOptions& options, const Session& session) {
  const auto& tree = command_tree();
  if (options.shell != "scdoc") {
    session.print(options.shell == "bash"  ? bash_completion(tree)
                  : options.shell == "zsh" ? zsh_completion(tree)
                                           : fish_completion(tree));
    return ExitCode::done;
  }
  std::vector<std::string> names;
  for (const auto& command : tree.subcommands) names.push_back(command.path.substr(tree.path.size() + 1));
  const auto at = std::find(names.begin(), names.end(), options.command);
  if (at == names.end())
    throw UsageError{fmt::format("completion scdoc: no command \"{}\"{}", options.command, did_you_mean(options.command, names))};
  session.print(scdoc_options(tree.subcommands[static_cast<std::size_t>(at - names.begin())]));
  return ExitCode::done;
}

Run define_completion(CLI::App& app) {
  const auto options = std::make_shared<CompletionOptions>();
  app.add_option(
         "SHELL", options->shell,
         "bash, zsh or fish: a script that completes commands, options and ids; scdoc: the manual's part on a command's options")
      ->required()
      ->type_name("bash|zsh|fish|scdoc")
      ->check(CLI::IsMember({"bash", "zsh", "fish", "scdoc"}));
  app.add_option("COMMAND", options->command, "With scdoc: the command")->type_name("COMMAND");
  return [options](const Session& session) { return run_completion(*options, session); };
}

}  // namespace

std::vector<std::string> completed_families(const std::string& family) {
  if (!family.empty()) return {family};
  return {"gpus", "boards", "models", "parts"};
}

std::string cases_of_commands(const CommandEntry& tree, const std::function<std::string(const CommandEntry&)>& case_of) {
  std::string paths, cases;
  for (const auto* command : all_commands(tree)) {
    if (command != &tree) paths += (paths.empty() ? "" : "|") + shell_quoted(command->path);
    cases += case_of(*command);
  }
  return fmt::format("      {}) at=\"$at $word\" ;;\n    esac\n  done\n  case $at in\n{}", paths, cases);
}

std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string{c};
  return quoted + "'";
}

const Command completion_command{"completion", msg("A script for your shell that completes commands, options and ids"),
                                 "rigplan completion bash", define_completion};

}  // namespace rigplan
