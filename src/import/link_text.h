// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rigplan/catalog/gpu.h"

namespace rigplan {

/// The generation in "16.0 GT/s PCIe", "8GT/s", "32 GT/s PCIe/s"; nothing for "Unknown" and for rates of no generation.
std::optional<int> read_generation(std::string_view text);

/// Generation and width whose payload after line coding is `gigabytes` per second; several fit, the widest comes first.
std::vector<PcieLink> links_at(double gigabytes);

/// The number at the front of `text` behind spaces, decimal or "0x1f"; nothing when there is none.
std::optional<long long> read_whole(std::string_view text);
std::optional<double> read_real(std::string_view text);

std::vector<std::string_view> split_lines(std::string_view text);
std::vector<std::string_view> split_words(std::string_view text);

}  // namespace rigplan
