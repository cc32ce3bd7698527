// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace rigplan {

/// What the words of a value are, as far as a shell can offer them.
enum class ValueKind {
  none,    ///< the option is a flag
  text,    ///< anything
  file,    ///< a file or folder
  choice,  ///< one of `choices`
  entry,   ///< an id of the catalog's family `family`; of any family where that is empty
};

/// An option or an argument of a command, as its definition says.
struct OptionEntry {
  std::vector<std::string> names;  ///< "--model", "-m"; of an argument its name alone: "RIG"
  std::string value;               ///< what stands for the value: "QUANTITY"; empty for a flag
  std::string range;               ///< "1 to 4096"; empty where any is taken
  std::string help;
  std::string group;
  std::string standard;  ///< the value without the option; empty where there is none to name
  bool required = false;
  ValueKind kind = ValueKind::none;
  std::vector<std::string> choices;
  std::string family;
};

/// A command with all that may follow it, read off the definition that parses the command line, so that help, manual and
/// completion cannot forget anything.
struct CommandEntry {
  std::string path;  ///< "rigplan catalog list"
  std::string summary;
  std::string example;  ///< empty below a command
  std::vector<OptionEntry> arguments, options;
  std::vector<CommandEntry> subcommands;
};

/// The entry of a defined command.
CommandEntry command_entry(const CLI::App& app, const std::string& path, std::string_view example);
/// The program: every command below it.
const CommandEntry& command_tree();
/// The tree's commands and those below them, the program first.
std::vector<const CommandEntry*> all_commands(const CommandEntry& tree);

}  // namespace rigplan
