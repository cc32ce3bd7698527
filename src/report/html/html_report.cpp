// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/html_report.h"

#include <algorithm>
#include <stdexcept>

#include "report/html/html_assets.h"
#include "rigplan/text/language.h"
#include "text/tr.h"

namespace rigplan {
namespace {

constexpr std::string_view drawable[] = {
    "rigplan/rank/1",  "rigplan/estimate/1",   "rigplan/rent-or-buy/1", "rigplan/rent-or-buy-ranking/1",
    "rigplan/sweep/1", "rigplan/validation/1", "rigplan/topology/1",    "rigplan/collective/1"};

/// A script is read from the page's scripts in this order; each uses only what stands before it.
constexpr std::string_view scripts[] = {"text.js",     "elements.js",    "table.js",    "scatter.js", "bars.js",
                                        "topology.js", "lines.js",       "question.js", "what_if.js", "ranking.js",
                                        "estimate.js", "rent_or_buy.js", "own_rent.js", "sweep.js",   "validation.js",
                                        "machine.js",  "page.js"};

std::string_view asset(std::string_view name) {
  for (const auto& file : html_assets())
    if (file.name == name) return file.text;
  throw std::logic_error{"no part of the page is called " + std::string{name}};
}

/// JSON that can stand in a script element: no "<" opens or closes an element, and none of the line ends that only JSON allows.
std::string script_json(const JsonValue& value) {
  std::string safe;
  const auto text = to_json_text(value, 0);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<')
      safe += "\\u003c";
    else if (text.compare(i, 3, "\xE2\x80\xA8") == 0 || text.compare(i, 3, "\xE2\x80\xA9") == 0)
      safe += text[i + 2] == '\xA8' ? "\\u2028" : "\\u2029", i += 2;
    else
      safe += text[i];
  }
  return safe;
}

/// Puts `text` in the place of the one `mark` of a page.
void put(std::string& page, std::string_view mark, std::string_view text) { page.replace(page.find(mark), mark.size(), text); }

bool is_ranking(const JsonValue& answer) {
  const auto* schema = answer.find("schema");
  return schema && schema->text() && *schema->text() == "rigplan/rank/1";
}

}  // namespace

std::span<const std::string_view> html_schemas() { return drawable; }

std::string html_report(std::span<const JsonValue> answers, const HtmlFacts& facts, std::string_view program) {
  auto data = JsonValue::object();
  data.set("program", program).set("results", JsonValue::Array{answers.begin(), answers.end()});
  data.set("facts", facts.entries).set("warnings", facts.warnings);
  if (!translations().empty()) {
    auto messages = JsonValue::array();
    for (const auto& [english, other] : translations()) messages.push(JsonValue::array().push(english).push(other));
    data.set("messages", std::move(messages));
  }
  std::string script;
  for (const auto name : scripts) script += asset(name);
  std::string page{asset("page.html")};
  // The data goes in last, so that no mark is looked for in it.
  put(page, "@LANGUAGE@", to_text(language()));
  put(page, "@TITLE@", "rigplan");
  put(page, "@STYLE@", asset("page.css"));
  const auto core = std::any_of(answers.begin(), answers.end(), is_ranking) ? html_core().front().text : std::string_view{};
  put(page, "@MAY_COMPILE@", core.empty() ? "" : " 'wasm-unsafe-eval'");
  put(page, "@CORE@", core.empty() ? std::string{} : "<script>\n" + std::string{core} + "</script>\n");
  put(page, "@SCRIPT@", script);
  put(page, "@DATA@", script_json(data));
  return page;
}

}  // namespace rigplan
