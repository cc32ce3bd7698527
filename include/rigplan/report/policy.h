// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rigplan/report/result.h"

namespace rigplan {

/// A rule that cannot be read, or that asks for what the answer does not have.
struct RuleError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Which rows a rule is asked of.
enum class RuleScope {
  first,  ///< the first row; of a baseline the first row too
  any,    ///< matches when one row does; of a baseline the row of the same name
  all,    ///< matches when every row does
};
enum class RuleSign { less, at_most, greater, at_least, equal, unequal };

/// A change against the baseline, as a share of the old value: "+10%" is 0.1.
struct RelativeChange {
  double share = 0;
};

/// One condition on an answer:
///   [any:|all:] FIELD SIGN VALUE      decode_tokens_per_s.likely<20, any: fits==no, price_yuan.likely>+10%
///   [any:|all:] warning:CODE          warning:W_PSU_MARGIN
/// FIELD is a path into a row, or into the answer around the rows; where rows have a kind it may come first
/// (decode.median_abs_error). SIGN is < <= > >= == !=. VALUE is a number, yes, no, unknown, a text, or a signed percentage of
/// change against the baseline.
struct Rule {
  std::string text;  ///< as it was written
  RuleScope scope = RuleScope::first;
  std::string field;    ///< empty for a warning
  std::string warning;  ///< code
  RuleSign sign = RuleSign::less;
  std::variant<double, RelativeChange, JsonValue> value = 0.0;  ///< JsonValue: a boolean, a text or null
};

/// @param scope where the text does not say. @throws RuleError
Rule parse_rule(std::string_view text, RuleScope scope = RuleScope::first);

/// One row for which a rule holds, said in one sentence.
struct RuleMatch {
  std::string row;      ///< empty: the answer around the rows
  std::string message;  ///< "decode_tokens_per_s.likely is 17.2, below 20"
};

/// The rows that match; none when the rule as a whole does not. A value that is unknown matches every bound, because a gate that
/// cannot be checked is not passed; so does an answer without rows, except under `any`.
/// @param baseline an earlier answer, for changes; nullptr: none.
/// @throws RuleError for a field that no row has (with the nearest one), for a number compared with a text, and for a change
/// without a baseline.
std::vector<RuleMatch> matches_of(const Rule& rule, const Result& result, const Result* baseline = nullptr);

}  // namespace rigplan
