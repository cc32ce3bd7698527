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

/// What nlohmann_json makes of one value without members: it knows how doubles and odd characters are written.
std::string scalar_text(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

/// Writes values one behind the other, so that no second tree is made of them.
class JsonWriter {
 public:
  explicit JsonWriter(int indent) : indent_{indent} {}

  void value(const JsonValue& value) {
    if (const auto* text = value.text())
      string(*text);
    else if (const auto* integer = value.integer())
      text_ += std::to_string(*integer);
    else if (const auto* real = value.real())
      text_ += scalar_text(*real);
    else if (const auto* boolean = value.boolean())
      text_ += *boolean ? "true" : "false";
    else if (const auto* elements = value.elements())
      list('[', ']', *elements, [&](const JsonValue& element) { this->value(element); });
    else if (const auto* members = value.members())
      list('{', '}', *members, [&](const JsonValue::Member& member) {
        string(member.key);
        text_ += indent_ > 0 ? ": " : ":";
        this->value(member.value);
      });
    else
      text_ += "null";
  }

  std::string text() && { return std::move(text_); }

 private:
  void string(std::string_view text) {
    if (!is_plain(text)) {
      text_ += scalar_text(text);
      return;
    }
    text_ += '"';
    text_ += text;
    text_ += '"';
  }

  template <class List, class Write>
  void list(char open, char close, const List& all, Write write) {
    text_ += open;
    ++depth_;
    for (const auto& one : all) {
      if (&one != &all.front()) text_ += ',';
      line();
      write(one);
    }
    --depth_;
    if (!all.empty()) line();
    text_ += close;
  }

  void line() {
    if (indent_ > 0) text_.append(1, '\n').append(static_cast<std::size_t>(indent_ * depth_), ' ');
  }

  int indent_, depth_ = 0;
  std::string text_;
};

}  // namespace

std::string to_json_text(const JsonValue& value, int indent) {
  JsonWriter writer{indent};
  writer.value(value);
  return std::move(writer).text();
}

}  // namespace rigplan
