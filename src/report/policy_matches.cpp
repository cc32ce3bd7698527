// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "rigplan/json/data_error.h"
#include "rigplan/report/policy.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

/// What a path leads to: nothing where it ends at a key that is not there; null where something on its way is unknown. A range
/// stands for its likely value.
const JsonValue* value_at(const JsonValue& from, std::string_view path) {
  const auto* at = &from;
  while (at && !path.empty()) {
    if (at->is_null()) return at;
    const auto dot = path.find('.');
    at = at->find(path.substr(0, dot));
    path = dot == path.npos ? std::string_view{} : path.substr(dot + 1);
  }
  const auto* likely = at ? at->find("likely") : nullptr;
  return likely ? likely : at;
}

/// In a row that has a kind, a path may begin with it.
const JsonValue* value_in_row(const JsonValue& row, std::string_view path) {
  if (const auto* value = value_at(row, path)) return value;
  const auto* kind = row.find("kind");
  const auto dot = path.find('.');
  if (!kind || !kind->text() || dot == path.npos || path.substr(0, dot) != *kind->text()) return nullptr;
  return value_at(row, path.substr(dot + 1));
}

std::string value_text(const JsonValue& value) {
  if (value.is_null()) return "unknown";
  if (const auto* text = value.text()) return *text;
  if (const auto* yes = value.boolean()) return *yes ? "yes" : "no";
  if (const auto* integer = value.integer()) return fmt::format("{}", *integer);
  if (const auto* real = value.real()) return fmt::format("{:.6g}", *real);
  return std::string{value.kind()};
}

std::optional<double> number_in(const JsonValue& value) {
  if (const auto* integer = value.integer()) return static_cast<double>(*integer);
  if (const auto* real = value.real()) return *real;
  return std::nullopt;
}

bool holds(RuleSign sign, double value, double bound) {
  switch (sign) {
    case RuleSign::less:
      return value < bound;
    case RuleSign::at_most:
      return value <= bound;
    case RuleSign::greater:
      return value > bound;
    case RuleSign::at_least:
      return value >= bound;
    case RuleSign::equal:
      return value == bound;
    case RuleSign::unequal:
      return value != bound;
  }
  return false;
}

std::string_view sign_words(RuleSign sign) {
  switch (sign) {
    case RuleSign::less:
      return msg("below");
    case RuleSign::at_most:
      return msg("not above");
    case RuleSign::greater:
      return msg("above");
    case RuleSign::at_least:
      return msg("not below");
    case RuleSign::equal:
      return msg("equal to");
    case RuleSign::unequal:
      return msg("other than");
  }
  return "";
}

double change_of(double before, double now) {
  if (now == before) return 0;
  if (before == 0) return std::copysign(std::numeric_limits<double>::infinity(), now);
  return (now - before) / std::abs(before);
}

/// Why the value at the rule's field matches, or nothing.
std::optional<std::string> match_of(const Rule& rule, const JsonValue& value, const JsonValue* before) {
  if (const auto* wanted = std::get_if<JsonValue>(&rule.value)) {
    const auto is_text = wanted->text() && value.text();
    if (!wanted->is_null() && !value.is_null() && wanted->kind() != value.kind())
      throw RuleError{fmt::format("\"{}\": {} is {}, which {} does not compare with", rule.text, rule.field, value.kind(),
                                  value_text(*wanted))};
    const bool same = is_text ? *wanted->text() == *value.text() : *wanted == value;
    if (same != (rule.sign == RuleSign::equal)) return std::nullopt;
    return fmt::format("{} is {}", rule.field, value_text(value));
  }
  if (value.is_null()) return fmt::format("{} is unknown", rule.field);
  const auto now = number_in(value);
  if (!now) throw RuleError{fmt::format("\"{}\": {} is {}, not a number", rule.text, rule.field, value.kind())};
  if (const auto* bound = std::get_if<double>(&rule.value)) {
    if (!holds(rule.sign, *now, *bound)) return std::nullopt;
    return fmt::format("{} is {}, {} {:.6g}", rule.field, value_text(value), sign_words(rule.sign), *bound);
  }
  if (!before) return std::nullopt;  // a row that the baseline does not have has not changed
  const auto old = number_in(*before);
  if (!old) return fmt::format("{} is {} and was unknown", rule.field, value_text(value));
  const auto change = change_of(*old, *now);
  if (!holds(rule.sign, change, std::get<RelativeChange>(rule.value).share)) return std::nullopt;
  return fmt::format("{} is {} and was {} ({:+.3g} %), {} {:+g} %", rule.field, value_text(value), value_text(*before),
                     100 * change, sign_words(rule.sign), 100 * std::get<RelativeChange>(rule.value).share);
}

