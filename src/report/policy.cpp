// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/policy.h"

#include <fmt/format.h>

#include <array>

#include "rigplan/units/parse.h"

namespace rigplan {
namespace {

struct SignName {
  std::string_view text;
  RuleSign sign;
};
constexpr SignName sign_names[] = {{"<=", RuleSign::at_most}, {">=", RuleSign::at_least}, {"==", RuleSign::equal},
                                   {"!=", RuleSign::unequal}, {"<", RuleSign::less},      {">", RuleSign::greater}};
constexpr std::string_view rule_example = "decode_tokens_per_s.likely<20";

std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text = without_spaces(text.substr(prefix.size()));
  return true;
}

/// "+10%": the sign tells a change from a value.
RelativeChange read_change(std::string_view value, std::string_view rule) {
  const auto number = parse_number(value.substr(0, value.size() - 1));
  if (std::holds_alternative<UnitError>(number)) throw RuleError{fmt::format("\"{}\": \"{}\" is not a percentage", rule, value)};
  if (value.front() != '+' && value.front() != '-')
    throw RuleError{fmt::format("\"{}\": a change against the baseline has a sign, such as +{} or -{}", rule, value, value)};
  return {std::get<double>(number) / 100};
}

std::variant<double, RelativeChange, JsonValue> read_value(std::string_view value, std::string_view rule) {
  if (value.empty()) throw RuleError{fmt::format("\"{}\" compares with nothing; expected a rule such as {}", rule, rule_example)};
  if (value.back() == '%') return read_change(value, rule);
  const auto number = parse_number(value);
  if (const auto* bound = std::get_if<double>(&number)) return *bound;
  if (value == "yes" || value == "true") return JsonValue{true};
  if (value == "no" || value == "false") return JsonValue{false};
  if (value == "unknown" || value == "null") return JsonValue{};
  if (value.size() > 1 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front())
    value = value.substr(1, value.size() - 2);
  return JsonValue{value};
}

}  // namespace

Rule parse_rule(std::string_view text, RuleScope scope) {
  Rule rule;
  rule.text = text;
  rule.scope = scope;
  auto rest = without_spaces(text);
  if (take_prefix(rest, "any:"))
    rule.scope = RuleScope::any;
  else if (take_prefix(rest, "all:"))
    rule.scope = RuleScope::all;
  else if (take_prefix(rest, "first:"))
    rule.scope = RuleScope::first;
  if (take_prefix(rest, "warning:")) {
    if (rest.empty()) throw RuleError{fmt::format("\"{}\" names no warning; expected one such as warning:W_PSU_MARGIN", text)};
    rule.warning = rest;
    return rule;
  }
  const auto at = rest.find_first_of("<>=!");
  const auto* sign = at == rest.npos ? nullptr : [&]() -> const SignName* {
    for (const auto& name : sign_names)
      if (rest.substr(at).starts_with(name.text)) return &name;
    return nullptr;
  }();
  if (!sign || at == 0)
    throw RuleError{
        fmt::format("\"{}\" is not of the form FIELD SIGN VALUE with a sign of < <= > >= == !=, such as {}", text, rule_example)};
  rule.field = without_spaces(rest.substr(0, at));
  rule.sign = sign->sign;
  rule.value = read_value(without_spaces(rest.substr(at + sign->text.size())), text);
  const bool ordered = rule.sign != RuleSign::equal && rule.sign != RuleSign::unequal;
  if (ordered && std::holds_alternative<JsonValue>(rule.value))
    throw RuleError{fmt::format("\"{}\": < and > compare numbers; use == or !=", text)};
  return rule;
}

}  // namespace rigplan
