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

  JsonValue();  ///< null
  JsonValue(std::nullptr_t);
  JsonValue(bool value);
  JsonValue(int value);
  JsonValue(std::int64_t value);
  JsonValue(std::size_t value);
  JsonValue(double value);
  JsonValue(std::string value);
  JsonValue(std::string_view value);
  JsonValue(const char* value);
  JsonValue(Array value);
  JsonValue(Object value);
  JsonValue(const JsonValue&);
  JsonValue(JsonValue&&) noexcept;
  JsonValue& operator=(const JsonValue&);
  JsonValue& operator=(JsonValue&&) noexcept;
  ~JsonValue();

  static JsonValue object();
  static JsonValue array();

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

// An object holds members, which hold values: all that makes or ends a value stands where both types are complete.
inline JsonValue::JsonValue() = default;
inline JsonValue::JsonValue(std::nullptr_t) {}
inline JsonValue::JsonValue(bool value) : data_{value} {}
inline JsonValue::JsonValue(int value) : data_{std::int64_t{value}} {}
inline JsonValue::JsonValue(std::int64_t value) : data_{value} {}
inline JsonValue::JsonValue(std::size_t value) : data_{static_cast<std::int64_t>(value)} {}
inline JsonValue::JsonValue(double value) : data_{value} {}
inline JsonValue::JsonValue(std::string value) : data_{std::move(value)} {}
inline JsonValue::JsonValue(std::string_view value) : data_{std::string{value}} {}
inline JsonValue::JsonValue(const char* value) : data_{std::string{value}} {}
inline JsonValue::JsonValue(Array value) : data_{std::move(value)} {}
inline JsonValue::JsonValue(Object value) : data_{std::move(value)} {}
inline JsonValue::JsonValue(const JsonValue&) = default;
inline JsonValue::JsonValue(JsonValue&&) noexcept = default;
inline JsonValue& JsonValue::operator=(const JsonValue&) = default;
inline JsonValue& JsonValue::operator=(JsonValue&&) noexcept = default;
inline JsonValue::~JsonValue() = default;
inline JsonValue JsonValue::object() { return JsonValue{Object{}}; }
inline JsonValue JsonValue::array() { return JsonValue{Array{}}; }

/// JSON text: `indent` spaces a level (0: one line). Numbers are written so that reading gives the same double; a double that
/// is not finite is written as null.
std::string to_json_text(const JsonValue& value, int indent = 2);

}  // namespace rigplan