bool warns_of(const JsonValue& object, const std::string& code) {
  const auto* warnings = object.find("warnings");
  if (!warnings || !warnings->elements()) return false;
  return std::any_of(warnings->elements()->begin(), warnings->elements()->end(),
                     [&](const JsonValue& one) { return one.text() && *one.text() == code; });
}

/// The field that was meant: one that ends in what was written, or the nearest name.
[[noreturn]] void unknown_field(const Rule& rule, const Result& result) {
  std::set<std::string> unique;
  for (const auto& row : result.rows)
    for (auto& [path, value] : flat_fields(*row.fields)) unique.insert(std::move(path));
  for (auto& [path, value] : facts_around(result)) unique.insert(std::move(path));
  const std::vector<std::string> fields{unique.begin(), unique.end()};
  const auto longer =
      std::find_if(fields.begin(), fields.end(), [&](const std::string& f) { return f.ends_with("." + rule.field); });
  throw RuleError{
      fmt::format("\"{}\": no field \"{}\" in the answer{}", rule.text, rule.field,
                  longer != fields.end() ? fmt::format("; did you mean \"{}\"?", *longer) : did_you_mean(rule.field, fields))};
}

/// Asks a rule about the answer around the rows; nothing when the field or the warnings are not there.
std::optional<std::vector<RuleMatch>> matches_around(const Rule& rule, const Result& result, const Result* baseline) {
  if (!rule.warning.empty()) {
    if (!result.root->find("warnings")) return std::nullopt;
    if (!warns_of(*result.root, rule.warning)) return std::vector<RuleMatch>{};
    return std::vector<RuleMatch>{{"", fmt::format("{} is warned of", rule.warning)}};
  }
  const auto* value = value_at(*result.root, rule.field);
  if (!value || value->members() || value->elements()) return std::nullopt;
  const auto why = match_of(rule, *value, baseline ? value_at(*baseline->root, rule.field) : nullptr);
  return why ? std::vector<RuleMatch>{{"", *why}} : std::vector<RuleMatch>{};
}

const ResultRow* earlier(const Rule& rule, const ResultRow& row, const Result* baseline) {
  if (!baseline) return nullptr;
  if (rule.scope != RuleScope::first) return baseline->find(row.id);
  return baseline->rows.empty() ? nullptr : &baseline->rows.front();
}

}  // namespace

std::vector<RuleMatch> matches_of(const Rule& rule, const Result& result, const Result* baseline) {
  if (std::holds_alternative<RelativeChange>(rule.value) && !baseline)
    throw RuleError{fmt::format("\"{}\" asks for a change; it needs --baseline FILE", rule.text)};
  const bool known = !rule.warning.empty() || std::any_of(result.rows.begin(), result.rows.end(), [&](const ResultRow& row) {
    return value_in_row(*row.fields, rule.field) != nullptr;
  });
  if (!known || (!rule.warning.empty() && result.root->find("warnings"))) {
    if (auto around = matches_around(rule, result, baseline)) return *around;
    if (!result.rows.empty()) unknown_field(rule, result);
  }
  if (result.rows.empty()) {
    if (rule.scope == RuleScope::any) return {};
    return {{"", fmt::format("there is no row of which {} could be asked", rule.text)}};
  }
  std::vector<RuleMatch> matches;
  std::size_t asked = 0;
  const std::size_t most = rule.scope == RuleScope::first ? 1 : result.rows.size();
  for (const auto& row : result.rows) {
    if (asked == most) break;
    if (!rule.warning.empty()) {
      ++asked;
      if (warns_of(*row.fields, rule.warning)) matches.push_back({row.id, fmt::format("{} is warned of", rule.warning)});
      continue;
    }
    const auto* value = value_in_row(*row.fields, rule.field);
    if (!value) continue;  // of another kind
    ++asked;
    const auto* before = earlier(rule, row, baseline);
    const auto why = match_of(rule, *value, before ? value_in_row(*before->fields, rule.field) : nullptr);
    if (why) matches.push_back({row.id, *why});
  }
  if (rule.scope == RuleScope::all && matches.size() < asked) matches.clear();
  return matches;
}

}  // namespace rigplan
