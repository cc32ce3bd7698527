// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rigplan/json/value.h"
#include "rigplan/units/quantity.h"
#include "rigplan/units/range.h"

namespace rigplan {

/// {"low": .., "likely": .., "high": ..} in one unit.
template <class Q>
JsonValue range_json(const Range<Q>& range, Q unit) {
  return JsonValue::object().set("low", range.low.in(unit)).set("likely", range.likely.in(unit)).set("high", range.high.in(unit));
}
/// null where there is none.
template <class Q>
JsonValue range_json(const std::optional<Range<Q>>& range, Q unit) {
  return range ? range_json(*range, unit) : JsonValue{};
}
inline JsonValue texts_json(const std::vector<std::string>& texts) {
  auto json = JsonValue::array();
  for (const auto& text : texts) json.push(text);
  return json;
}
/// null for an empty text.
inline JsonValue text_or_null(const std::string& text) { return text.empty() ? JsonValue{} : JsonValue{text}; }

}  // namespace rigplan
