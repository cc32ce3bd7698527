// SPDX-License-Identifier: Apache-2.0
#include "rigplan/json/json_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "json/cbor_reader.h"
#include "json/line_finder.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

using Json = nlohmann::json;
constexpr std::size_t deepest = 64;

std::string escaped(std::string_view key) {
  std::string text;
  for (const char c : key) text += c == '~' ? "~0" : c == '/' ? "~1" : std::string{c};
  return text;
}

/// Builds a JsonValue while the text is read; stops at the first thing that is wrong and says what.
class Builder : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(JsonValue& root) : root_{root} {}

  std::string problem, problem_pointer;
  std::size_t problem_byte = 0;
  std::string stopped_at;  ///< pointer of the value that was being read when the text stopped being JSON
  bool key_twice = false;

  bool null() override { return put(JsonValue{}); }
  bool boolean(bool value) override { return put(JsonValue{value}); }
  bool number_integer(number_integer_t value) override { return put(JsonValue{static_cast<std::int64_t>(value)}); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max()))
      return put(JsonValue{static_cast<double>(value)});
    return put(JsonValue{static_cast<std::int64_t>(value)});
  }
  bool number_float(number_float_t value, const string_t&) override { return put(JsonValue{value}); }
  bool string(string_t& value) override { return put(JsonValue{std::move(value)}); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(JsonValue::object()); }
  bool start_array(std::size_t) override { return open(JsonValue::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    auto& object = *open_.back();
    if (object.find(name)) {
      problem = fmt::format("the key \"{}\" stands twice", name);
      problem_pointer = pointer() + "/" + escaped(name);
      key_twice = true;
      return false;
    }
    key_ = name;
    return true;
  }
  bool parse_error(std::size_t byte, const std::string&, const Json::exception& error) override {
    problem = error.what();
    if (const auto end = problem.rfind(": "); problem.find("syntax error") == std::string::npos && end != std::string::npos)
      problem = problem.substr(end + 2);
    else if (const auto start = problem.find("syntax error"); start != std::string::npos)
      problem = problem.substr(start);
    else if (const auto bracket = problem.find("] "); bracket != std::string::npos)
      problem = problem.substr(bracket + 2);
    problem_byte = byte;
    stopped_at = pointer();
    if (!open_.empty() && open_.back()->elements()) stopped_at += "/" + std::to_string(open_.back()->elements()->size());
    if (!open_.empty() && !key_.empty()) stopped_at += "/" + escaped(key_);
    return false;
  }

 private:
  JsonValue* place(JsonValue value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (auto* elements = open_.back()->elements()) {
      elements->push_back(std::move(value));
      return &elements->back();
    }
    auto& members = *open_.back()->members();
    members.push_back({std::exchange(key_, {}), std::move(value)});
    return &members.back().value;
  }
  bool put(JsonValue value) {
    place(std::move(value));
    return true;
  }
  bool open(JsonValue value) {
    if (open_.size() >= deepest) {
      problem = fmt::format("is nested deeper than {} levels", deepest);
      problem_pointer = pointer();
      return false;
    }
    open_.push_back(place(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }
  std::string pointer() const {
    std::string text;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
      if (const auto* elements = open_[i]->elements())
        text += "/" + std::to_string(elements->size() - 1);
      else
        text += "/" + escaped(open_[i]->members()->back().key);
    }
    return text;
  }

  JsonValue& root_;
  std::vector<JsonValue*> open_;  ///< stays valid: only the innermost open value grows
  std::string key_;
};

/// Appends the pointer of `wanted` below `value` to `pointer`; false when it is not there.
bool find_pointer(const JsonValue& value, const JsonValue& wanted, std::string& pointer) {
  if (&value == &wanted) return true;
  const auto length = pointer.size();
  if (const auto* elements = value.elements()) {
    for (std::size_t i = 0; i < elements->size(); ++i) {
      pointer += "/" + std::to_string(i);
      if (find_pointer((*elements)[i], wanted, pointer)) return true;
      pointer.resize(length);
    }
  } else if (const auto* members = value.members()) {
    for (const auto& [key, member] : *members) {
      pointer += "/" + escaped(key);
      if (find_pointer(member, wanted, pointer)) return true;
      pointer.resize(length);
    }
  }
  return false;
}

/// The usual mistakes in words of their own; `byte` is where reading stopped, from 1. Empty: none of them.
std::string usual_mistake(std::string_view text, std::size_t byte, bool allow_comments) {
  if (byte == 0 || byte > text.size()) return {};
  const auto stop = text.substr(byte - 1);
  const auto before = text.substr(0, byte - 1).find_last_not_of(" \t\r\n");
  if ((stop[0] == '}' || stop[0] == ']') && before != std::string_view::npos && text[before] == ',')
    return fmt::format("a comma stands before the closing {}; take it away", stop[0]);
  const auto word = text.substr(text.find_last_of(" \t\r\n:,[", byte - 1) + 1);
  if (!allow_comments && (word.starts_with("//") || word.starts_with("/*")))
    return msg("has a comment; this file has to be plain JSON");
  for (const std::string_view name : {"NaN", "nan", "Infinity", "-Infinity", "inf", "-inf"})
    if (word.starts_with(name)) return fmt::format("{} is not a number of JSON; write null for what is not known", name);
  return {};
}

int line_at(const std::string& text, std::size_t byte) {
  return 1 + static_cast<int>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size())), '\n'));
}

}  // namespace

