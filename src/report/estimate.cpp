// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/time_shares.h"
#include "rigplan/report/question.h"
#include "rigplan/report/ranking.h"
#include "rigplan/topology/pcie.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

PlanRow plan_row(const PlanResult& result, JobKind kind) {
  PlanRow row;
  row.plan = plan_text(result.plan, kind);
  row.fits = result.fits;
  row.reason = result.shortfall;
  if (result.inference) {
    row.decode = result.inference->decode_per_user;
    row.decode_all = result.inference->decode;
    row.prefill = result.inference->prefill;
    row.first_token = result.inference->first_token;
  }
  if (result.training) row.training = result.tokens;
  row.usable = result.usable;
  row.limited_by = result.limited_by;
  row.link = result.link_bottleneck;
  row.warnings = result.warnings;
  return row;
}

/// "8 × Radeon Pro VII in SLOT1, ...: PCIe 4.0 x16", cards with the same link together.
std::vector<std::string> places_of(const RigGraph& graph) {
  std::vector<std::string> lines;
  for (std::size_t n = 0; n < graph.kinds.size(); ++n) {
    const auto& kind = graph.kinds[n];
    std::map<std::string, std::vector<std::string>> slots_of_link;
    for (std::size_t card = 0; card < kind.cards.size(); ++card) {
      const auto device = static_cast<std::size_t>(kind.cards[card]);
      const auto up = kind.upward[device];
      const auto& place = graph.rig.nodes[n].cards[card];
      const auto link = up >= 0 ? to_text(kind.links[static_cast<std::size_t>(up)].pcie) : std::string{msg("no link")};
      slots_of_link[fmt::format("{}\n{}", kind.devices[device].gpu->name, link)].push_back(place.plug.slot);
    }
    const int copies = graph.rig.nodes[n].count;
    for (const auto& [key, slots] : slots_of_link) {
      const auto cut = key.find('\n');
      const auto name = key.substr(0, cut), link = key.substr(cut + 1);
      const auto places = fmt::format("{}", fmt::join(slots, ", "));
      lines.push_back(copies > 1 ? fmt::format("{} machines with {} × {} at {} in {}", copies, slots.size(), name, link, places)
                                 : fmt::format("{} × {} at {} in {}", slots.size(), name, link, places));
    }
  }
  return lines;
}

std::string supplies_text(const Rig& rig, const Catalog& catalog) {
  std::map<std::string, int> counts;
  for (const auto& node : rig.nodes)
    for (const auto& id : node.psus) counts[id] += node.count;
  std::string text;
  for (const auto& [id, count] : counts) {
    const auto* part = catalog.parts.find(id);
    text += fmt::format("{}{} × {}", text.empty() ? "" : ", ", count, part ? part->name : id);
  }
  return text;
}

/// What only plans beside the best one are told, each code once with the plans that it is about.
std::vector<PlanWarning> other_warnings(const EstimateReport& report, const Candidate& candidate, const Catalog& catalog) {
  std::map<std::string, PlanWarning> found;
  for (const auto& [row, with_peer] : report.plans)
    for (const auto& code : row.warnings)
      if (row.fits && std::find(candidate.warnings.begin(), candidate.warnings.end(), code) == candidate.warnings.end())
        found[code].plans.push_back(row.plan);
  std::vector<PlanWarning> list;
  for (auto& [code, warning] : found) {
    const auto* entry = catalog.warnings.find(code);
    list.push_back({code, entry ? entry->title : "", std::move(warning.plans)});
  }
  return list;
}

