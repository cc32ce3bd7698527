// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "cli/command_tree.h"

namespace rigplan {

/// A completion script for a shell: commands, options and choices of the tree; ids are asked of `rigplan catalog list --ids`.
std::string bash_completion(const CommandEntry& tree);
std::string zsh_completion(const CommandEntry& tree);
std::string fish_completion(const CommandEntry& tree);
/// The frame of a command's page in the manual, in scdoc's language: name, synopsis, a line @DESCRIPTION@ where the page's own
/// text belongs, arguments and options.
std::string scdoc_options(const CommandEntry& command);

/// The catalog's families whose ids stand for an entry of `family`: itself, or for "" those that people buy and run.
std::vector<std::string> completed_families(const std::string& family);
/// For bash and zsh, whose scripts collect the words so far in `at`: the words that lead to a command, then a case for each.
std::string cases_of_commands(const CommandEntry& tree, const std::function<std::string(const CommandEntry&)>& case_of);
/// A text in single quotes, as sh, zsh and fish read it.
std::string shell_quoted(const std::string& text);

}  // namespace rigplan
