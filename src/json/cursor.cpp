// SPDX-License-Identifier: Apache-2.0
#include "rigplan/json/cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rigplan {
namespace {

/// The value as it stands in the file, shortened for a message.
std::string shown(const JsonValue& value) {
  if (value.members() || value.elements()) return std::string{value.kind()};
  auto text = to_json_text(value, 0);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

}  // namespace

void Cursor::fail(const std::string& message) const { throw DataError{place(), message}; }

const std::string& Cursor::text() const {
  const auto* text = value_->text();
  if (!text) fail(fmt::format("is {}; expected a string", shown(*value_)));
  if (text->empty()) fail("is empty; expected a string");
  return *text;
}

bool Cursor::boolean() const {
  const auto* boolean = value_->boolean();
  if (!boolean) fail(fmt::format("is {}; expected true or false", shown(*value_)));
  return *boolean;
}

double Cursor::number() const {
  if (const auto* integer = value_->integer()) return static_cast<double>(*integer);
  const auto* real = value_->real();
  if (!real || !std::isfinite(*real)) fail(fmt::format("is {}; expected a number", shown(*value_)));
  return *real;
}

double Cursor::number_within(double least, double greatest) const {
  const double value = number();
  if (value < least || value > greatest)
    fail(fmt::format("is {}; expected a number from {} to {}", shown(*value_), least, greatest));
  return value;
}

long long Cursor::integer(long long least, long long greatest) const {
  const auto* integer = value_->integer();
  if (const auto* real = value_->real(); real && *real == std::floor(*real))  // whole, but written as 1e9 or too large
    fail(fmt::format("is {}; expected a whole number from {} to {}, written without point or exponent", shown(*value_), least,
                     greatest));
  if (!integer) fail(fmt::format("is {}; expected a whole number", shown(*value_)));
  if (*integer < least || *integer > greatest)
    fail(fmt::format("is {}; expected a whole number from {} to {}", *integer, least, greatest));
  return *integer;
}

std::vector<Cursor> Cursor::elements() const {
  const auto* elements = value_->elements();
  if (!elements) fail(fmt::format("is {}; expected an array", shown(*value_)));
  std::vector<Cursor> cursors;
  cursors.reserve(elements->size());
  for (const auto& element : *elements) cursors.emplace_back(*file_, element);
  return cursors;
}

std::vector<std::string> Cursor::texts() const {
  std::vector<std::string> all;
  for (const auto& element : elements()) all.push_back(element.text());
  return all;
}

std::vector<std::pair<std::string, Cursor>> Cursor::members() const {
  const auto* members = value_->members();
  if (!members) fail(fmt::format("is {}; expected an object", shown(*value_)));
  std::vector<std::pair<std::string, Cursor>> cursors;
  for (const auto& [key, member] : *members) cursors.emplace_back(key, Cursor{*file_, member});
  return cursors;
}

template <class Q>
Q Cursor::quantity() const {
  const auto* text = value_->text();
  const auto bare = text ? std::string{} : shown(*value_);
  auto result = parse_quantity<Q>(text ? std::string_view{*text} : std::string_view{bare});
  if (const auto* error = std::get_if<UnitError>(&result)) fail(error->message);
  return std::get<Q>(result);
}

template Bytes Cursor::quantity() const;
template Bandwidth Cursor::quantity() const;
template FlopRate Cursor::quantity() const;
template Seconds Cursor::quantity() const;
template Watts Cursor::quantity() const;
template Joules Cursor::quantity() const;
template Yuan Cursor::quantity() const;
template YuanPerJoule Cursor::quantity() const;
template YuanPerSecond Cursor::quantity() const;
template TokenRate Cursor::quantity() const;
template Tokens Cursor::quantity() const;

std::size_t Cursor::one_of(std::span<const std::string_view> names) const {
  const auto& found = text();
  const auto at = std::find(names.begin(), names.end(), found);
  if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  fail(fmt::format("is \"{}\"; expected one of {}", found, fmt::join(names, ", ")));
}

ObjectReader::ObjectReader(Cursor at) : at_{at} {
  if (!at.is_object()) at.fail(fmt::format("is {}; expected an object", shown(at.value())));
  const auto count = at.value().members()->size();
  known_.reserve(count + 8);
  seen_.resize(count);
}

Cursor ObjectReader::required(std::string_view key) {
  const auto found = optional(key);
  if (found) return *found;
  at_.fail(fmt::format("has no \"{}\"", key));
}

std::optional<Cursor> ObjectReader::optional(std::string_view key) {
  known_.push_back(key);
  const auto& members = *at_.value().members();
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto at = next_ + i < members.size() ? next_ + i : next_ + i - members.size();
    const auto& [name, member] = members[at];
    if (name != key) continue;
    next_ = at + 1;
    seen_[at] = true;
    if (member.is_null()) return std::nullopt;
    return at_.child(member);
  }
  return std::nullopt;
}

void ObjectReader::finish() const {
  const auto unseen = std::find(seen_.begin(), seen_.end(), false);
  if (unseen == seen_.end()) return;
  const auto& [key, member] = (*at_.value().members())[static_cast<std::size_t>(unseen - seen_.begin())];
  const std::vector<std::string> names(known_.begin(), known_.end());
  at_.child(member).fail(fmt::format("has the unknown key \"{}\"{}", key, did_you_mean(key, names)));
}

}  // namespace rigplan
