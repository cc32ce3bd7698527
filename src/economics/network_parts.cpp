// SPDX-License-Identifier: Apache-2.0
#include "rigplan/economics/network_parts.h"

#include <algorithm>

#include "rigplan/economics/cheapest_part.h"
#include "rigplan/units/parse.h"

namespace rigplan {
namespace {

/// What nearly every board brings with it.
constexpr Bandwidth onboard = 1 * Gbit_per_s;

int times(int wanted, int each) { return (wanted + each - 1) / each; }

}  // namespace

// Two layers at full rate: half of a leaf's ports go down and half up, one to each spine or more (Clos, A study of non-blocking
// switching networks, 1953; Al-Fares et al., SIGCOMM 2008, section 2).
std::optional<SwitchLayout> switch_layout(int ports, int links) {
  if (links <= ports) return SwitchLayout{1, 0};
  const int down = ports / 2;
  if (down < 1) return std::nullopt;
  const int leaves = times(links, down), up = leaves * down;
  if (leaves > ports) return std::nullopt;
  return SwitchLayout{leaves + times(up, ports), up};
}

NetworkNeed network_need(const Catalog& catalog, const Rig& rig) {
  int nics = 0;
  Bandwidth slowest;
  for (const auto& node : rig.nodes) {
    nics += node.count * static_cast<int>(node.nics.size());
    for (const auto& place : node.nics) {
      const auto* part = catalog.parts.find(place.part);
      const auto* nic = part ? std::get_if<Nic>(&part->what) : nullptr;
      if (nic && (slowest == Bandwidth{} || nic->rate < slowest)) slowest = nic->rate;
    }
  }
  NetworkNeed need;
  const int machines = rig.machines();
  if (machines < 2) return need;
  need.links = nics > 0 ? nics : machines;
  need.nics_named = nics > 0;
  need.switch_named = rig.network && !rig.network->network_switch.empty();
  const bool stated = rig.network && rig.network->rate > Bandwidth{};
  need.rate = stated ? rig.network->rate : nics > 0 && slowest > Bandwidth{} ? slowest : onboard;
  return need;
}

std::optional<SwitchChoice> choose_switches(const Catalog& catalog, const PriceBook& prices, int links, Bandwidth rate) {
  const auto layout = [&](const Part& part) -> std::optional<SwitchLayout> {
    const auto* what = std::get_if<NetworkSwitch>(&part.what);
    if (!what || what->port_rate < rate) return std::nullopt;
    return switch_layout(what->ports, links);
  };
  const auto* best = cheapest_part(
      catalog, prices, [&](const Part& part) { return layout(part).has_value(); },
      [&](const Part& part) { return layout(part)->switches; });
  if (!best) return std::nullopt;
  return SwitchChoice{best, *layout(*best)};
}

const Part* choose_nic(const Catalog& catalog, const PriceBook& prices, Bandwidth rate, bool rdma) {
  return cheapest_part(catalog, prices, [&](const Part& part) {
    const auto* nic = std::get_if<Nic>(&part.what);
    return nic && nic->rate / nic->ports >= rate && (!rdma || nic->rdma);
  });
}

const Part* cable_for(const Catalog& catalog, Bandwidth rate) {
  const Part* best = nullptr;
  Bandwidth of_best;
  if (rate <= onboard) return best;
  for (const auto& part : catalog.parts.entries) {
    const auto* cable = std::get_if<OtherPart>(&part.what);
    if (!cable || cable->kind != "cable" || cable->fits.empty()) continue;
    const auto read = parse_quantity<Bandwidth>(cable->fits);
    const auto* carries = std::get_if<Bandwidth>(&read);
    if (!carries || *carries < rate || (best && *carries >= of_best)) continue;
    best = &part;
    of_best = *carries;
  }
  return best;
}

}  // namespace rigplan
