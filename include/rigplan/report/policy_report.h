// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rigplan/report/policy.h"

namespace rigplan {

enum class RuleSeverity { fail, warn };

/// A rule and what a match of it means.
struct PolicyRule {
  Rule rule;
  RuleSeverity severity = RuleSeverity::fail;
  std::string why;  ///< the reader's reason, shown with a match; empty: none
};

/// A match of one rule.
struct PolicyBreach {
  RuleSeverity severity = RuleSeverity::fail;
  std::string rule, row, message, why;
};

/// What a policy says of an answer.
struct PolicyReport {
  std::string subject;  ///< what was checked, such as a file
  int rules = 0;
  std::vector<PolicyBreach> breaches;  ///< in the order of the rules, then of the rows
  bool failed() const;
};

/// @throws RuleError
PolicyReport check_policy(std::string subject, std::span<const PolicyRule> rules, const Result& result, const Result* baseline);

/// "fails price_yuan.likely>+10%: 2 × ...: price_yuan.likely is ..."
std::string to_text(const PolicyBreach& breach);
std::string policy_to_text(const PolicyReport& report);
/// {"schema": "rigplan/check/1", "query": {...}, "failed": true, "rows": [...]}
JsonValue policy_to_json(const PolicyReport& report);
/// One annotation line a breach, as a workflow of GitHub reads them: "::error title=...::...".
std::string policy_to_annotations(const PolicyReport& report);

}  // namespace rigplan
