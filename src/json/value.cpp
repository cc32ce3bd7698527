// SPDX-License-Identifier: Apache-2.0
#include "rigplan/json/value.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "rigplan/units/message.h"

namespace rigplan {

const JsonValue* JsonValue::find(std::string_view key) const {
  const auto* all = members();
  if (!all) return nullptr;
  const auto at = std::find_if(all->begin(), all->end(), [&](const Member& member) { return member.key == key; });
  return at == all->end() ? nullptr : &at->value;
}

JsonValue* JsonValue::find(std::string_view key) { return const_cast<JsonValue*>(std::as_const(*this).find(key)); }

JsonValue& JsonValue::set(std::string_view key, JsonValue value) {
  if (auto* old = find(key))
    *old = std::move(value);
  else
    members()->push_back({std::string{key}, std::move(value)});
  return *this;
}

JsonValue& JsonValue::push(JsonValue value) {
  elements()->push_back(std::move(value));
  return *this;
}

std::string_view JsonValue::kind() const {
  static constexpr std::string_view names[] = {"null",     "a boolean",     "a number",      "a number",
                                               "a string", msg("an array"), msg("an object")};
  return names[data_.index()];
}

// Case by case: clang 14 crashes on the comparison of a variant that holds itself.
bool JsonValue::operator==(const JsonValue& other) const {
  if (data_.index() != other.data_.index()) return false;
  if (const auto* value = boolean()) return *value == *other.boolean();
  if (const auto* value = integer()) return *value == *other.integer();
  if (const auto* value = real()) return *value == *other.real();
  if (const auto* value = text()) return *value == *other.text();
  if (const auto* value = elements()) return *value == *other.elements();
  if (const auto* value = members()) return *value == *other.members();
  return true;
}

namespace {

nlohmann::ordered_json to_nlohmann(const JsonValue& value) {
  if (const auto* boolean = value.boolean()) return *boolean;
  if (const auto* integer = value.integer()) return *integer;
  if (const auto* real = value.real()) return *real;
  if (const auto* text = value.text()) return *text;
  if (const auto* elements = value.elements()) {
    auto array = nlohmann::ordered_json::array();
    for (const auto& element : *elements) array.push_back(to_nlohmann(element));
    return array;
  }
  if (const auto* members = value.members()) {
    auto object = nlohmann::ordered_json::object();
    for (const auto& [key, member] : *members) object.push_back({key, to_nlohmann(member)});
    return object;
  }
  return nullptr;
}

}  // namespace

std::string to_json_text(const JsonValue& value, int indent) {
  return to_nlohmann(value).dump(indent > 0 ? indent : -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace rigplan
