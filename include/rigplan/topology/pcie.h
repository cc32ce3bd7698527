// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rigplan/catalog/gpu.h"
#include "rigplan/units/quantity.h"

namespace rigplan {

/// What a PCIe link is set to beside generation and width.
struct PcieSettings {
  int payload = 256;            ///< bytes of a packet (MaxPayload); consumer boards often fix 128
  double flow_control = 0.975;  ///< what credits and acknowledgements leave of the bandwidth
};

/// Bit rate of one lane after line coding, each way, before packet headers: 8b/10b up to generation 2, 128b/130b up to 5,
/// flits of 236 of 256 bytes from 6 on. @pre 1 <= generation <= 7
Bandwidth pcie_lane_rate(int generation);

/// Share of a packet that is payload: memory writes carry 24 bytes beside it (framing, 64-bit header, LCRC), completions 20.
double write_efficiency(int payload);
double read_efficiency(int payload);

/// Payload that a link carries one way, writes. Zero for a link without lanes.
Bandwidth pcie_bandwidth(PcieLink link, const PcieSettings& settings = {});

/// What both sides agree on: the lesser generation and the lesser width.
PcieLink train(PcieLink a, PcieLink b);

/// Widths that the specification knows: 1, 2, 4, 8, 12, 16, 32.
bool is_pcie_width(int lanes);

std::string to_text(PcieLink);  ///< "PCIe 4.0 x8"
/// Reads "4.0 x8", "PCIe 4.0 x8", "Gen4 x8". Nothing when the text is something else, the width is not one of the
/// specification's or the generation is beyond 7.
std::optional<PcieLink> parse_pcie_link(std::string_view text);

/// The generation that runs at `gigatransfers` per second (2.5, 5, 8, 16, 32, 64, 128); nothing for another rate.
std::optional<int> pcie_generation_at(double gigatransfers);

}  // namespace rigplan
