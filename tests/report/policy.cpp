// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/policy.h"

#include <catch2/catch.hpp>

#include "rigplan/json/json_file.h"
#include "rigplan/report/policy_report.h"

using namespace rigplan;

namespace {

constexpr const char* two_builds = R"({"schema": "rigplan/rank/1", "candidates": 12, "rows": [
  {"build": "A", "price_yuan": {"low": 900, "likely": 1000, "high": 1200}, "decode_tokens_per_s": {"low": 18, "likely": 20, "high": 25},
   "fits": true, "plan": "one card", "warnings": ["W_NO_P2P"], "oldest_price": null},
  {"build": "B", "price_yuan": {"low": 400, "likely": 500, "high": 600}, "decode_tokens_per_s": null,
   "fits": false, "plan": "layer split 2", "warnings": [], "oldest_price": null}]})";

JsonValue answer(const std::string& text) { return JsonFile::parse("answer", text).root(); }

std::vector<std::string> rows_that_match(const std::string& rule, const std::string& text = two_builds) {
  const auto value = answer(text);
  std::vector<std::string> rows;
  for (const auto& match : matches_of(parse_rule(rule), result_of(value))) rows.push_back(match.row);
  return rows;
}

std::string complaint(const std::string& rule, const std::string& text = two_builds) {
  try {
    rows_that_match(rule, text);
  } catch (const RuleError& error) {
    return error.what();
  }
  return "none";
}

using Rows = std::vector<std::string>;

}  // namespace

