// SPDX-License-Identifier: Apache-2.0
#include "import/link_text.h"

#include <charconv>
#include <cmath>

#include "rigplan/topology/pcie.h"

namespace rigplan {
namespace {

std::string_view skip_spaces(std::string_view text) {
  const auto at = text.find_first_not_of(" \t");
  return at == std::string_view::npos ? std::string_view{} : text.substr(at);
}

}  // namespace

std::optional<double> read_real(std::string_view text) {
  text = skip_spaces(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<long long> read_whole(std::string_view text) {
  text = skip_spaces(text);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
    base = 16;
  }
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{}) return std::nullopt;
  return value;
}

std::optional<int> read_generation(std::string_view text) {
  const auto rate = read_real(text);
  if (!rate || text.find("GT/s") == std::string_view::npos) return std::nullopt;
  return pcie_generation_at(*rate);
}

std::vector<PcieLink> links_at(double gigabytes) {
  std::vector<PcieLink> found;
  for (const int lanes : {16, 8, 4, 2, 1, 32})
    for (int generation = 1; generation <= 7; ++generation) {
      const double rate = lanes * pcie_lane_rate(generation).in(GB_per_s);
      if (std::abs(rate - gigabytes) < 0.02 * gigabytes) found.push_back({generation, lanes});
    }
  return found;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    auto line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = skip_spaces(text); !text.empty(); text = skip_spaces(text)) {
    const auto end = text.find_first_of(" \t");
    words.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end);
  }
  return words;
}

}  // namespace rigplan
