// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rigplan/json/cursor.h"

namespace rigplan {

/// The names of one field, in order of preference: a braced list or an array. Holds no copies; for arguments only.
class HfKeys {
 public:
  HfKeys(std::initializer_list<std::string_view> keys) : first_{keys.begin()}, count_{keys.size()} {}
  template <std::size_t N>
  HfKeys(const std::string_view (&keys)[N]) : first_{keys}, count_{N} {}

  HfKeys(const char* key) : own_{key}, first_{&own_}, count_{1} {}
  explicit HfKeys(std::string_view key) : own_{key}, first_{&own_}, count_{1} {}

  const std::string_view* begin() const { return first_; }
  const std::string_view* end() const { return first_ + count_; }

 private:
  std::string_view own_;
  const std::string_view* first_;
  std::size_t count_;
};

/// Reads fields that go by several names; null counts as missing. Other members of the object are left alone.
class HfFields {
 public:
  explicit HfFields(Cursor at) : at_{at} {}

  const Cursor& at() const { return at_; }
  /// The first of `keys` that is there.
  std::optional<Cursor> find(HfKeys keys) const;

  /// A whole number of at least `least`; a fraction, a text or a smaller one is an error.
  std::optional<int> whole(HfKeys keys, long long least = 1) const;
  /// @throws DataError that names the keys when none is there.
  int needed(HfKeys keys) const;
  bool flag(std::string_view key, bool otherwise) const;
  std::string text(std::string_view key) const;  ///< "" when missing
  double number(std::string_view key, double otherwise) const;

  /// One value a layer: a scalar for all, or an array whose length must be the number of layers.
  std::optional<std::vector<int>> per_layer(HfKeys keys, int layers, long long least) const;

 private:
  Cursor at_;
};

/// "key" or "key_a, key_b": for messages.
std::string listed(HfKeys keys);

}  // namespace rigplan
