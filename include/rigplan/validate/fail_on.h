// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rigplan/validate/errors.h"

namespace rigplan {

/// A bound on a summary figure: "decode.median_abs_error>0.1", or "median_abs_error>0.1" for every kind.
struct FailOn {
  std::string kind;    ///< empty: every kind
  std::string figure;  ///< median_abs_error, p90_abs_error, bias (its size), range_80_coverage, skipped_share
  bool above = true;   ///< fails when the figure is above the bound; else when it is below
  double bound = 0;
};

/// Or what is wrong with the text.
std::variant<FailOn, std::string> parse_fail_on(std::string_view text);

/// One sentence for each summary line that breaks the bound. A line without predictions breaks every bound on errors.
std::vector<std::string> violations(const FailOn& condition, std::span<const ErrorSummary> summary);

}  // namespace rigplan
