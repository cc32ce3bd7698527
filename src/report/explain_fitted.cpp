// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "report/explain_terms.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

/// What a calibration says of its fit, for translators; and words that stand before "of".
[[maybe_unused]] constexpr const char* rows_of_fit[] = {msg("fit to {} of {} rows"), msg("shape"), msg("{} reported rates")};

/// Odds v stand for the share v / (1 + v); times are shown in the unit that suits them.
std::string constant_text(double value, std::string_view unit) {
  if (unit == "odds") return format_number(value / (1 + value));
  if (unit == "s") return to_text(value * second);
  if (unit == "us") return to_text(value * us);
  return unit.empty() ? format_number(value) : fmt::format("{} {}", format_number(value), unit);
}

}  // namespace

Term fitted_term(const Calibration& calibration, std::string_view name, std::span<const std::string> levels) {
  const auto at = calibration.terms.find(name);
  Term term;
  term.name = name;
  term.kind = msg("fitted");
  term.file = fmt::format("data/calibration/{}.json", calibration.family);
  if (!calibration.fitted_from.empty()) term.sources.push_back({fmt::format("fit to {}", calibration.fitted_from), ""});
  if (at == calibration.terms.end()) {
    term.value = msg("unknown");
    return term;
  }
  const auto& constant = at->second;
  term.value = constant_text(constant.value(levels), constant.unit);
  term.formula = fmt::format("exp({:.4g}", constant.log_mean);
  for (const auto& level : levels)
    if (const auto offset = constant.offsets.find(level); offset != constant.offsets.end())
      term.formula += fmt::format(" {} {:.4g} {}", offset->second < 0 ? "-" : "+", std::abs(offset->second), level);
  term.formula += constant.unit == "odds" ? "), " + std::string{msg("odds of the share")} : std::string{")"};
  return term;
}

Term unstated_build_term(const ResidualSpread& reported) {
  Term term;
  term.name = msg("reported over predicted, build not stated");
  term.value = fmt::format("{:.2f}–{:.2f}", std::exp(reported.low), std::exp(reported.high));
  term.formula =
      msg("holds 80 % of what people report without the engine's build, backend and flags; state --engine-date for the narrower "
          "range of rows that do");
  term.kind = msg("fitted");
  term.file = "data/calibration/speed.json";
  term.sources.push_back({fmt::format("{} reported rates", reported.rows), ""});
  return term;
}

}  // namespace rigplan
