// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/policy_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "rigplan/report/json_values.h"
#include "rigplan/units/message.h"
#include "text/tr.h"

namespace rigplan {
namespace {

std::string_view severity_verb(RuleSeverity severity) { return severity == RuleSeverity::fail ? msg("fails") : msg("warns"); }

/// Workflow commands end at the line and divide at ":" and ",", so these are written by their codes.
std::string workflow_text(std::string_view text, bool property) {
  std::string escaped;
  for (const char c : text) {
    if (c == '%')
      escaped += "%25";
    else if (c == '\r')
      escaped += "%0D";
    else if (c == '\n')
      escaped += "%0A";
    else if (property && c == ':')
      escaped += "%3A";
    else if (property && c == ',')
      escaped += "%2C";
    else
      escaped += c;
  }
  return escaped;
}

}  // namespace

bool PolicyReport::failed() const {
  return std::any_of(breaches.begin(), breaches.end(), [](const auto& breach) { return breach.severity == RuleSeverity::fail; });
}

PolicyReport check_policy(std::string subject, std::span<const PolicyRule> rules, const Result& result, const Result* baseline) {
  PolicyReport report{std::move(subject), static_cast<int>(rules.size()), {}};
  for (const auto& rule : rules)
    for (auto& match : matches_of(rule.rule, result, baseline))
      report.breaches.push_back({rule.severity, rule.rule.text, std::move(match.row), std::move(match.message), rule.why});
  return report;
}

std::string to_text(const PolicyBreach& breach) {
  auto text = fmt::format("{} {}: ", tr(severity_verb(breach.severity)), breach.rule);
  if (!breach.row.empty()) text += tr(breach.row) + ": ";
  text += tr(breach.message);
  return breach.why.empty() ? text : fmt::format("{} ({})", text, breach.why);
}

std::string policy_to_text(const PolicyReport& report) {
  std::string text;
  for (const auto& breach : report.breaches) text += to_text(breach) + "\n";
  const auto fails = std::count_if(report.breaches.begin(), report.breaches.end(),
                                   [](const auto& breach) { return breach.severity == RuleSeverity::fail; });
  return text + trf("{}: rules: {}, failures: {}, warnings: {}.\n", report.subject, report.rules, fails,
                    static_cast<std::ptrdiff_t>(report.breaches.size()) - fails);
}

JsonValue policy_to_json(const PolicyReport& report) {
  auto rows = JsonValue::array();
  for (const auto& breach : report.breaches)
    rows.push(JsonValue::object()
                  .set("severity", breach.severity == RuleSeverity::fail ? "fail" : "warn")
                  .set("rule", breach.rule)
                  .set("row", text_or_null(breach.row))
                  .set("message", breach.message)
                  .set("why", text_or_null(breach.why)));
  auto json = JsonValue::object();
  json.set("schema", "rigplan/check/1")
      .set("query", JsonValue::object().set("subject", report.subject).set("rules", report.rules));
  return json.set("failed", report.failed()).set("rows", std::move(rows));
}

std::string policy_to_annotations(const PolicyReport& report) {
  std::string text;
  for (const auto& breach : report.breaches)
    text += fmt::format("::{} title={}::{}\n", breach.severity == RuleSeverity::fail ? "error" : "warning",
                        workflow_text(breach.rule, true),
                        workflow_text((breach.row.empty() ? "" : tr(breach.row) + ": ") + tr(breach.message), false));
  return text;
}

}  // namespace rigplan
