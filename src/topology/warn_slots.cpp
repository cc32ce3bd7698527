// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rigplan/topology/pcie.h"
#include "rigplan/units/format.h"
#include "topology/warning_rules.h"

namespace rigplan {
namespace {

void warn_of_chipset(const NodeView& v) {
  std::vector<std::string> behind;
  int devices = 0;
  for (const auto& device : v.node.devices) {
    const int d = static_cast<int>(&device - v.node.devices.data());
    const auto* up = v.upward(d);
    if (up != nullptr && v.device(up->to).kind == DeviceKind::chipset) ++devices;
    if (device.kind == DeviceKind::card && v.above(d, DeviceKind::chipset) >= 0) behind.push_back(v.name(d));
  }
  if (behind.empty()) return;
  const auto chipset =
      std::find_if(v.node.devices.begin(), v.node.devices.end(), [](const Device& d) { return d.kind == DeviceKind::chipset; });
  const auto& uplink = *v.upward(static_cast<int>(chipset - v.node.devices.begin()));
  for (const auto& card : behind)
    v.warn("W_CHIPSET_SLOT",
           fmt::format("{} hangs behind the chipset, whose uplink {} carries {} one way; topology prints do not show it", card,
                       to_text(uplink.pcie), to_text(uplink.bandwidth)),
           card);
  const auto& others = v.node.board.chipset_devices;
  if (devices + static_cast<int>(others.size()) > 1)
    v.warn("W_UPLINK_SHARED",
           fmt::format("the chipset uplink ({}) is shared by {}{}{}", to_text(uplink.bandwidth), fmt::join(behind, ", "),
                       others.empty() ? "" : ", ", fmt::join(others, ", ")),
           "chipset");
}

void warn_of_training(const NodeView& v, int i) {
  const auto& place = v.place.cards[static_cast<std::size_t>(i)];
  const auto& link = v.card_link(i);
  const auto name = v.name(v.node.cards[static_cast<std::size_t>(i)]);
  const auto& gpu = v.gpu(i);
  if (gpu.pcie && gpu.pcie->generation == 1)
    v.warn("W_LINK_LOCKED_GEN1", fmt::format("{} is locked to {}: {} one way", name, to_text(*gpu.pcie), to_text(link.bandwidth)),
           name);
  if (!place.trained || link.slot.lanes == 0) return;
  const auto able = gpu.pcie ? train(link.slot, *gpu.pcie) : link.slot;
  if (place.trained->generation < able.generation || place.trained->lanes < able.lanes)
    v.warn("W_LINK_DOWNTRAINED",
           fmt::format("{} trained to {} where slot and card allow {}: {} instead of {}", name, to_text(*place.trained),
                       to_text(able), to_text(link.bandwidth), to_text(pcie_bandwidth(able))),
           name);
}

void warn_of_width(const NodeView& v) {
  int widest = 0, narrowest = 0;
  for (int i = 0; i < v.cards(); ++i) {
    const auto& link = v.card_link(i);
    const auto name = v.name(v.node.cards[static_cast<std::size_t>(i)]);
    if (link.bandwidth > v.card_link(widest).bandwidth) widest = i;
    if (link.bandwidth < v.card_link(narrowest).bandwidth) narrowest = i;
    if (link.pcie.lanes == 1)
      v.warn("W_LANES_X1",
             fmt::format("{} has a single lane ({}): {} one way, so 8 GiB take {} to load", name, to_text(link.pcie),
                         to_text(link.bandwidth), to_text(8 * GiB / link.bandwidth)),
             name);
    if (link.slot_length > link.slot.lanes && link.slot.lanes > 0)
      v.warn("W_SLOT_PHYSICAL_VS_ELECTRICAL",
             fmt::format("{} is in a slot as long as x{} that is wired for x{}", name, link.slot_length, link.slot.lanes), name);
    warn_of_training(v, i);
  }
  const auto &wide = v.card_link(widest), &narrow = v.card_link(narrowest);
  if (narrow.bandwidth < wide.bandwidth * 0.99)
    v.warn(
        "W_UNEQUAL_WIDTH",
        fmt::format("the links of the cards differ, from {} ({}) to {} ({}); a ring runs at the slowest, and libraries may leave "
                    "peer-to-peer when widths are mixed",
                    to_text(narrow.pcie), v.name(v.node.cards[static_cast<std::size_t>(narrowest)]), to_text(wide.pcie),
                    v.name(v.node.cards[static_cast<std::size_t>(widest)])),
        v.name(v.node.cards[static_cast<std::size_t>(narrowest)]));
}

void warn_of_risers(const NodeView& v) {
  std::vector<std::string> cabled;
  int generation = 0;
  for (int i = 0; i < v.cards(); ++i) {
    if (v.place.cards[static_cast<std::size_t>(i)].plug.via.empty()) continue;
    cabled.push_back(v.name(v.node.cards[static_cast<std::size_t>(i)]));
    generation = std::max(generation, v.card_link(i).pcie.generation);
  }
  if (!cabled.empty() && generation >= 3)
    v.warn(
        "W_RISER_AER",
        fmt::format("{} on risers or cables at PCIe {}.0; watch for replay errors, and fix the generation in the firmware where "
                    "they occur",
                    fmt::join(cabled, ", "), generation),
        cabled.front());
}

void warn_of_sockets(const NodeView& v) {
  std::vector<int> on_socket(v.node.memory.size());
  for (int i = 0; i < v.cards(); ++i) ++on_socket[static_cast<std::size_t>(v.card(i).socket)];
  if (std::count_if(on_socket.begin(), on_socket.end(), [](int n) { return n > 0; }) < 2) return;
  const auto& link = v.node.links[static_cast<std::size_t>(v.node.socket_link[0][1])];
  v.warn("W_NUMA_CROSS", fmt::format("the cards are spread over sockets ({}); traffic between them crosses {} at {}",
                                     fmt::join(on_socket, " + "), link.label, to_text(link.bandwidth)));
}

void warn_of_mixed_memory(const NodeView& v) {
  int least = 0, most = 0;
  for (int i = 0; i < v.cards(); ++i) {
    if (v.gpu(i).vram < v.gpu(least).vram) least = i;
    if (v.gpu(i).vram > v.gpu(most).vram) most = i;
  }
  if (v.gpu(least).vram < v.gpu(most).vram)
    v.warn("W_MIXED_VRAM", fmt::format("cards of {} and {} in one machine; equal splits are bound by the smaller",
                                       to_text(v.gpu(least).vram), to_text(v.gpu(most).vram)));
}

}  // namespace

void warn_of_slots(const NodeView& v) {
  warn_of_chipset(v);
  warn_of_width(v);
  warn_of_risers(v);
  warn_of_sockets(v);
  warn_of_mixed_memory(v);
}

}  // namespace rigplan
