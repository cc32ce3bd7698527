// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/version.h"
#include "rigplan/json/data_error.h"
#include "rigplan/json/json_file.h"
#include "rigplan/report/html_report.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

/// Above this a page grows too large for a browser to be quick with.
constexpr std::size_t most_rows = 20000;

struct ReportOptions {
  std::vector<std::string> results;
  std::string out = "report.html";
};

/// The lines of a sweep behind its first line, as that one's member "rows".
JsonValue read_lines(const std::string& path, const std::string& text, std::size_t first_end) {
  auto sweep = JsonFile::parse(path, text.substr(0, first_end)).root();
  auto rows = JsonValue::array();
  for (auto at = first_end + 1; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    if (rows.elements()->size() == most_rows)
      throw DataError{{path, static_cast<int>(most_rows) + 2, ""},
                      fmt::format("a page shows up to {} points; choose some of them", most_rows)};
    if (end > at) rows.push(JsonFile::parse(path, text.substr(at, end - at)).root());
    at = end + 1;
  }
  return sweep.set("rows", std::move(rows));
}

JsonValue read_answer(const std::string& path) {
  const auto text = read_file(path);
  const auto first_end = text.find('\n');
  const bool lines = first_end != std::string::npos && text.starts_with("{\"schema\"") && first_end > 2;
  auto answer = lines ? read_lines(path, text, first_end) : JsonFile::parse(path, text).root();
  const auto* schema = answer.members() ? answer.find("schema") : nullptr;
  const auto known = html_schemas();
  if (!schema || !schema->text() || std::find(known.begin(), known.end(), *schema->text()) == known.end())
    throw DataError{
        {path, 0, "/schema"},
        fmt::format("{}; expected an answer that --format json (jsonl of a sweep) wrote, with one of {}",
                    schema && schema->text() ? "is \"" + *schema->text() + "\"" : msg("is not there"), fmt::join(known, ", "))};
  return answer;
}

ExitCode run_report(const ReportOptions& options, const Session& session) {
  std::vector<JsonValue> answers;
  for (const auto& path : options.results) answers.push_back(read_answer(path));
  const auto facts = html_facts(answers, session.catalog(), session.models().entries());
  write_file(options.out, html_report(answers, facts, version));
  if (options.out != "-") session.note(fmt::format("{} is written; open it in a browser", options.out));
  return ExitCode::done;
}

Run define_report(CLI::App& app) {
  const auto options = std::make_shared<ReportOptions>();
  app.add_option(
         "RESULT", options->results,
         msg("Answers that --format json (jsonl of a sweep) wrote; - is standard input. With an estimate, a topology of the "
             "same rig adds nothing, a collective its curve"))
      ->required()
      ->type_name("FILE.json");
  app.add_option("--output,-o", options->out, msg("The page; - is standard output"))
      ->type_name("FILE.html")
      ->capture_default_str();
  return [options](const Session& session) { return run_report(*options, session); };
}

}  // namespace

const Command report_command{"report", msg("A page with charts and tables made of answers, in one file to pass on"),
                             "rigplan report ranking.json -o report.html", define_report};

}  // namespace rigplan
