// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/collective_predictor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>

#include "rigplan/json/embedded_data.h"
#include "rigplan/units/message.h"

namespace rigplan {
namespace {

bool is_collective(const Measurement& row) { return row.kind == "collective" || row.kind == "p2p"; }

std::string kind_of(const MappedRow& row) {
  const auto* collective = std::get_if<CollectiveCase>(&row);
  return collective != nullptr ? spread_kind(collective->links, collective->size) : "copy";
}

/// The range of a value in the row's unit: spreads are of log(measured / predicted) of times for collectives, of rates for
/// copies.
Prediction with_range(double likely, const MappedRow& row, const Calibration& calibration) {
  const auto& spread = calibration.spread(kind_of(row), "known");
  const auto* collective = std::get_if<CollectiveCase>(&row);
  if (collective != nullptr && collective->rate) return {likely * std::exp(-spread.high), likely, likely * std::exp(-spread.low)};
  return {likely * std::exp(spread.low), likely, likely * std::exp(spread.high)};
}

double likely_value(const MappedRow& row, const Calibration& calibration) {
  if (const auto* collective = std::get_if<CollectiveCase>(&row)) return predict_collective(*collective, calibration);
  return predict_copy(std::get<CopyCase>(row), calibration);
}

std::vector<MappedRow> map_rows(std::span<const Measurement> rows, const Catalog& catalog, const LinkPatterns& patterns) {
  std::vector<MappedRow> mapped;
  for (const auto& row : rows) {
    mapped.push_back(is_collective(row) ? map_collective_row(row, catalog, patterns)
                                        : MappedRow{Skipped{msg("another kind of row"), row.kind}});
  }
  return mapped;
}

double rounded(double value) { return std::round(value * 1e4) / 1e4; }

}  // namespace

LinkPatterns built_in_link_patterns() {
  constexpr std::string_view name = "data/measurements/link_patterns.json";
  for (const auto& file : embedded_files()) {
    if (file.name != name) continue;
    const auto json = JsonFile::read(file);
    return LinkPatterns{Cursor{json}};
  }
  throw std::logic_error{"the program carries no link patterns"};
}

RowPredictor collective_predictor(const Catalog& catalog, Calibration calibration) {
  const auto patterns = std::make_shared<LinkPatterns>(built_in_link_patterns());
  const auto constants = std::make_shared<Calibration>(std::move(calibration));
  return {"collectives", is_collective, [&catalog, patterns, constants](const Measurement& row) -> PredictionResult {
            const auto mapped = map_collective_row(row, catalog, *patterns);
            if (const auto* skipped = std::get_if<Skipped>(&mapped)) return *skipped;
            return with_range(likely_value(mapped, *constants), mapped, *constants);
          }};
}

Calibration calibrate_collectives(std::span<const Measurement> rows, const Catalog& catalog, const LinkPatterns& patterns,
                                  std::string fitted_from) {
  const auto mapped = map_rows(rows, catalog, patterns);
  auto calibration = fit_collectives(mapped);
  calibration.spreads = collective_spreads(mapped, leave_systems_out(mapped, calibration));
  const auto used =
      std::count_if(mapped.begin(), mapped.end(), [](const auto& row) { return !std::holds_alternative<Skipped>(row); });
  calibration.fitted_from = fmt::format("{}: {} rows", fitted_from, used);
  for (auto& [name, term] : calibration.terms) {
    term.log_mean = rounded(term.log_mean);
    for (auto& [level, offset] : term.offsets) offset = rounded(offset);
  }
  for (auto& spread : calibration.spreads) spread.low = rounded(spread.low), spread.high = rounded(spread.high);
  for (const auto& row : mapped) {
    if (const auto* collective = std::get_if<CollectiveCase>(&row)) {
      calibration.known.insert("arch:" + collective->links.architecture);
      calibration.known.insert("link:" + std::string{to_text(collective->links.kind)});
      calibration.known.insert("stack:" + collective->stack);
    }
  }
  return calibration;
}

std::vector<PredictedRow> cross_validate_collectives(std::span<const Measurement> rows, const Catalog& catalog,
                                                     std::string_view what) {
  if (what != "system") throw std::logic_error{fmt::format("collectives cannot be left out by \"{}\"", what)};
  const auto mapped = map_rows(rows, catalog, built_in_link_patterns());
  std::vector<PredictedRow> result;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto* skipped = std::get_if<Skipped>(&mapped[i]);
    result.push_back({&rows[i], skipped != nullptr ? *skipped : Skipped{msg("not left out"), ""}});
  }
  const auto left_out = leave_systems_out(mapped, fit_collectives(mapped));
  std::map<std::string, Calibration> spreads;  // by the system that they do not hold
  for (const auto& left : left_out) {
    const auto& system = *system_of(mapped[left.row]);
    const auto [known, is_new] = spreads.try_emplace(system);
    if (is_new) {
      std::vector<LeftOutRow> others;
      std::copy_if(left_out.begin(), left_out.end(), std::back_inserter(others),
                   [&](const LeftOutRow& one) { return *system_of(mapped[one.row]) != system; });
      known->second.spreads = collective_spreads(mapped, others);
    }
    const auto* collective = std::get_if<CollectiveCase>(&mapped[left.row]);
    const bool rate = collective != nullptr && collective->rate;
    result[left.row].result =
        with_range(rows[left.row].value * std::exp(rate ? left.log_ratio : -left.log_ratio), mapped[left.row], known->second);
  }
  return result;
}

}  // namespace rigplan
