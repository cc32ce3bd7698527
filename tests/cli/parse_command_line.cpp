// SPDX-License-Identifier: Apache-2.0
#include "cli/parse_command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <catch2/catch.hpp>
#include <regex>
#include <set>

#include "cli/command_tree.h"
#include "cli/global_options.h"
#include "cli/help_text.h"

using namespace rigplan;

static std::string refusal(std::vector<std::string> words) {
  try {
    parse_command_line(std::move(words));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST_CASE("a misspelt command suggests the nearest one") {
  CHECK(refusal({"versoin"}) == "no command \"versoin\"; did you mean \"version\"?; rigplan --help lists them");
}
TEST_CASE("a misspelt option suggests the nearest one") {
  CHECK(refusal({"version", "--catlog", "x"}) ==
        "unknown option \"--catlog\"; did you mean \"--catalog\"?; try rigplan version --help");
}
TEST_CASE("a misspelt option that must be there is told as misspelt, not as missing") {
  CHECK(refusal({"estimate", "rig.json", "--modl", "x"}) ==
        "unknown option \"--modl\"; did you mean \"--model\"?; try rigplan estimate --help");
  CHECK(refusal({"estimate", "rig.json"}) == "--model is required; try rigplan estimate --help");
}
TEST_CASE("options that every command understands are read into values") {
  const auto asked = parse_command_line({"version", "--catalog", "a.json", "--catalog", "b", "--set", "gpus.x.price=900 yuan"});
  const auto& options = std::get<Invocation>(asked).options;
  CHECK(options.catalog_paths == std::vector<std::string>{"a.json", "b"});
  CHECK(options.overrides == std::vector<std::string>{"gpus.x.price=900 yuan"});
}
TEST_CASE("every command has help with an example") {
  for (const auto& command : commands()) {
    const auto asked = parse_command_line({std::string{command.name}, "--help"});
    INFO(command.name);
    REQUIRE(std::holds_alternative<HelpText>(asked));
    CHECK(std::get<HelpText>(asked).text.find(command.example) != std::string::npos);
    CHECK(command.example.starts_with("rigplan " + std::string{command.name}));
  }
}
TEST_CASE("the tree behind help, manual and completion has every option that CLI11 knows, and no other") {
  for (const auto& command : commands()) {
    CLI::App app{std::string{command.summary}, std::string{command.name}};
    GlobalOptions options;
    add_global_options(app, options);
    app.set_help_all_flag("--help-all");
    const auto run = command.define(app);
    const auto page = app.help("", CLI::AppFormatMode::All);  // CLI11's own account
    const auto entry = command_entry(app, "rigplan " + std::string{command.name}, command.example);
    std::set<std::string> ours, theirs;
    for (const auto* each : all_commands(entry))
      for (const auto& option : each->options) ours.insert(option.names.begin(), option.names.end());
    const std::regex option{"^ +(-[A-Za-z])?,?(--[a-z0-9-]+)?", std::regex::multiline};
    for (std::sregex_iterator at{page.begin(), page.end(), option}, end; at != end; ++at)
      for (int group : {1, 2})
        if ((*at)[static_cast<std::size_t>(group)].length() > 0) theirs.insert((*at)[static_cast<std::size_t>(group)].str());
    INFO(command.name);
    CHECK(ours == theirs);
  }
}
TEST_CASE("help tells of an option what its definition says") {
  const auto* rank = all_commands(command_tree())[1];
  REQUIRE(rank->path == "rigplan rank");
  const auto find = [&](const std::string& name) {
    for (const auto& option : rank->options)
      if (option.names.front() == name) return option;
    return OptionEntry{};
  };
  CHECK(find("--model").required);
  CHECK(find("--model").family == "models");
  CHECK(find("--gpu").family == "gpus");
  CHECK(find("--method").choices == std::vector<std::string>{"lora", "qlora", "full"});
  CHECK(find("--users").range == "1 to 4096");
  CHECK(find("--users").standard == "1");
  CHECK(find("--policy").kind == ValueKind::file);
  CHECK(find("--all").kind == ValueKind::none);
  CHECK(usage_line(*rank) == "rigplan rank --model TEXT [OPTIONS]");
}
TEST_CASE("help fits a screen") {
  for (const auto* command : all_commands(command_tree())) {
    const auto text = short_help(*command);
    INFO(text);
    CHECK(std::count(text.begin(), text.end(), '\n') <= help_lines);
  }
}
