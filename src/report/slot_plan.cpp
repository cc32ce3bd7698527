// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/slot_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "report/link_label.h"
#include "rigplan/estimate/collectives/prepare_fabric.h"
#include "rigplan/report/text_table.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"
#include "text/tr.h"

namespace rigplan {
namespace {

constexpr auto large_message = 64 * MiB;

/// The slowest group's all-reduce while the others stand still.
Seconds all_reduce_of_groups(const RigGraph& graph, const Traffic& traffic, const Calibration& collectives) {
  std::map<int, std::vector<int>> groups;
  for (int i = 0; i < graph.cards(); ++i)
    groups[traffic.groups.empty() ? 0 : traffic.groups[static_cast<std::size_t>(i)]].push_back(i);
  Seconds slowest;
  for (const auto& [group, cards] : groups)
    if (cards.size() > 1)
      slowest = std::max(slowest, prepare_fabric(graph, cards, traffic.assumption, collectives).all_reduce(large_message));
  return slowest;
}

PlacementReport report_placement(std::string name, const Placement& placement, const Traffic& traffic, const Catalog& catalog,
                                 const Calibration& collectives) {
  const auto graph = build_graph(placement.rig, catalog);
  const auto& node = graph.rig.nodes.front();
  PlacementReport report;
  report.name = std::move(name);
  for (const auto& card : node.cards) report.cards.push_back(card.plug.slot);
  for (const auto& nic : node.nics) report.nics.push_back(nic.plug.slot);
  for (const auto& bridge : node.bridges) report.bridges.push_back(bridge.cards);
  report.traffic = placement.time;
  report.all_reduce = all_reduce_of_groups(graph, traffic, collectives);
  report.bottleneck = placement.link >= 0 ? graph.link_name(placement.link) : std::string{};
  return report;
}

std::string bridges_text(const PlacementReport& placement) {
  std::vector<std::string> texts;
  for (const auto& cards : placement.bridges) texts.push_back(fmt::format("GPU{}", fmt::join(cards, "+")));
  return texts.empty() ? "-" : fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

SlotPlanReport report_slot_plan(const SlotPlan& plan, const Traffic& traffic, const Catalog& catalog,
                                const Calibration& collectives) {
  SlotPlanReport report;
  report.rig = plan.best.rig.name;
  report.tried = plan.tried;
  report.complete = plan.complete;
  report.group = traffic.groups.empty() ? static_cast<int>(plan.best.rig.nodes.front().cards.size())
                                        : static_cast<int>(std::count(traffic.groups.begin(), traffic.groups.end(), 0));
  report.placements.push_back(report_placement(msg("best"), plan.best, traffic, catalog, collectives));
  if (plan.present) report.placements.push_back(report_placement(msg("as stated"), *plan.present, traffic, catalog, collectives));
  report.placements.push_back(report_placement(msg("worst"), plan.worst, traffic, catalog, collectives));
  return report;
}

std::string slot_plan_text(const SlotPlanReport& report, const Screen& screen) {
  const auto* plural = report.tried == 1 ? "" : "s";
  auto text = report.complete ? trf("{}: best of {} placement{}; 1 MiB from each card to each other in groups of {}\n",
                                    report.rig, report.tried, plural, report.group)
                              : trf("{}: best of {} tried placement{}; 1 MiB from each card to each other in groups of {}\n",
                                    report.rig, report.tried, plural, report.group);
  TextTable table{{{tr("placement")},
                   {tr("slots of GPU0, GPU1, ...")},
                   {trc("head", "NICs")},
                   {tr("bridges")},
                   {tr("traffic"), Align::right},
                   {tr("times the best"), Align::right},
                   {tr("all-reduce 64 MiB"), Align::right},
                   {tr("limited by")}}};
  table.narrowed({1, 3, 7}, {2, 4, 3});
  const auto best = report.placements.front().traffic;
  for (const auto& one : report.placements)
    table.row_with_tail({tr(one.name), fmt::format("{}", fmt::join(one.cards, ", ")),
                         one.nics.empty() ? "-" : fmt::format("{}", fmt::join(one.nics, ", ")), bridges_text(one),
                         to_text(one.traffic), best > Seconds{} ? format_number(one.traffic / best) : "-",
                         to_text(one.all_reduce), link_label(one.bottleneck)});
  return text + table.text(screen);
}

JsonValue slot_plan_json(const SlotPlanReport& report) {
  auto root = JsonValue::object();
  root.set("schema", "rigplan/slot-plan/1").set("rig", report.rig).set("tried", report.tried).set("complete", report.complete);
  root.set("cards_in_a_group", report.group);
  auto placements = JsonValue::array();
  for (const auto& one : report.placements) {
    auto cards = JsonValue::array(), nics = JsonValue::array(), bridges = JsonValue::array();
    for (const auto& slot : one.cards) cards.push(slot);
    for (const auto& slot : one.nics) nics.push(slot);
    for (const auto& bridge : one.bridges) {
      auto joined = JsonValue::array();
      for (const int card : bridge) joined.push(card);
      bridges.push(std::move(joined));
    }
    placements.push(JsonValue::object()
                        .set("name", one.name)
                        .set("card_slots", std::move(cards))
                        .set("nic_slots", std::move(nics))
                        .set("bridges", std::move(bridges))
                        .set("traffic_us", one.traffic.in(us))
                        .set("all_reduce_64_mib_us", one.all_reduce.in(us))
                        .set("bottleneck", one.bottleneck));
  }
  return root.set("placements", std::move(placements));
}

}  // namespace rigplan
