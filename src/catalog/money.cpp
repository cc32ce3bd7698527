// SPDX-License-Identifier: Apache-2.0
#include "catalog/money.h"

#include <fmt/format.h>

namespace rigplan {
namespace {

/// "USD" of "120 USD"; empty when the text does not end in three capital letters.
std::string_view currency_code(std::string_view text) {
  if (text.size() < 4) return {};
  const auto code = text.substr(text.size() - 3);
  for (const char c : code)
    if (c < 'A' || c > 'Z') return {};
  return code;
}

Money checked(Cursor at, std::string_view text) {
  const auto result = parse_money(text);
  if (const auto* error = std::get_if<UnitError>(&result)) at.fail(error->message);
  const auto& money = std::get<Money>(result);
  if (!(money.amount > 0)) at.fail(fmt::format("is \"{}\"; expected a price above zero", at.text()));
  return money;
}

}  // namespace

std::variant<Money, UnitError> parse_money(std::string_view text) {
  const auto code = currency_code(text);
  // Yuan, in each of its spellings, have a unit of their own.
  if (code.empty() || code == "CNY" || code == "RMB") {
    const auto yuan_amount = parse_quantity<Yuan>(text);
    if (const auto* error = std::get_if<UnitError>(&yuan_amount)) return *error;
    return Money{std::get<Yuan>(yuan_amount).in(yuan), "CNY"};
  }
  const auto amount = parse_quantity<Yuan>(fmt::format("{} yuan", text.substr(0, text.size() - 3)));
  if (std::holds_alternative<UnitError>(amount))
    return UnitError{fmt::format("\"{}\" is not an amount of money such as \"120 {}\"", text, code)};
  return Money{std::get<Yuan>(amount).in(yuan), std::string{code}};
}

Money read_money(Cursor at) { return checked(at, at.text()); }

Money read_money_per_hour(Cursor at) {
  const std::string_view text = at.text();
  if (!text.ends_with("/h")) at.fail(fmt::format("is \"{}\"; expected a price for an hour such as \"0.69 USD/h\"", text));
  return checked(at, text.substr(0, text.size() - 2));
}

}  // namespace rigplan
