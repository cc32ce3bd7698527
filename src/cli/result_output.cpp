// SPDX-License-Identifier: Apache-2.0
#include "cli/result_output.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "rigplan/json/cursor.h"
#include "rigplan/json/data_error.h"
#include "rigplan/report/rows_format.h"
#include "rigplan/units/message.h"
#include "text/tr.h"

namespace rigplan {
namespace {

constexpr std::string_view result_format_names[] = {"table",  "json",         "csv",          "markdown",
                                                    "github", "bench-bigger", "bench-smaller"};

PolicyRule rule_from(const std::string& option, const std::string& text, RuleSeverity severity, RuleScope scope) {
  try {
    return {parse_rule(text, scope), severity, ""};
  } catch (const RuleError& error) {
    throw UsageError{fmt::format("{} {}", option, error.what())};
  }
}

PolicyRule read_policy_rule(Cursor at, RuleScope scope) {
  ObjectReader reader{at};
  const auto fail = reader.optional("fail_on"), warn = reader.optional("warn_on"), why = reader.optional("why");
  reader.finish();
  if (fail.has_value() == warn.has_value()) at.fail("expected either \"fail_on\" or \"warn_on\"");
  const auto text = fail ? *fail : *warn;
  try {
    return {parse_rule(text.text(), scope), fail ? RuleSeverity::fail : RuleSeverity::warn, why ? why->text() : ""};
  } catch (const RuleError& error) {
    text.fail(error.what());
  }
}

/// {"schema": "rigplan/policy/1", "rules": [{"fail_on": "decode_tokens_per_s<20", "why": "..."}]}
std::vector<PolicyRule> read_policy_file(const std::string& path, RuleScope scope) {
  const auto file = JsonFile::parse(path, read_file(path), JsonComments::allowed);
  ObjectReader reader{Cursor{file}};
  const auto schema = reader.required("schema");
  if (schema.text() != "rigplan/policy/1") schema.fail(fmt::format("is \"{}\"; expected \"rigplan/policy/1\"", schema.text()));
  std::vector<PolicyRule> rules;
  for (const auto& rule : reader.required("rules").elements()) rules.push_back(read_policy_rule(rule, scope));
  reader.finish();
  return rules;
}

void check_warning_codes(const std::vector<PolicyRule>& rules, const Catalog& catalog) {
  for (const auto& rule : rules) {
    const auto& code = rule.rule.warning;
    if (code.empty() || catalog.warnings.find(code)) continue;
    throw UsageError{
        fmt::format("\"{}\": no warning \"{}\"{}", rule.rule.text, code, did_you_mean(code, catalog.warnings.ids()))};
  }
}

std::string printed(const Session& session, const ResultOptions& options, const Answer& answer,
                    const std::optional<PolicyReport>& policy) {
  switch (options.format) {
    case ResultFormat::table:
      return session.fitted(answer.text());
    case ResultFormat::json:
      return to_json_text(answer.json()) + "\n";
    case ResultFormat::csv:
      return rows_to_csv(answer.json());
    case ResultFormat::markdown:
      return rows_to_markdown(answer.json());
    case ResultFormat::github:
      return (policy ? policy_to_annotations(*policy) : "") + session.fitted(answer.text());
    case ResultFormat::bench_bigger:
      return to_json_text(rows_to_bench(answer.json(), BenchKind::bigger)) + "\n";
    case ResultFormat::bench_smaller:
      return to_json_text(rows_to_bench(answer.json(), BenchKind::smaller)) + "\n";
  }
  return "";
}

std::string summary_of(const Answer& answer, const std::optional<PolicyReport>& policy) {
  auto text = fmt::format("### rigplan: {}\n\n", answer.subject);
  if (policy) {
    for (const auto& breach : policy->breaches) text += fmt::format("- {}\n", to_text(breach));
    text += policy->breaches.empty() ? trf("No rule of {} matched.\n\n", policy->rules) : "\n";
  }
  return text + rows_to_markdown(answer.json());
}

}  // namespace

CLI::Option* add_result_format(CLI::App& app, ResultFormat& format) {
  return app
      .add_option_function<std::string>(
          "--format",
          [&format](const std::string& text) {
            const auto at = std::find(std::begin(result_format_names), std::end(result_format_names), text);
            if (at == std::end(result_format_names))
              throw CLI::ValidationError{
                  "--format", fmt::format("\"{}\" is not a format; expected {}", text, fmt::join(result_format_names, ", "))};
            format = static_cast<ResultFormat>(at - std::begin(result_format_names));
          },
          msg("table for people, json for programs, csv, markdown, github (annotations before the table), or bench-bigger and "
              "bench-smaller (lists for github-action-benchmark)"))
      ->type_name(fmt::format("{}", fmt::join(result_format_names, "|")));
}

void add_policy_options(CLI::App& app, ResultOptions& options) {
  const auto group = msg("Rules");
  app.add_option("--fail-on", options.fail_on,
                 msg("Exit with 4 when this holds: 'decode_tokens_per_s<20', 'price_yuan>+10%' against --baseline, 'fits==no', "
                     "'any: warning:W_NO_P2P'; asked of the first row unless it says any: or all: (repeatable)"))
      ->type_name("RULE")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--warn-on", options.warn_on, msg("The same, but only say so (repeatable)"))
      ->type_name("RULE")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--policy", options.policy, msg("A file of such rules"))->type_name("FILE.json")->group(group);
  app.add_option("--baseline", options.baseline, msg("An earlier answer (--format json) for rules about changes"))
      ->type_name("FILE.json")
      ->group(group);
  app.add_option("--summary", options.summary,
                 msg("Append matches and rows to this file in Markdown, such as $GITHUB_STEP_SUMMARY"))
      ->type_name("FILE.md")
      ->group(group);
}

JsonFile read_result_file(const std::string& path) {
  auto file = JsonFile::parse(path, read_file(path));
  const auto* schema = file.root().members() ? file.root().find("schema") : nullptr;
  if (!schema || !schema->text() || !schema->text()->starts_with("rigplan/"))
    throw DataError{{path, 0, "/schema"}, msg("is not there; expected an answer of rigplan, as --format json prints it")};
  return file;
}

std::optional<PolicyReport> judge(const Session& session, const ResultOptions& options, const std::string& subject,
                                  const JsonValue& answer, RuleScope scope) {
  std::vector<PolicyRule> rules;
  if (!options.policy.empty()) rules = read_policy_file(options.policy, scope);
  for (const auto& text : options.fail_on) rules.push_back(rule_from("--fail-on", text, RuleSeverity::fail, scope));
  for (const auto& text : options.warn_on) rules.push_back(rule_from("--warn-on", text, RuleSeverity::warn, scope));
  std::optional<JsonFile> earlier;
  if (!options.baseline.empty()) earlier = read_result_file(options.baseline);
  if (rules.empty()) return std::nullopt;
  if (std::any_of(rules.begin(), rules.end(), [](const PolicyRule& rule) { return !rule.rule.warning.empty(); }))
    check_warning_codes(rules, session.catalog());
  std::optional<Result> baseline;
  if (earlier) baseline = result_of(earlier->root());
  try {
    return check_policy(subject, rules, result_of(answer), baseline ? &*baseline : nullptr);
  } catch (const RuleError& error) {
    throw UsageError{fmt::format("rule {}", error.what())};
  }
}

ExitCode finish_answer(const Session& session, const ResultOptions& options, const Answer& answer, ExitCode otherwise) {
  const bool rules = !options.fail_on.empty() || !options.warn_on.empty() || !options.policy.empty();
  std::optional<PolicyReport> policy;
  if (rules || !options.baseline.empty()) policy = judge(session, options, answer.subject, answer.json());
  session.print(printed(session, options, answer, policy));
  if (!options.summary.empty()) append_file(options.summary, summary_of(answer, policy));
  if (!policy) return otherwise;
  for (const auto& breach : policy->breaches) session.note(to_text(breach));
  return policy->failed() ? ExitCode::policy_matched : otherwise;
}

}  // namespace rigplan
