// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <array>
#include <memory>

#include "cli/commands.h"
#include "cli/rig_file.h"
#include "rigplan/report/topology.h"
#include "rigplan/topology/slot_plan.h"
#include "rigplan/units/format.h"

namespace rigplan {
namespace {

struct TopologyOptions {
  std::string rig;
  std::string format = "table";
  std::string export_to;
  PeerAssumption peers = PeerAssumption::unknown_is_no;
  bool plan_slots = false;
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
              throw CLI::ValidationError{name, "\"" + text + "\" is none of " + list};
            target = text;
          },
          help)
      ->type_name(list);
}

std::string slots_text(const Rig& rig) {
  std::string text;
  for (std::size_t i = 0; i < rig.nodes.front().cards.size(); ++i)
    text += (i == 0 ? "" : ", ") + ("GPU" + std::to_string(i)) + " in " + rig.nodes.front().cards[i].plug.slot;
  for (std::size_t i = 0; i < rig.nodes.front().nics.size(); ++i)
    if (const auto& slot = rig.nodes.front().nics[i].plug.slot; !slot.empty())
      text += ", NIC" + std::to_string(i) + " in " + slot;
  return text;
}

std::string plan_text(const Rig& rig, const Catalog& catalog) {
  const auto plan = plan_slots(rig, catalog, {});
  const auto best = build_graph(plan.best, catalog), worst = build_graph(plan.worst, catalog);
  std::string text = "best of " + std::to_string(plan.tried) + (plan.complete ? "" : " tried") +
                     " placements, 1 MiB from each card to each other: " + to_text(plan.best_time) + "\n  " +
                     slots_text(plan.best) + "\n  limited by " + best.link_name(plan.best_link) + "\n";
  text += "worst: " + to_text(plan.worst_time) + ", " + format_number(plan.worst_time / plan.best_time) + " times as long\n  " +
          slots_text(plan.worst) + "\n  limited by " + worst.link_name(plan.worst_link) + "\n";
  return text;
}

std::string answer(const TopologyOptions& options, const Session& session) {
  const auto rig = read_rig_file(session, options.rig);
  if (options.plan_slots) return plan_text(rig, session.catalog());
  const auto graph = build_graph(rig, session.catalog());
  if (options.export_to == "nccl") return topology_nccl_xml(graph);
  if (options.export_to == "simgrid") return topology_simgrid_xml(graph, options.peers);
  if (options.format == "json") return to_json_text(topology_json(report_topology(graph))) + "\n";
  if (options.format == "dot") return topology_dot(graph);
  if (options.format == "mermaid") return topology_mermaid(graph);
  if (options.format == "svg") return topology_svg(graph);
  return topology_text(report_topology(graph));
}

Run define_topology(CLI::App& app) {
  const auto options = std::make_shared<TopologyOptions>();
  app.add_option("rig", options->rig, "rig file; - reads standard input")->required()->type_name("RIG");
  add_word(app, "--format", options->format, {"table", "json", "dot", "svg", "mermaid"},
           "table and json are answers, the others drawings");
  add_word(app, "--export", options->export_to, {"nccl", "simgrid"},
           "write the graph for a collectives library or a network simulator");
  app.add_flag_callback(
      "--peers", [options] { options->peers = PeerAssumption::unknown_is_yes; },
      "in exports, take unknown peer-to-peer access as granted");
  app.add_flag("--plan-slots", options->plan_slots, "the best and the worst way to plug the cards");
  return [options](const Session& session) {
    session.print(answer(*options, session));
    return ExitCode::done;
  };
}

}  // namespace

const Command topology_command{"topology", "Links, peer-to-peer and warnings of a rig",
                               "rigplan topology examples/four-3090-x399.json", define_topology};

}  // namespace rigplan
