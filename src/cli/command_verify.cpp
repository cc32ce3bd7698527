// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/rig_file.h"
#include "rigplan/import/topology_formats.h"
#include "rigplan/import/verify.h"
#include "rigplan/json/value.h"
#include "rigplan/report/text_table.h"
#include "rigplan/topology/graph.h"
#include "rigplan/units/message.h"
#include "text/tr.h"

namespace rigplan {
namespace {

struct VerifyOptions {
  std::string rig, lspci, nccl;
  OutputFormat format = OutputFormat::table;
};

struct Source {
  std::string name;
  VerifyResult result;
};

std::string text_of(const std::vector<Source>& sources, const Screen& screen) {
  std::string text;
  for (const auto& source : sources) {
    text += trf("{}: {} of {} planned cards, {} difference{}\n", source.name, source.result.cards_found,
                source.result.cards_planned, source.result.differences.size(), source.result.differences.size() == 1 ? "" : "s");
    if (source.result.differences.empty()) continue;
    TextTable table{{{tr("what")}, {tr("planned")}, {tr("found")}, {tr("advice")}}};
    table.narrowed({3, 1, 2});
    for (const auto& one : source.result.differences)
      table.row_with_tail({one.subject, tr(one.planned), tr(one.found), tr(one.advice)});
    text += table.text(screen, 2);
  }
  return text;
}

JsonValue json_of(const std::vector<Source>& sources) {
  auto list = JsonValue::array();
  for (const auto& source : sources) {
    auto differences = JsonValue::array(), questions = JsonValue::array();
    for (const auto& one : source.result.differences)
      differences.push(JsonValue::object()
                           .set("subject", one.subject)
                           .set("planned", one.planned)
                           .set("found", one.found)
                           .set("advice", one.advice));
    for (const auto& one : source.result.questions)
      questions.push(JsonValue::object().set("subject", one.subject).set("text", one.text));
    list.push(JsonValue::object()
                  .set("source", source.name)
                  .set("cards_planned", source.result.cards_planned)
                  .set("cards_found", source.result.cards_found)
                  .set("differences", std::move(differences))
                  .set("questions", std::move(questions)));
  }
  return JsonValue::object().set("schema", "rigplan/verify/1").set("sources", std::move(list));
}

ExitCode run_verify(const VerifyOptions& options, const Session& session) {
  if (options.lspci.empty() && options.nccl.empty()) throw UsageError{msg("verify needs --lspci FILE, --nccl FILE or both")};
  const auto graph = build_graph(read_rig_file(session, options.rig), session.catalog());
  std::vector<Source> sources;
  if (!options.lspci.empty())
    sources.push_back({options.lspci, verify(graph, import_lspci(options.lspci, read_file(options.lspci)))});
  if (!options.nccl.empty())
    sources.push_back({options.nccl, verify(graph, import_nccl_xml(options.nccl, read_file(options.nccl)))});
  session.print(options.format == OutputFormat::json ? to_json_text(json_of(sources)) + "\n"
                                                     : session.fitted(text_of(sources, session.screen())));
  bool differs = false;
  for (const auto& source : sources) {
    differs |= !source.result.differences.empty();
    for (const auto& question : source.result.questions)
      session.note(source.name + ": " + question.subject + ": " + question.text);
  }
  return differs ? ExitCode::difference_found : ExitCode::done;
}

Run define_verify(CLI::App& app) {
  const auto options = std::make_shared<VerifyOptions>();
  app.add_option("rig", options->rig, msg("rig file of the plan"))->required()->type_name("RIG");
  app.add_option("--lspci", options->lspci, msg("text of lspci -vvv on the machine"))->type_name("FILE");
  app.add_option("--nccl", options->nccl, msg("topology dump of NCCL or RCCL on the machine"))->type_name("FILE");
  add_format(app, options->format);
  return [options](const Session& session) { return run_verify(*options, session); };
}

}  // namespace

const Command verify_command{"verify", msg("Hold a machine that was built against its plan"),
                             "rigplan verify examples/four-3090-x399.json --nccl examples/four-3090-x399.nccl.xml",
                             define_verify};

}  // namespace rigplan