std::string_view schema_of(std::string_view text) {
  const auto key = text.find("\"schema\"");
  if (key == std::string_view::npos) return {};
  const auto colon = text.find(':', key);
  const auto begin = text.find('"', colon);
  const auto end = text.find('"', begin + 1);
  if (colon == std::string_view::npos || begin == std::string_view::npos || end == std::string_view::npos) return {};
  return text.substr(begin + 1, end - begin - 1);
}

JsonFile JsonFile::parse(std::string name, std::string text, JsonComments comments) {
  JsonFile file;
  file.name_ = std::move(name);
  file.text_ = std::move(text);
  file.comments_ = comments;
  file.root_ = std::make_unique<JsonValue>();
  if (file.text_.starts_with("\xEF\xBB\xBF")) file.text_.erase(0, 3);
  Builder builder{*file.root_};
  const bool allow_comments = comments == JsonComments::allowed;
  if (Json::sax_parse(file.text_, &builder, Json::input_format_t::json, true, allow_comments)) return file;
  Place place{file.name_, 0, builder.problem_pointer};
  if (builder.key_twice) {
    const auto lines = lines_of_pointer(file.text_, builder.problem_pointer, allow_comments);
    if (!lines.empty()) place.line = lines.back();
    if (lines.size() > 1) builder.problem += fmt::format(", first on line {}", lines.front());
  } else if (!builder.problem_pointer.empty()) {
    const auto lines = lines_of_pointer(file.text_, builder.problem_pointer, allow_comments);
    if (!lines.empty()) place.line = lines.front();
  } else {
    place.line = line_at(file.text_, builder.problem_byte > 0 ? builder.problem_byte - 1 : 0);
    place.pointer = builder.stopped_at;
    if (auto known = usual_mistake(file.text_, builder.problem_byte, allow_comments); !known.empty())
      builder.problem = std::move(known);
  }
  if (builder.problem.find("ill-formed UTF-8") != std::string::npos)
    builder.problem = fmt::format("byte {} is not UTF-8; save the file as UTF-8", builder.problem_byte);
  if (builder.problem.empty()) builder.problem = msg("is not JSON");
  throw DataError{std::move(place), builder.problem};
}

JsonFile JsonFile::read(const EmbeddedFile& embedded) {
  JsonFile file;
  file.name_ = embedded.name;
  file.embedded_ = embedded.text;
  file.root_ = std::make_unique<JsonValue>(read_cbor(embedded.cbor));
  return file;
}

Place JsonFile::place_of(const JsonValue& value) const {
  std::string pointer;
  if (!find_pointer(*root_, value, pointer)) return {name_, 0, ""};
  return {name_, line_of(pointer), pointer};
}

int JsonFile::line_of(const std::string& pointer) const {
  const auto lines = lines_of_pointer(text(), pointer, comments_ == JsonComments::allowed);
  return lines.empty() ? 0 : lines.front();
}

}  // namespace rigplan
