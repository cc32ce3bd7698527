// SPDX-License-Identifier: Apache-2.0
#include "cli/help_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/wrap_text.h"
#include "rigplan/units/message.h"
#include "text/tr.h"

namespace rigplan {
namespace {

/// Groups that many commands have, the first to be shortened first.
constexpr std::string_view shared_groups[] = {msg("Everywhere"), msg("Rules"), msg("Schedule"), msg("Limits"), msg("Job")};
constexpr int widest_usage = 28;

/// What CLI11 says itself.
[[maybe_unused]] constexpr const char* texts_of_the_parser[] = {
    msg("Options"),
    msg("Print this help message and exit"),
    msg("{}: {} required {} missing"),
    msg("{} is required"),
    msg("{}: {} not in {}"),
    msg("{} excludes {}"),
    msg("{}: Value {} not in range {} to {}"),
    msg("{} requires {}"),
};

std::vector<std::string> groups_of(const CommandEntry& command) {
  std::vector<std::string> groups;
  for (const auto& option : command.options)
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) groups.push_back(option.group);
  // What is understood everywhere is defined first and of least interest.
  const auto everywhere = std::find(groups.begin(), groups.end(), "Everywhere");
  if (everywhere != groups.end()) std::rotate(everywhere, everywhere + 1, groups.end());
  return groups;
}

std::string left_column(const OptionEntry& option) { return fmt::format("  {:<{}}", option_usage(option), widest_usage); }

std::string option_line(const OptionEntry& option) {
  const auto left = left_column(option);
  const int room = help_width - static_cast<int>(left.size()) - 1;
  return room > 20 ? left + " " + cut_text(tr(option.help), room) + "\n" : left + "\n";
}

std::string names_only(const CommandEntry& command, const std::string& group) {
  std::string names;
  for (const auto& option : command.options)
    if (option.group == group) names += (names.empty() ? "" : " ") + option.names.front();
  return fmt::format("{}:\n  {}\n", tr(group), wrap_text(names, help_width, 2));
}

std::string whole_group(const CommandEntry& command, const std::string& group) {
  auto text = tr(group) + ":\n";
  for (const auto& option : command.options)
    if (option.group == group) text += option_line(option);
  return text;
}

std::string page(const CommandEntry& command, std::size_t shortened) {
  auto text = trf("{}\nUsage: {}\n", command.summary, usage_line(command));
  for (const auto& argument : command.arguments) text += option_line(argument);
  for (const auto& sub : command.subcommands)
    text += fmt::format("  {:<{}} {}\n", sub.path.substr(command.path.size() + 1), widest_usage,
                        cut_text(tr(sub.summary), help_width - widest_usage - 3));
  const auto* last_shortened = shared_groups + shortened;
  for (const auto& group : groups_of(command))
    text += std::find(shared_groups, last_shortened, group) != last_shortened ? names_only(command, group)
                                                                              : whole_group(command, group);
  if (!command.example.empty()) text += trf("Example:\n  {}\n", command.example);
  return text + trf("{} --help-all: all of every option; man {}\n", command.path,
                    command.path.substr(0, command.path.find(' ', 8)).replace(7, 1, "-"));
}

}  // namespace

std::string option_usage(const OptionEntry& option) {
  const bool argument = option.names.front().front() != '-';
  if (argument) return option.value.empty() ? option.names.front() : option.value;
  std::string text;
  for (auto name = option.names.rbegin(); name != option.names.rend(); ++name) text += (text.empty() ? "" : ", ") + *name;
  return option.value.empty() ? text : text + " " + option.value;
}

std::string usage_line(const CommandEntry& command) {
  std::string text = command.path;
  if (!command.subcommands.empty()) text += " COMMAND";
  for (const auto& argument : command.arguments)
    text += argument.required ? fmt::format(" {}", option_usage(argument)) : fmt::format(" [{}]", option_usage(argument));
  for (const auto& option : command.options)
    if (option.required) text += " " + option.names.front() + " " + option.value;
  return text + " [OPTIONS]";
}

std::string option_limits(const OptionEntry& option) {
  std::vector<std::string> parts;
  if (!option.choices.empty() && option.value.find('|') == std::string::npos)
    parts.push_back(trf("one of {}", fmt::join(option.choices, ", ")));
  if (!option.range.empty()) parts.push_back(tr(option.range));
  if (!option.standard.empty()) parts.push_back(trf("{} unless given", option.standard));
  if (option.required) parts.push_back(tr("required"));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string short_help(const CommandEntry& command) {
  for (std::size_t shortened = 1;; ++shortened) {
    auto text = page(command, shortened);
    if (std::count(text.begin(), text.end(), '\n') <= help_lines || shortened == std::size(shared_groups)) return text;
  }
}

std::string full_help(const CommandEntry& command) {
  auto text = trf("{}\nUsage: {}\n", command.summary, usage_line(command));
  const auto add = [&](const OptionEntry& option) {
    const auto limits = option_limits(option);
    text += fmt::format("  {}\n      {}\n", option_usage(option),
                        wrap_text(tr(option.help) + (limits.empty() ? "" : " [" + limits + "]"), help_width, 6));
  };
  for (const auto& argument : command.arguments) add(argument);
  for (const auto& group : groups_of(command)) {
    text += "\n" + tr(group) + ":\n";
    for (const auto& option : command.options)
      if (option.group == group) add(option);
  }
  for (const auto& sub : command.subcommands) text += fmt::format("\n{} {}", sub.path, "\n") + "  " + full_help(sub);
  if (!command.example.empty()) text += "\n" + trf("Example:\n  {}\n", command.example);
  return text;
}

}  // namespace rigplan
