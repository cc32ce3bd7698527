// SPDX-License-Identifier: Apache-2.0
#include "rigplan/json/data_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace rigplan {
namespace {

std::string describe(const Place& place, const std::string& message) {
  std::string text = place.file;
  if (place.line > 0) text += fmt::format(":{}", place.line);
  if (!place.pointer.empty()) text += ": " + place.pointer;
  return text.empty() ? message : text + ": " + message;
}

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// Levenshtein distance, blind to case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
    }
  }
  return row.back();
}

}  // namespace

DataError::DataError(Place place, std::string message)
    : std::runtime_error{describe(place, message)}, place_{std::move(place)}, message_{std::move(message)} {}

std::string_view nearest_name(std::string_view wanted, std::span<const std::string> names) {
  std::string_view nearest;
  std::size_t least = std::max<std::size_t>(2, wanted.size() / 3) + 1;
  for (const auto& name : names) {
    const auto distance = edit_distance(wanted, name);
    if (distance < least && distance < std::max(wanted.size(), name.size())) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

std::string did_you_mean(std::string_view wanted, std::span<const std::string> names) {
  const auto name = nearest_name(wanted, names);
  return name.empty() ? "" : fmt::format("; did you mean \"{}\"?", name);
}

}  // namespace rigplan
