// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "rigplan/report/validation.h"

namespace rigplan {
namespace {

constexpr double side = 640, margin = 60;
constexpr const char* colours[] = {"#1b6ca8", "#c8553d", "#4f7a28", "#7b4fa3", "#b58900", "#268b8b", "#8a4b2a", "#555555"};

/// Both axes share one logarithmic scale, so the line of equality is the diagonal.
struct Scale {
  double low = 0, high = 1;  ///< powers of ten
  double across(double value) const { return margin + (std::log10(value) - low) / (high - low) * side; }
  double up(double value) const { return margin + side - (std::log10(value) - low) / (high - low) * side; }
};

Scale scale_of(std::span<const PredictedRow> rows) {
  double low = 1e300, high = 0;
  for (const auto& row : rows) {
    if (!row.prediction()) continue;
    low = std::min({low, row.row->value, row.prediction()->likely});
    high = std::max({high, row.row->value, row.prediction()->likely});
  }
  if (high <= 0) return {};
  const double first = std::floor(std::log10(low));
  return {first, std::max(first + 1, std::ceil(std::log10(high)))};
}

std::string grid(const Scale& scale) {
  std::string svg;
  for (double power = scale.low; power <= scale.high; ++power) {
    const double value = std::pow(10, power), x = scale.across(value), y = scale.up(value);
    svg += fmt::format("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}M{3:.1f} {4:.1f}H{5:.1f}\" stroke=\"#ddd\"/>\n", x, margin,
                       margin + side, margin, y, margin + side);
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:g}</text>\n", x, margin + side + 18, value);
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n", margin - 6, y + 4, value);
  }
  const double first = std::pow(10, scale.low), last = std::pow(10, scale.high);
  for (const auto& [factor, dash] : {std::pair{1.0, ""}, {1.25, "4 4"}, {0.8, "4 4"}}) {
    const double from = factor < 1 ? first / factor : first, to = factor > 1 ? last / factor : last;
    svg += fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"#888\" stroke-dasharray=\"{}\"/>\n", scale.across(from),
                       scale.up(factor * from), scale.across(to), scale.up(factor * to), dash);
  }
  return svg;
}

}  // namespace

std::string to_svg(const ValidationReport& report) {
  const auto scale = scale_of(report.rows);
  std::map<std::string, const char*> colour_of;
  for (const auto& s : report.summary) colour_of.emplace(s.kind + " " + s.metric, "");
  std::size_t next = 0;
  for (auto& [kind, colour] : colour_of) colour = colours[next++ % std::size(colours)];

  const double size = side + 2 * margin;
  auto svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {0:g}\" font-family=\"sans-serif\" "
      "font-size=\"12\" fill=\"#222\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      size);
  svg += grid(scale);
  for (const auto& row : report.rows) {
    if (!row.prediction()) continue;
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\" fill=\"{}\" fill-opacity=\"0.5\"/>\n",
                       scale.across(row.row->value), scale.up(row.prediction()->likely),
                       colour_of[row.row->kind + " " + row.row->metric]);
  }
  double y = margin + 16;
  for (const auto& [kind, colour] : colour_of) {
    svg += fmt::format("<circle cx=\"{:g}\" cy=\"{:g}\" r=\"4\" fill=\"{}\"/><text x=\"{:g}\" y=\"{:g}\">{}</text>\n",
                       margin + 14, y - 4, colour, margin + 24, y, kind);
    y += 18;
  }
  svg += fmt::format("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"middle\">measured</text>\n", size / 2, size - 18);
  svg += fmt::format("<text transform=\"translate(16 {:g}) rotate(-90)\" text-anchor=\"middle\">predicted</text>\n</svg>\n",
                     size / 2);
  return svg;
}

}  // namespace rigplan
