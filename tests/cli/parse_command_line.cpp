// SPDX-License-Identifier: Apache-2.0
#include "cli/parse_command_line.h"

#include <catch2/catch.hpp>

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