TEST_CASE("A rule is asked of the first row, on both sides of its bound") {
  CHECK(rows_that_match("decode_tokens_per_s.likely<20").empty());
  CHECK(rows_that_match("decode_tokens_per_s.likely<=20") == Rows{"A"});
  CHECK(rows_that_match("decode_tokens_per_s.likely<20.001") == Rows{"A"});
  CHECK(rows_that_match("price_yuan.low >= 901").empty());
  CHECK(rows_that_match("price_yuan.low >= 900") == Rows{"A"});
  CHECK(rows_that_match("price_yuan<501").empty());  // B would match, and a range stands for its likely value
  CHECK(rows_that_match("price_yuan==1000") == Rows{"A"});
  CHECK(rows_that_match("price_yuan!=1000").empty());
}
TEST_CASE("any: matches where one row does, all: only where every row does") {
  CHECK(rows_that_match("any: price_yuan<501") == Rows{"B"});
  CHECK(rows_that_match("any: price_yuan<500").empty());
  CHECK(rows_that_match("all: price_yuan<1000").empty());
  CHECK(rows_that_match("all: price_yuan<=1000") == Rows{"A", "B"});
}
TEST_CASE("Booleans, texts and warnings can be asked for") {
  CHECK(rows_that_match("fits==no").empty());
  CHECK(rows_that_match("any:fits==no") == Rows{"B"});
  CHECK(rows_that_match("plan == \"one card\"") == Rows{"A"});
  CHECK(rows_that_match("plan != 'one card'").empty());
  CHECK(rows_that_match("warning:W_NO_P2P") == Rows{"A"});
  CHECK(rows_that_match("all:warning:W_NO_P2P").empty());
  CHECK(rows_that_match("warning:W_ROCM_EOL").empty());
}
TEST_CASE("What is unknown matches every bound, so that a gate that cannot be checked is not passed") {
  CHECK(rows_that_match("any: decode_tokens_per_s.likely>1000000") == Rows{"B"});
  CHECK(rows_that_match("oldest_price==unknown") == Rows{"A"});
  CHECK(rows_that_match("oldest_price!=unknown").empty());
}
TEST_CASE("An answer without rows matches rules about the first row and about all, not about any") {
  constexpr const char* nothing = R"({"schema": "rigplan/rank/1", "candidates": 3, "rows": []})";
  CHECK(rows_that_match("price_yuan<1", nothing).size() == 1);
  CHECK(rows_that_match("all: price_yuan<1", nothing).size() == 1);
  CHECK(rows_that_match("any: price_yuan<1", nothing).empty());
  CHECK(rows_that_match("candidates<3", nothing).empty());
  CHECK(rows_that_match("candidates<4", nothing).size() == 1);
}
TEST_CASE("A field that no row has is an error, not a rule that is kept") {
  CHECK(complaint("prize_yuan.likely<3") ==
        "\"prize_yuan.likely<3\": no field \"prize_yuan.likely\" in the answer; did you mean \"price_yuan.likely\"?");
  CHECK(complaint("likely<3").find("did you mean \"decode_tokens_per_s.likely\"?") != std::string::npos);
  CHECK(complaint("price_yuan.likely<3") == "none");
}
TEST_CASE("What does not compare is an error") {
  CHECK(complaint("plan<3").find("not a number") != std::string::npos);
  CHECK(complaint("fits==maybe").find("does not compare") != std::string::npos);
  CHECK(complaint("fits<yes").find("compare numbers") != std::string::npos);
  CHECK(complaint("price_yuan.likely>10%").find("has a sign") != std::string::npos);
  CHECK(complaint("price_yuan.likely>+10%").find("needs --baseline") != std::string::npos);
  CHECK(complaint("price_yuan.likely").find("not of the form") != std::string::npos);
  CHECK(complaint("<3").find("not of the form") != std::string::npos);
  CHECK(complaint("price_yuan=3").find("not of the form") != std::string::npos);
  CHECK(complaint("price_yuan<").find("compares with nothing") != std::string::npos);
}
TEST_CASE("A change is asked of the first row against the first row, else of rows of the same name") {
  const auto before = answer(R"({"schema": "rigplan/rank/1", "rows": [
      {"build": "B", "price_yuan": {"low": 1, "likely": 400, "high": 900}},
      {"build": "A", "price_yuan": {"low": 1, "likely": 1000, "high": 1100}}]})");
  const auto now = answer(two_builds);
  const auto baseline = result_of(before);
  const auto matches = [&](const std::string& rule) {
    Rows rows;
    for (const auto& match : matches_of(parse_rule(rule), result_of(now), &baseline)) rows.push_back(match.row);
    return rows;
  };
  CHECK(matches("price_yuan.likely>+149%") == Rows{"A"});  // first was 400 (B), is 1000 (A): +150 %
  CHECK(matches("price_yuan.likely>+150%").empty());
  CHECK(matches("any: price_yuan.likely>+24%") == Rows{"B"});  // 400 -> 500
  CHECK(matches("any: price_yuan.likely>+25%").empty());
  CHECK(matches("any: price_yuan.high<-30%") == Rows{"B"});  // 900 -> 600
  CHECK(matches("any: price_yuan.high<-34%").empty());
}
TEST_CASE("Rows of a validation are addressed by their kind") {
  constexpr const char* validation = R"({"schema": "rigplan/validation/1", "summary": [
      {"kind": "decode", "metric": "tokens_per_s", "rows": 4, "median_abs_error": 0.04},
      {"kind": "prefill", "metric": "tokens_per_s", "rows": 4, "median_abs_error": 0.2},
      {"kind": "serve", "metric": "tokens_per_s", "rows": 4, "median_abs_error": null}], "rows": []})";
  CHECK(rows_that_match("any: decode.median_abs_error>0.1", validation).empty());
  CHECK(rows_that_match("any: decode.median_abs_error>0.03", validation) == Rows{"decode tokens_per_s"});
  CHECK(rows_that_match("any: median_abs_error>0.1", validation) == Rows{"prefill tokens_per_s", "serve tokens_per_s"});
  CHECK(complaint("any: decod.median_abs_error>0.1", validation) != "none");
}
TEST_CASE("Annotations keep a workflow command on one line") {
  const PolicyReport report{"x", 1, {{RuleSeverity::fail, "any: a<1", "row: 1", "50 % of\nit", ""}}};
  CHECK(policy_to_annotations(report) == "::error title=any%3A a<1::row: 1: 50 %25 of%0Ait\n");
}
