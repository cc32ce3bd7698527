// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rigplan {

/// What an option is set to outside the command line, and where: "RIGPLAN_TARIFF" or "rigplan.json:7".
struct Setting {
  std::vector<std::string> values;
  std::string origin;
};

/// Options set by the environment (RIGPLAN_HOURS_PER_DAY for --hours-per-day) and, below it, by a configuration file:
///   {"schema": "rigplan/config/1", "options": {"tariff": "0.6 yuan/kWh", "catalog": ["prices.json"], "quiet": true}}
/// RIGPLAN_CATALOG is left out: the session reads it, as a list with colons.
class Settings {
 public:
  /// @param config a file; empty: RIGPLAN_CONFIG, else rigplan.json in the working folder where there is one
  /// @param options those of the command, without dashes
  /// @param all_options gives those of every command; asked for where there is a file
  /// @throws DataError for a file that cannot be read or sets what no command has
  static Settings in_force(const std::string& config, std::span<const std::string> options,
                           const std::function<std::vector<std::string>()>& all_options);

  /// nullptr where nothing sets it.
  const Setting* find(std::string_view option) const;

 private:
  void read_config(const std::string& path, std::span<const std::string> known);

  std::map<std::string, Setting, std::less<>> settings_;
};

/// "hours-per-day" -> "RIGPLAN_HOURS_PER_DAY".
std::string environment_name(std::string_view option);

}  // namespace rigplan
