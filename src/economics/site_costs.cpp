// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/site_costs.h"

#include <fmt/format.h>

#include <algorithm>

#include "rigplan/economics/feeds.h"
#include "rigplan/economics/network_parts.h"
#include "rigplan/economics/power.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

Watts wall_peak(const BillContext& context, const Rig& rig) {
  const auto power = rig_power(context.catalog, context.defaults, rig);
  return wall_power(power, dc_power(power, context.defaults, 1).peak);
}

/// "place, date" of the newest row of the item's price.
std::string price_source(const Catalog& catalog, const std::string& item) {
  const PriceRow* newest = nullptr;
  for (const auto* row : catalog.price_rows(item))
    if (!newest || row->date > newest->date) newest = row;
  return newest ? fmt::format("{}, {}", newest->source.where, newest->date.empty() ? "undated" : newest->date) : "";
}

SiteCost pieces(const BillContext& context, std::string name, const std::string& id, const std::string& item, int count,
                std::string how) {
  SiteCost cost{.name = std::move(name),
                .item = item,
                .count = Range<double>::exactly(count),
                .how = std::move(how),
                .source = price_source(context.catalog, id)};
  if (const auto* price = context.prices.find(id)) cost.amount = static_cast<double>(count) * price->range;
  return cost;
}

bool states(const Rig& rig, const std::string& item) {
  return std::ranges::find(rig.bill, item, &BillLine::item) != rig.bill.end();
}

void add_power(std::vector<SiteCost>& costs, const BillContext& context, const Rig& rig) {
  const auto wall = wall_peak(context, rig);
  const bool feeds_named =
      std::ranges::any_of(rig.bill, [&](const BillLine& line) { return context.catalog.circuits.find(line.item) != nullptr; });
  if (const auto feeds = choose_feeds(context.catalog, context.prices, context.defaults, wall); feeds && !feeds_named)
    costs.push_back(pieces(context, msg("power feeds"), feeds->circuit->id, feeds->circuit->name, feeds->count,
                           fmt::format("{} at the wall at full load, {} all day on each; one usual circuit is there",
                                       to_text(wall), to_text(feeds->circuit->continuous))));
  struct Strips {
    const Part* part;
    int count;
    Watts most;
  };
  std::vector<Strips> strips;
  for (const auto& node : rig.nodes) {
    Rig one;
    one.nodes = {node};
    one.nodes.front().count = 1;
    const auto machine = wall_peak(context, one);
    const auto choice = choose_strips(context.catalog, machine);
    if (!choice.part) continue;
    const auto known = std::ranges::find(strips, choice.part, &Strips::part);
    if (known == strips.end()) {
      strips.push_back({choice.part, node.count * choice.count, machine});
    } else {
      known->count += node.count * choice.count;
      known->most = std::max(known->most, machine);
    }
  }
  for (const auto& strip : strips)
    if (!states(rig, strip.part->id))
      costs.push_back(pieces(context, msg("power distribution"), strip.part->id, strip.part->name, strip.count,
                             fmt::format("up to {} for each machine", to_text(strip.most))));
}

void add_network(std::vector<SiteCost>& costs, const BillContext& context, const Rig& rig) {
  const auto need = network_need(context.catalog, rig);
  if (need.links == 0) return;
  const auto rate = format_number(need.rate.in(Gbit_per_s));
  const bool named = need.switch_named || std::ranges::any_of(rig.bill, [&](const BillLine& line) {
                       const auto* part = context.catalog.parts.find(line.item);
                       return part && std::holds_alternative<NetworkSwitch>(part->what);
                     });
  int cables = need.links;
  // Two machines join hands without a switch.
  if (need.links == 2 && !named) cables = 1;
  if (!named && need.links > 2) {
    if (const auto choice = choose_switches(context.catalog, context.prices, need.links, need.rate)) {
      cables += choice->layout.cables;
      costs.push_back(pieces(context, msg("network switches"), choice->part->id, choice->part->name, choice->layout.switches,
                             choice->layout.cables > 0 ? fmt::format("two layers for {} links of {} Gbit/s", need.links, rate)
                                                       : fmt::format("{} links of {} Gbit/s", need.links, rate)));
    } else {
      costs.push_back({.name = msg("network switches"), .how = fmt::format("{} links of {} Gbit/s", need.links, rate)});
    }
  }
  if (const auto* cable = cable_for(context.catalog, need.rate))
    if (!states(rig, cable->id))
      costs.push_back(
          pieces(context, msg("network cables"), cable->id, cable->name, cables, fmt::format("{} Gbit/s on each", rate)));
  if (need.nics_named || need.rate <= 1 * Gbit_per_s) return;
  if (const auto* nic = choose_nic(context.catalog, context.prices, need.rate, rig.network && rig.network->rdma))
    costs.push_back(pieces(context, msg("network cards"), nic->id, nic->name, need.links, msg("one for each machine")));
}

}  // namespace

bool has_site_costs(const BillContext& context, const Rig& rig) {
  const auto* usual = context.catalog.circuits.find(context.defaults.circuit);
  return rig.machines() > 1 || (usual && wall_peak(context, rig) > usual->continuous);
}

std::vector<SiteCost> site_costs(const BillContext& context, const Rig& rig, const Purchase& purchase, Seconds horizon) {
  std::vector<SiteCost> costs;
  add_power(costs, context, rig);
  add_network(costs, context, rig);
  std::ranges::move(operation_of(context.catalog, context.defaults, rig, purchase, horizon), std::back_inserter(costs));
  return costs;
}

Range<Yuan> total_of(const std::vector<SiteCost>& costs) {
  Range<Yuan> total;
  for (const auto& cost : costs) total += cost.amount.value_or(Range<Yuan>{});
  return total;
}

}  // namespace rigplan
