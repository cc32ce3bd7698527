// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/left_out.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <stdexcept>

#include "rigplan/validate/errors.h"

namespace rigplan {
std::string left_out_key(const Measurement& row, std::string_view what) {
  if (what == "gpu") return row.gpu;
  if (what == "model") return row.model;
  if (what == "source") return row.source;
  if (what == "pair") return row.gpu + " " + row.model;
  throw std::logic_error{fmt::format("rows cannot be left out by \"{}\"", what)};
}

Skipped nothing_left_to_fit(std::string_view what) { return {fmt::format("all rows share one {}", what), ""}; }

std::vector<PredictedRow> left_out_rows(std::span<const Measurement> rows, std::span<const HeldOut> held_out,
                                        const std::function<std::string(const HeldOut&)>& group,
                                        const std::function<PredictionResult(const Measurement&)>& otherwise) {
  std::map<const Measurement*, const HeldOut*> by_row;
  std::map<std::string, std::vector<double>> ratios;
  for (const auto& held : held_out) {
    by_row[held.row->row] = &held;
    ratios[group(held)].push_back(std::log(held.row->row->value / held.predicted));
  }
  std::vector<PredictedRow> predicted;
  for (const auto& row : rows) {
    const auto found = by_row.find(&row);
    if (found == by_row.end()) {
      predicted.push_back({&row, otherwise(row)});
      continue;
    }
    const double likely = found->second->predicted;
    const auto& spread = ratios.at(group(*found->second));
    predicted.push_back(
        {&row, Prediction{likely * std::exp(quantile(spread, 0.1)), likely, likely * std::exp(quantile(spread, 0.9))}});
  }
  return predicted;
}

}  // namespace rigplan
