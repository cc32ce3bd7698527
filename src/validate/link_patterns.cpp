// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rigplan/validate/collective_row.h"

namespace rigplan {
namespace {

/// "link+host" -> the texts to look at, joined. The host stands in the note.
std::string text_at(const std::vector<std::string>& places, const Measurement& row) {
  std::string text;
  for (const auto& place : places) {
    if (!text.empty()) text += " | ";
    if (place == "link") text += row.link + (row.node_link.empty() ? "" : " / " + row.node_link);
    if (place == "host" || place == "note") text += row.note;
    if (place == "engine") text += row.engine;
    if (place == "operation") text += row.collective;
  }
  return text;
}

/// `$1` and `$2` in a setting's value become the first and second group that took part in the match.
std::string fill_in(std::string value, const std::smatch& match) {
  std::vector<std::string> groups;
  for (std::size_t i = 1; i < match.size(); ++i) {
    if (match[i].matched) groups.push_back(match[i].str());
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const auto mark = fmt::format("${}", i + 1);
    if (const auto at = value.find(mark); at != std::string::npos)
      value.replace(at, mark.size(), i < groups.size() ? groups[i] : "");
  }
  return value;
}

std::vector<std::string> split_places(Cursor at) {
  static constexpr std::array<std::string_view, 5> known{"link", "host", "note", "engine", "operation"};
  std::vector<std::string> places;
  const std::string& text = at.text();
  for (std::size_t from = 0; from <= text.size();) {
    const auto plus = std::min(text.find('+', from), text.size());
    places.push_back(text.substr(from, plus - from));
    if (std::find(known.begin(), known.end(), places.back()) == known.end()) {
      at.fail(fmt::format("\"{}\" is no part of a row; expected link, host, note, engine or operation", places.back()));
    }
    from = plus + 1;
  }
  return places;
}

}  // namespace

LinkPatterns::LinkPatterns(Cursor at) {
  ObjectReader file{at};
  if (const auto schema = file.required("schema"); schema.text() != "rigplan/link-patterns/1")
    schema.fail("expected \"rigplan/link-patterns/1\"");
  for (const auto& element : file.required("patterns").elements()) {
    ObjectReader object{element};
    Pattern pattern;
    pattern.places = split_places(object.required("in"));
    const auto expression = object.required("pattern");
    try {
      pattern.expression = std::regex{expression.text(), std::regex::ECMAScript | std::regex::icase | std::regex::optimize};
    } catch (const std::regex_error& error) {
      expression.fail(fmt::format("no regular expression: {}", error.what()));
    }
    for (const auto& [key, value] : object.required("set").members()) pattern.settings.emplace_back(key, value.text());
    object.required("why");
    object.finish();
    patterns_.push_back(std::move(pattern));
  }
  file.finish();
}

std::map<std::string, std::string, std::less<>> LinkPatterns::read(const Measurement& row) const {
  std::map<std::string, std::string, std::less<>> settings;
  for (const auto& pattern : patterns_) {
    std::smatch match;
    const auto text = text_at(pattern.places, row);
    if (!std::regex_search(text, match, pattern.expression)) continue;
    for (const auto& [key, value] : pattern.settings) settings[key] = fill_in(value, match);
  }
  return settings;
}

}  // namespace rigplan