/// The fewest circuits of one kind: a home's single phase first, then whatever carries the load with fewer.
std::string circuits_text(const Catalog& catalog, Watts wall) {
  const auto& defaults = planning_defaults(catalog);
  const auto* usual = catalog.circuits.find(defaults.circuit);
  std::vector<Circuit> here;  // the usual voltage, and three phases where a building has them
  for (const auto& circuit : catalog.circuits.entries)
    if (!usual || circuit.volts == usual->volts || circuit.phases == 3) here.push_back(circuit);
  const auto needs = circuits_needed(here, wall);
  std::string text;
  for (const auto& need : needs)
    if (usual && need.circuit->id == usual->id) text = fmt::format("{} × {}", need.count, need.circuit->name);
  if (!needs.empty() && (!usual || needs.front().circuit->id != usual->id))
    text = text.empty() ? fmt::format("{} × {}", needs.front().count, needs.front().circuit->name)
                        : fmt::format("{}, or {} × {}", text, needs.front().count, needs.front().circuit->name);
  return text;
}

std::string_view to_text(PeerOverPcie peer) {
  return peer == PeerOverPcie::yes ? msg("yes") : peer == PeerOverPcie::no ? msg("no") : msg("unknown");
}

}  // namespace

EstimateReport estimate_report(const RigEstimate& estimate, const Evaluator& evaluator, const std::string& name) {
  const auto& candidate = estimate.candidate;
  const auto& catalog = evaluator.catalog();
  const auto kind = evaluator.query().job.kind;
  EstimateReport report;
  report.question = question_text(evaluator.query(), evaluator.model());
  report.query = question_json(evaluator.query(), evaluator.model());
  report.build = build_text(candidate, catalog);
  report.name = name;
  report.trains = kind != JobKind::inference;
  report.why_not = candidate.why_not;
  if (candidate.misfit != Misfit::no_slots) {
    const auto graph = build_graph(candidate.rig, catalog);
    report.places = places_of(graph);
    report.machines = topology_trees(graph);
  }
  report.memory = candidate.best.memory;
  std::stable_sort(report.memory.begin(), report.memory.end(),
                   [](const CardUse& a, const CardUse& b) { return a.card < b.card; });
  for (const auto& answer : estimate.plans) {
    PlanRows rows{plan_row(answer.result, kind), std::nullopt};
    if (answer.with_peer) rows.with_peer = plan_row(*answer.with_peer, kind);
    report.plans.push_back(std::move(rows));
  }
  report.time_shares = time_shares(candidate.best);
  if (candidate.best.training) report.mfu = candidate.best.training->mfu;
  report.largest_context = estimate.largest_context;
  report.most_users = estimate.most_users;
  report.peer = candidate.cards > 1 ? std::string{to_text(estimate.peer)} : "";
  report.peer_conditions = estimate.peer_conditions;
  report.wall = candidate.wall;
  report.loaded = candidate.loaded;
  report.supply_margin = supply_margin(candidate.power);
  report.supplies = supplies_text(candidate.rig, catalog);
  report.circuits = circuits_text(catalog, candidate.wall.peak);
  report.unknown_power = candidate.power.cards_unknown + candidate.power.hosts_unknown;
  report.purchase = candidate.purchase;
  const BillContext bill{catalog, evaluator.prices(), planning_defaults(catalog)};
  const auto horizon = evaluator.query().schedule.horizon;
  report.horizon_months = horizon.in(month);
  if (has_site_costs(bill, candidate.rig)) report.site = site_costs(bill, candidate.rig, candidate.purchase, horizon);
  report.cost = candidate.cost;
  report.merit = candidate.merit;
  report.energy = candidate.energy;
  report.vram = candidate.vram;
  for (const auto& code : candidate.warnings) {
    const auto* warning = catalog.warnings.find(code);
    report.warnings.emplace_back(code, warning ? warning->title : "");
  }
  report.other_warnings = other_warnings(report, candidate, catalog);
  report.next.push_back(msg("rigplan estimate ... --explain 1: where each figure comes from"));
  if (candidate.best.inference && evaluator.query().job.engine_date.empty())
    report.next.push_back(
        msg("rigplan estimate ... --engine-date YYYY-MM: narrower speeds; without a date the range holds what people report of "
            "unstated builds"));
  if (!candidate.warnings.empty())
    report.next.push_back(fmt::format("rigplan explain {}: what it means and what to check", candidate.warnings.front()));
  return report;
}

}  // namespace rigplan
