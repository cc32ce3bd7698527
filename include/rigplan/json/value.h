// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace rigplan {

/// A JSON value: what was read from a file or is about to be written. Objects keep the order of their members.
class JsonValue {
 public:
  struct Member;
  using Array = std::vector<JsonValue>;
  using Object = std::vector<Member>;

  JsonValue() = default;  ///< null
  JsonValue(std::nullptr_t) {}
  JsonValue(bool value) : data_{value} {}
  JsonValue(int value) : data_{std::int64_t{value}} {}
  JsonValue(std::int64_t value) : data_{value} {}
  JsonValue(std::size_t value) : data_{static_cast<std::int64_t>(value)} {}
  JsonValue(double value) : data_{value} {}
  JsonValue(std::string value) : data_{std::move(value)} {}
  JsonValue(std::string_view value) : data_{std::string{value}} {}
  JsonValue(const char* value) : data_{std::string{value}} {}
  JsonValue(Array value) : data_{std::move(value)} {}
  JsonValue(Object value);

  static JsonValue object() { return JsonValue{Object{}}; }
  static JsonValue array() { return JsonValue{Array{}}; }

  bool is_null() const { return std::holds_alternative<std::monostate>(data_); }
  const bool* boolean() const { return std::get_if<bool>(&data_); }
  const std::int64_t* integer() const { return std::get_if<std::int64_t>(&data_); }
  const double* real() const { return std::get_if<double>(&data_); }
  const std::string* text() const { return std::get_if<std::string>(&data_); }
  const Array* elements() const { return std::get_if<Array>(&data_); }
  const Object* members() const { return std::get_if<Object>(&data_); }
  Array* elements() { return std::get_if<Array>(&data_); }
  Object* members() { return std::get_if<Object>(&data_); }

  /// The member called `key`, or nullptr. Only for objects.
  const JsonValue* find(std::string_view key) const;
  JsonValue* find(std::string_view key);

  /// Writing: sets or replaces a member of an object; appends to an array. Return the value itself, for chains.
  JsonValue& set(std::string_view key, JsonValue value);
  JsonValue& push(JsonValue value);

  /// "null", "a boolean", "a number", "a string", "an array", "an object".
  std::string_view kind() const;

  bool operator==(const JsonValue&) const;

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> data_;
};

struct JsonValue::Member {
  std::string key;
  JsonValue value;
  bool operator==(const Member&) const = default;
};

/// JSON text: `indent` spaces a level (0: one line). Numbers are written so that reading gives the same double; a double that
/// is not finite is written as null.
std::string to_json_text(const JsonValue& value, int indent = 2);

}  // namespace rigplan
