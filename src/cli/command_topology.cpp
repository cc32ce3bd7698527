// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <array>
#include <memory>

#include "cli/commands.h"
#include "cli/rig_file.h"
#include "rigplan/catalog/calibration.h"
#include "rigplan/report/slot_plan.h"
#include "rigplan/report/topology.h"
#include "rigplan/topology/slot_plan.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

struct TopologyOptions {
  std::string rig;
  std::string format = "table";
  std::string export_to;
  PeerAssumption peers = PeerAssumption::unknown_is_no;
  bool plan_slots = false;
  int group = 0;
};

/// One of several words, with our message for others.
CLI::Option* add_word(CLI::App& app, const std::string& name, std::string& target, std::vector<std::string> words,
                      const std::string& help) {
  std::string list;
  for (const auto& word : words) list += (list.empty() ? "" : "|") + word;
  return app
      .add_option_function<std::string>(
          name,
          [&target, name, words, list](const std::string& text) {
            if (std::find(words.begin(), words.end(), text) == words.end())
              throw CLI::ValidationError{name, fmt::format("\"{}\" is none of {}", text, list)};
            target = text;
          },
          help)
      ->type_name(list);
}

std::string plan_answer(const TopologyOptions& options, const Rig& rig, const Session& session) {
  if (options.format != "table" && options.format != "json")
    throw UsageError{msg("--plan-slots is answered with --format table or json")};
  Traffic traffic;
  traffic.assumption = options.peers;
  const auto cards = rig.nodes.empty() ? 0 : static_cast<int>(rig.nodes.front().cards.size());
  if (options.group > 0) {
    if (cards % options.group != 0)
      throw UsageError{fmt::format("--group: {} cards do not make groups of {}", cards, options.group)};
    for (int i = 0; i < cards; ++i) traffic.groups.push_back(i / options.group);
  }
  const auto& catalog = session.catalog();
  const auto report = report_slot_plan(plan_slots(rig, catalog, traffic), traffic, catalog, built_in_calibration("collectives"));
  return options.format == "json" ? to_json_text(slot_plan_json(report)) + "\n"
                                  : session.fitted(slot_plan_text(report, session.screen()));
}

std::string answer(const TopologyOptions& options, const Session& session) {
  const auto rig = read_rig_file(session, options.rig);
  if (options.group > 0 && !options.plan_slots) throw UsageError{msg("--group says how cards talk for --plan-slots")};
  if (options.plan_slots) return plan_answer(options, rig, session);
  const auto graph = build_graph(rig, session.catalog());
  if (options.export_to == "nccl") return topology_nccl_xml(graph);
  if (options.export_to == "simgrid") return topology_simgrid_xml(graph, options.peers);
  if (options.format == "json") return to_json_text(topology_json(report_topology(graph))) + "\n";
  if (options.format == "dot") return topology_dot(graph);
  if (options.format == "mermaid") return topology_mermaid(graph);
  if (options.format == "svg") return topology_svg(graph);
  return session.fitted(topology_text(report_topology(graph), session.screen()));
}

Run define_topology(CLI::App& app) {
  const auto options = std::make_shared<TopologyOptions>();
  app.add_option("rig", options->rig, msg("rig file; - reads standard input"))->required()->type_name("RIG");
  add_word(app, "--format", options->format, {"table", "json", "dot", "svg", "mermaid"},
           msg("table and json are answers, the others drawings"));
  add_word(app, "--export", options->export_to, {"nccl", "simgrid"},
           msg("write the graph for a collectives library or a network simulator"));
  app.add_flag_callback(
      "--peers", [options] { options->peers = PeerAssumption::unknown_is_yes; },
      msg("in exports and slot plans, take unknown peer-to-peer access as granted"));
  app.add_flag("--plan-slots", options->plan_slots,
               msg("the best and the worst way to plug the cards and to put the bridges on them, and what the stated one costs"));
  app.add_option("--group", options->group,
                 msg("with --plan-slots: cards talk in groups of this many, in the order of the rig file"))
      ->check(CLI::Range(2, 4096))
      ->type_name("N");
  return [options](const Session& session) {
    session.print(answer(*options, session));
    return ExitCode::done;
  };
}

}  // namespace

const Command topology_command{"topology", msg("Links, peer-to-peer and warnings of a rig"),
                               "rigplan topology examples/four-3090-x399.json", define_topology};

}  // namespace rigplan
