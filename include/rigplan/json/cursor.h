// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rigplan/json/json_file.h"
#include "rigplan/units/parse.h"

namespace rigplan {

/// One value of a JSON file, on its way to becoming a value of the program. Cheap to copy; the file must outlive it.
/// Every reading function throws DataError with the value's file, line and pointer.
class Cursor {
 public:
  Cursor(const JsonFile& file, const JsonValue& value) : file_{&file}, value_{&value} {}
  explicit Cursor(const JsonFile& file) : Cursor{file, file.root()} {}

  bool is_null() const { return value_->is_null(); }
  bool is_object() const { return value_->members() != nullptr; }
  bool is_array() const { return value_->elements() != nullptr; }
  bool is_text() const { return value_->text() != nullptr; }
  const JsonValue& value() const { return *value_; }

  const std::string& text() const;  ///< a string that is not empty
  bool boolean() const;
  double number() const;  ///< a bare number; use it only for what has no dimension
  double number_within(double least, double greatest) const;
  long long integer(long long least, long long greatest) const;
  std::vector<Cursor> elements() const;                         ///< of an array
  std::vector<std::string> texts() const;                       ///< of an array of strings
  std::vector<std::pair<std::string, Cursor>> members() const;  ///< of an object whose keys are names, in file order

  /// A string such as "16 GiB"; a bare number is an error (except for Tokens).
  template <class Q>
  Q quantity() const;

  /// The index of the string in `names`, else an error that lists or suggests a name.
  std::size_t one_of(std::span<const std::string_view> names) const;

  /// A value below this one, which must belong to the same file.
  Cursor child(const JsonValue& value) const { return {*file_, value}; }

  Place place() const { return file_->place_of(*value_); }
  [[noreturn]] void fail(const std::string& message) const;

 private:
  const JsonFile* file_;
  const JsonValue* value_;
};

/// Reads the members of an object. Ask for each key that may be there, then call finish(): a key that nobody asked for is an
/// error, with the nearest key that exists.
class ObjectReader {
 public:
  explicit ObjectReader(Cursor at);

  /// `key` must outlive the reader, here and below.
  /// @throws DataError when the key is missing or null.
  Cursor required(std::string_view key);
  /// Nothing when the key is missing or null: null means unknown.
  std::optional<Cursor> optional(std::string_view key);
  void finish() const;

  const Cursor& at() const { return at_; }

 private:
  Cursor at_;
  std::vector<std::string_view> known_;  ///< all keys that were asked for
  std::vector<bool> seen_;               ///< for each member, whether it was
  std::size_t next_ = 0;                 ///< where the next key stands if they are asked for in the order of the file
};

}  // namespace rigplan
