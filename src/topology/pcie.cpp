// SPDX-License-Identifier: Apache-2.0
#include "rigplan/topology/pcie.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace rigplan {
namespace {

/// Transfers per second of one lane, by generation, in 10^9 (PCI Express Base Specification, 1.0 to 7.0).
constexpr std::array<double, 8> gigatransfers = {0, 2.5, 5, 8, 16, 32, 64, 128};
constexpr std::array<int, 7> widths = {1, 2, 4, 8, 12, 16, 32};

/// Share of the raw bits that is not line code.
double line_efficiency(int generation) {
  if (generation <= 2) return 8.0 / 10;
  if (generation <= 5) return 128.0 / 130;
  return 236.0 / 256;  // a flit of 256 bytes holds 236 of packets
}

/// Reads a whole number at the front of `text` and takes it away.
std::optional<int> take_number(std::string_view& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}
bool take(std::string_view& text, std::string_view prefix) {
  if (text.size() < prefix.size()) return false;
  for (std::size_t i = 0; i < prefix.size(); ++i)
    if (std::tolower(static_cast<unsigned char>(text[i])) != prefix[i]) return false;
  text.remove_prefix(prefix.size());
  return true;
}
void take_spaces(std::string_view& text) {
  while (take(text, " ")) {
  }
}

}  // namespace

Bandwidth pcie_lane_rate(int generation) {
  const auto g = static_cast<std::size_t>(std::clamp(generation, 1, 7));
  return gigatransfers[g] * line_efficiency(generation) / 8 * GB_per_s;
}

double write_efficiency(int payload) { return payload / (payload + 24.0); }
double read_efficiency(int payload) { return payload / (payload + 20.0); }

Bandwidth pcie_bandwidth(PcieLink link, const PcieSettings& settings) {
  if (link.lanes <= 0 || link.generation <= 0) return {};
  return link.lanes * pcie_lane_rate(link.generation) * write_efficiency(settings.payload) * settings.flow_control;
}

PcieLink train(PcieLink a, PcieLink b) { return {std::min(a.generation, b.generation), std::min(a.lanes, b.lanes)}; }

bool is_pcie_width(int lanes) { return std::find(widths.begin(), widths.end(), lanes) != widths.end(); }

std::optional<PcieLink> parse_pcie_link(std::string_view text) {
  take(text, "pcie");
  take_spaces(text);
  take(text, "gen");
  take_spaces(text);
  const auto generation = take_number(text);
  if (!generation || *generation < 1 || *generation > 7) return std::nullopt;
  take(text, ".0");
  take_spaces(text);
  if (!take(text, "x")) return std::nullopt;
  const auto lanes = take_number(text);
  if (!lanes || !is_pcie_width(*lanes) || !text.empty()) return std::nullopt;
  return PcieLink{*generation, *lanes};
}

std::optional<int> pcie_generation_at(double rate) {
  for (std::size_t g = 1; g < gigatransfers.size(); ++g)
    if (rate > 0.98 * gigatransfers[g] && rate < 1.02 * gigatransfers[g]) return static_cast<int>(g);
  return std::nullopt;
}

}  // namespace rigplan
