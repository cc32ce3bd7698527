// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/fail_on.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigplan/json/data_error.h"
#include "rigplan/units/parse.h"

namespace rigplan {
namespace {

const std::vector<std::string> figures{"median_abs_error", "p90_abs_error", "bias", "range_80_coverage", "skipped_share"};

std::optional<double> figure_of(const ErrorSummary& s, const std::string& figure) {
  if (figure == "median_abs_error") return s.median_abs_error;
  if (figure == "p90_abs_error") return s.p90_abs_error;
  if (figure == "bias") return s.bias ? std::optional{std::abs(*s.bias)} : std::nullopt;
  if (figure == "range_80_coverage") return s.range_80_coverage;
  return static_cast<double>(s.rows - s.predicted) / std::max(s.rows, 1);
}

}  // namespace

std::variant<FailOn, std::string> parse_fail_on(std::string_view text) {
  const auto sign = text.find_first_of("<>");
  if (sign == text.npos) return fmt::format("\"{}\" has no < or >; expected a bound such as decode.median_abs_error>0.1", text);
  FailOn condition;
  condition.above = text[sign] == '>';
  auto name = text.substr(0, sign);
  if (const auto dot = name.find('.'); dot != name.npos) {
    condition.kind = name.substr(0, dot);
    name.remove_prefix(dot + 1);
  }
  condition.figure = name;
  if (std::ranges::find(figures, condition.figure) == figures.end())
    return fmt::format("\"{}\" has the unknown figure \"{}\"{}; expected one of {}", text, name, did_you_mean(name, figures),
                       fmt::join(figures, ", "));
  const auto bound = parse_number(text.substr(sign + 1));
  if (const auto* error = std::get_if<UnitError>(&bound)) return fmt::format("\"{}\": {}", text, error->message);
  condition.bound = std::get<double>(bound);
  return condition;
}

std::vector<std::string> violations(const FailOn& condition, std::span<const ErrorSummary> summary) {
  std::vector<std::string> messages;
  for (const auto& s : summary) {
    if (!condition.kind.empty() && s.kind != condition.kind) continue;
    const auto name = fmt::format("{} {}{}{}", s.kind, s.metric, s.group.empty() ? "" : " of ", s.group);
    const auto value = figure_of(s, condition.figure);
    if (!value)
      messages.push_back(fmt::format("{}: no row was predicted, so there is no {}", name, condition.figure));
    else if (condition.above ? *value > condition.bound : *value < condition.bound)
      messages.push_back(fmt::format("{}: {} is {:.3f}, {} {}", name, condition.figure, *value,
                                     condition.above ? "above" : "below", condition.bound));
  }
  return messages;
}

}  // namespace rigplan
