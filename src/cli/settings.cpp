// SPDX-License-Identifier: Apache-2.0
#include "cli/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cli/session.h"
#include "rigplan/json/cursor.h"
#include "rigplan/json/data_error.h"

namespace rigplan {
namespace {

constexpr const char* usual_config = "rigplan.json";

std::string setting_text(Cursor at) {
  if (at.is_text()) return at.text();
  if (at.value().boolean() || at.value().integer() || at.value().real()) return to_json_text(at.value(), 0);
  at.fail("expected a text, a number, true or false, or an array of these");
}

}  // namespace

std::string environment_name(std::string_view option) {
  std::string name = "RIGPLAN_";
  for (const char c : option) name += c == '-' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return name;
}

void Settings::read_config(const std::string& path, std::span<const std::string> known) {
  const auto file = JsonFile::parse(path, read_file(path), JsonComments::allowed);
  ObjectReader reader{Cursor{file}};
  const auto schema = reader.required("schema");
  if (schema.text() != "rigplan/config/1") schema.fail(fmt::format("is \"{}\"; expected \"rigplan/config/1\"", schema.text()));
  for (const auto& [name, value] : reader.required("options").members()) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      value.fail(fmt::format("no command has an option --{}{}", name, did_you_mean(name, known)));
    Setting setting;
    if (value.is_array())
      for (const auto& element : value.elements()) setting.values.push_back(setting_text(element));
    else
      setting.values.push_back(setting_text(value));
    const auto place = value.place();
    setting.origin = fmt::format("{}:{}", place.file, place.line);
    settings_[name] = std::move(setting);
  }
  reader.finish();
}

Settings Settings::in_force(const std::string& config, std::span<const std::string> options,
                            const std::function<std::vector<std::string>()>& all_options) {
  Settings settings;
  const char* named = std::getenv("RIGPLAN_CONFIG");
  std::error_code failure;
  std::string path = !config.empty() ? config : named ? named : "";
  if (path.empty() && std::filesystem::is_regular_file(usual_config, failure)) path = usual_config;
  if (!path.empty()) settings.read_config(path, all_options());
  if (std::getenv("RIGPLAN_CATALOG")) settings.settings_.erase("catalog");
  for (const auto& option : options) {
    const auto name = environment_name(option);
    const char* value = option == "catalog" ? nullptr : std::getenv(name.c_str());
    if (value && *value) settings.settings_[option] = {{value}, name};
  }
  return settings;
}

const Setting* Settings::find(std::string_view option) const {
  const auto found = settings_.find(option);
  return found == settings_.end() ? nullptr : &found->second;
}

}  // namespace rigplan
