// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <string>

#include "rigplan/units/format.h"
#include "rigplan/units/message.h"
#include "topology/warning_rules.h"

namespace rigplan {
namespace {

/// Memory windows that the firmware must place: each card's, rounded up to a power of two.
Bytes window_of_all(const NodeView& v) {
  Bytes sum;
  for (int i = 0; i < v.cards(); ++i) {
    const auto want = v.place.cards[static_cast<std::size_t>(i)].bar.value_or(v.gpu(i).vram);
    sum += static_cast<double>(std::bit_ceil(static_cast<unsigned long long>(want.in(MiB)))) * MiB;
  }
  return sum;
}

/// Cards with a window over all their memory from the start, which is what older firmware fails at.
bool large_windows(const NodeView& v) {
  for (int i = 0; i < v.cards(); ++i)
    if (v.gpu(i).form != CardForm::pcie || !v.gpu(i).display_outputs) return true;
  return false;
}

/// One name, several boards and VBIOSes: generation, memory window and peers of the card in hand may differ from the catalog's.
void warn_of_look_alikes(const NodeView& v) {
  std::set<std::string> told;
  for (int i = 0; i < v.cards(); ++i) {
    const auto& gpu = v.gpu(i);
    if (std::find(gpu.warnings.begin(), gpu.warnings.end(), "W_FAKE_CARD") == gpu.warnings.end() || !told.insert(gpu.id).second)
      continue;
    v.warn("W_FAKE_CARD",
           fmt::format("{} is sold with other boards, VBIOS or memory under one name; PCIe generation, memory window and "
                       "peer-to-peer of the card in hand may differ from what is planned",
                       gpu.name.empty() ? gpu.id : gpu.name),
           v.name(v.node.cards[static_cast<std::size_t>(i)]));
  }
}

}  // namespace

void warn_of_firmware(const NodeView& v) {
  warn_of_look_alikes(v);
  const auto& host = v.node.host;
  if (v.node.board.includes_cpu && !host.above_4g) return;  // a complete server is built for its cards
  const auto window = window_of_all(v);
  if (large_windows(v) && !host.above_4g.value_or(false))
    v.warn("W_ABOVE4G",
           fmt::format("the memory windows of the cards need up to {} above 4 GiB; that the firmware decodes them is {}",
                       to_text(window), host.above_4g ? msg("ruled out") : msg("not stated")));
  if (large_windows(v) && v.cards() > 2 && v.node.board.chipset_uplink)
    v.warn("W_MMIO_WINDOW",
           fmt::format("{} cards ask for {} of address space; desktop firmware often has less, and then does not start",
                       v.cards(), to_text(window)));
  const bool amd = v.gpu(0).vendor == Vendor::amd;
  if (v.cards() > 1 && (host.iommu_translates.value_or(amd)))
    v.warn("W_IOMMU_PT", host.iommu_translates
                             ? msg("the IOMMU translates: peer copies go through it or fail; set pass-through")
                             : msg("set the IOMMU to pass-through (iommu=pt): libraries for these cards want it"));
}

}  // namespace rigplan
