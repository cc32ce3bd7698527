// SPDX-License-Identifier: Apache-2.0
#include "import/hf_fields.h"

#include <fmt/format.h>

namespace rigplan {
namespace {
constexpr long long most = 1'000'000'000;
}

std::string listed(HfKeys keys) {
  std::string all;
  for (const auto key : keys) all += (all.empty() ? "\"" : ", \"") + std::string{key} + "\"";
  return all;
}

std::optional<Cursor> HfFields::find(HfKeys keys) const {
  for (const auto key : keys) {
    const auto* value = at_.value().find(key);
    if (value && !value->is_null()) return at_.child(*value);
  }
  return std::nullopt;
}

std::optional<int> HfFields::whole(HfKeys keys, long long least) const {
  const auto found = find(keys);
  if (!found) return std::nullopt;
  return static_cast<int>(found->integer(least, most));
}

int HfFields::needed(HfKeys keys) const {
  const auto value = whole(keys);
  if (!value) at_.fail(fmt::format("has none of {}", listed(keys)));
  return *value;
}

bool HfFields::flag(std::string_view key, bool otherwise) const {
  const auto found = find(HfKeys{key});
  return found ? found->boolean() : otherwise;
}

std::string HfFields::text(std::string_view key) const {
  const auto found = find(HfKeys{key});
  return found && found->is_text() ? found->text() : "";
}

double HfFields::number(std::string_view key, double otherwise) const {
  const auto found = find(HfKeys{key});
  return found ? found->number() : otherwise;
}

std::optional<std::vector<int>> HfFields::per_layer(HfKeys keys, int layers, long long least) const {
  const auto found = find(keys);
  if (!found) return std::nullopt;
  const auto count = static_cast<std::size_t>(layers);
  if (!found->is_array()) return std::vector<int>(count, static_cast<int>(found->integer(least, most)));
  const auto elements = found->elements();
  if (elements.size() != count) {
    found->fail(fmt::format("has {} values; expected one for each of the {} layers", elements.size(), layers));
  }
  std::vector<int> values;
  // A layer without a value (null) has none of it.
  for (const auto& element : elements) values.push_back(element.is_null() ? 0 : static_cast<int>(element.integer(0, most)));
  return values;
}

}  // namespace rigplan
