// SPDX-License-Identifier: Apache-2.0
// What the page calls: texts in, texts out, all JSON.
#include <memory>
#include <stdexcept>

#include "rigplan/json/json_file.h"
#include "wasm/what_if.h"

namespace rigplan {
namespace {

std::unique_ptr<RankingUnderChange> ranking;
std::string said;

const char* say(const JsonValue& value) {
  said = to_json_text(value, 0);
  return said.c_str();
}
std::optional<double> number_of(const JsonValue& object, std::string_view key) {
  const auto* value = object.find(key);
  if (!value) return std::nullopt;
  if (const auto* integer = value->integer()) return static_cast<double>(*integer);
  return value->real() ? std::optional{*value->real()} : std::nullopt;
}
std::optional<int> count_of_member(const JsonValue& object, std::string_view key) {
  const auto number = number_of(object, key);
  return number ? std::optional{static_cast<int>(*number)} : std::nullopt;
}

}  // namespace
}  // namespace rigplan

using namespace rigplan;

/// Takes a ranking; {"cards": [...]}, or {"error": ...} when it cannot be computed again.
extern "C" const char* what_if_open(const char* text) try {
  ranking.reset();
  ranking = std::make_unique<RankingUnderChange>(JsonFile::parse("ranking", text).root());
  return say(JsonValue::object().set("cards", ranking->cards()));
} catch (const std::exception& error) {
  return say(JsonValue::object().set("error", error.what()));
}

/// {"context_tokens", "users", "tariff_yuan_per_kwh", "hours_per_day", "most_cards", "gpu", "price_yuan"}, each may be left out.
extern "C" const char* what_if_rank(const char* text) try {
  if (!ranking) throw std::runtime_error{"no ranking was taken"};
  const auto file = JsonFile::parse("change", text);
  const auto& asked = file.root();
  WhatIf change;
  change.context_tokens = number_of(asked, "context_tokens");
  change.tariff_yuan_per_kwh = number_of(asked, "tariff_yuan_per_kwh");
  change.hours_per_day = number_of(asked, "hours_per_day");
  change.users = count_of_member(asked, "users");
  change.most_cards = count_of_member(asked, "most_cards");
  if (const auto* gpu = asked.find("gpu"); gpu && gpu->text()) change.priced_gpu = *gpu->text();
  change.price_yuan = number_of(asked, "price_yuan").value_or(0);
  return say(ranking->rows(change));
} catch (const std::exception& error) {
  return say(JsonValue::object().set("error", error.what()));
}
