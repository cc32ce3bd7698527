// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <string>

#include "rigplan/units/message.h"
#include "rigplan/units/parse.h"

// Building blocks for the options of commands.

namespace rigplan {

enum class OutputFormat { table, json };

/// --format table|json
inline CLI::Option* add_format(CLI::App& app, OutputFormat& format) {
  return app
      .add_option_function<std::string>(
          "--format",
          [&format](const std::string& text) {
            if (text == "table")
              format = OutputFormat::table;
            else if (text == "json")
              format = OutputFormat::json;
            else
              throw CLI::ValidationError{"--format", fmt::format("\"{}\" is not a format; expected table or json", text)};
          },
          msg("table for people, json for programs"))
      ->type_name("table|json");
}

/// An option whose value is a quantity with a unit, such as --budget "30000 yuan".
/// @param bare_unit what a number without unit means; unset: the unit is required.
template <class Q, class Target>
CLI::Option* add_quantity(CLI::App& app, const std::string& name, Target& target, const std::string& help,
                          std::optional<Q> bare_unit = std::nullopt) {
  return app
      .add_option_function<std::string>(
          name,
          [&target, name, bare_unit](const std::string& text) {
            if (bare_unit) {
              const auto number = parse_number(text);
              if (const auto* value = std::get_if<double>(&number)) {
                if (*value < 0) throw CLI::ValidationError{name, fmt::format("\"{}\" is negative", text)};
                target = *value * *bare_unit;
                return;
              }
            }
            const auto parsed = parse_quantity<Q>(text);
            if (const auto* error = std::get_if<UnitError>(&parsed)) throw CLI::ValidationError{name, error->message};
            target = std::get<Q>(parsed);
          },
          help)
      ->type_name("QUANTITY");
}

/// An option that counts tokens of data, in thousands, millions and billions: unlike a window, whose k is 1024.
inline CLI::Option* add_token_count(CLI::App& app, const std::string& name, Tokens& target, const std::string& help) {
  return app
      .add_option_function<std::string>(
          name,
          [&target, name](const std::string& text) {
            static const std::map<char, double> units = {{'k', 1e3}, {'K', 1e3}, {'M', 1e6}, {'B', 1e9}, {'G', 1e9}, {'T', 1e12}};
            const auto unit = text.empty() ? units.end() : units.find(text.back());
            const auto number = parse_number(unit == units.end() ? text : text.substr(0, text.size() - 1));
            const auto* value = std::get_if<double>(&number);
            if (!value || *value <= 0)
              throw CLI::ValidationError{name, "\"" + text + "\" is not a number of tokens such as 10M or 2.5B"};
            target = Tokens{*value * (unit == units.end() ? 1 : unit->second)};
          },
          help)
      ->type_name("NUMBER");
}

}  // namespace rigplan
