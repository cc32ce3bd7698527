// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/fit_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "rigplan/validate/errors.h"
#include "rigplan/validate/left_out.h"

namespace rigplan {
namespace {

constexpr std::string_view known_training_kinds[] = {"arch", "family", "kernels", "stack"};

bool measures_time(const Measurement& row) { return row.metric == "s_per_step"; }

/// 10th and 90th percentile of log(measured / predicted). The range of a step's time is wanted for "train", so ratios of times.
ResidualSpread training_spread(std::string kind, std::string distance, const std::vector<double>& ratios, double widen = 1) {
  const double low = std::min(-0.01, quantile(ratios, 0.1) * widen), high = std::max(0.01, quantile(ratios, 0.9) * widen);
  const auto rounded = [](double x) { return std::round(x * 1e4) / 1e4; };
  return {std::move(kind), std::move(distance), rounded(low), rounded(high), static_cast<int>(ratios.size())};
}

std::vector<ResidualSpread> train_spreads(std::span<const FitTerm> terms, std::span<const FitRow> rows) {
  // What a program nobody has seen does to the error decides the ranges: residuals of the fit itself are too small.
  const auto by_engine = cross_validate(
      "training", terms, rows, known_training_kinds, [](const Measurement& row) { return row.engine; }, 8,
      [](const Calibration&, const FitRow&) { return std::string{}; });
  std::vector<double> ratios;
  for (const auto& held : by_engine) {
    const double ratio = std::log(held.row->row->value / held.predicted);
    ratios.push_back(measures_time(*held.row->row) ? ratio : -ratio);
  }
  auto known = training_spread("train", "known", ratios);
  auto family = training_spread("train", "known-architecture", ratios, 1.25);
  auto unknown = training_spread("train", "unknown", ratios, 1.6);
  return {known, family, unknown};
}

std::vector<ResidualSpread> memory_spreads(std::span<const Measurement> rows, const Catalog& catalog, ModelLibrary& models,
                                           std::span<const TrainingStack> stacks) {
  Calibration none;
  none.spreads = {{"train_memory", "known", 0, 0, 0}, {"train_memory", "unknown", 0, 0, 0}};
  const auto predictor = train_memory_predictor(catalog, models, stacks, none);
  std::vector<double> stated, assumed;
  for (const auto& row : rows) {
    if (!predictor.accepts(row)) continue;
    const auto result = predictor.predict(row);
    if (const auto* prediction = std::get_if<Prediction>(&result))
      (row.seq ? stated : assumed).push_back(std::log(row.value / prediction->likely));
  }
  auto known = training_spread("train_memory", "known", stated);
  if (assumed.size() < 10) assumed = stated;
  return {known, training_spread("train_memory", "unknown", assumed, 1.5)};
}

}  // namespace

std::span<const FitTerm> training_fit_terms() {
  // In the order of training_terms(). Centres: large matrices reach three quarters of the peak; a rotary gated layer passes about
  // once over each value; a layer of an eager program takes 2 ms of launches; the rest as measured on single kernels. Attention
  // with the instructions of earlier chips reaches half of what Hopper's own reach: 35 and 75 % of the peak in arXiv:2407.08608,
  // abstract. Launches, counted in kernels of a layer: forward 1, backward 1.5, so that a second forward pass makes 1.4 of it;
  // an adapter adds its own to each matrix, and so does a matrix that is dequantised first; a hook on each parameter sends its
  // gradient away by itself. Links and habits of gathering move shares of a bandwidth that is known, so they stray little;
  // what is gathered parameter by parameter waits for the network each time.
  static const std::vector<FitTerm> terms = {
      {"gemm_efficiency", "", 0.78, 0.1, {{"arch", 0.15}, {"family", 0.08}, {"kernels", 0.05}}},
      {"rows_half", "tokens", 160, 0.15, {}},
      {"hidden_half", "", 300, 0.3, {}},
      {"attention_efficiency",
       "",
       0.38,
       0.2,
       {{"arch", 0.4},
        {"attention|family", 0.2, "attention:earlier|family:hopper", 0.5},
        {"attention|family", 0.2, "attention:earlier|family:blackwell", 0.5},
        {"attention|family", 0.05}}},
      {"elementwise_passes", "", 1.1, 0.2, {{"kernels", 0.3}}},
      {"launch_time",
       "us",
       2100,
       0.1,
       {{"kernels", 0.25},
        {"mode", 0.5, "mode:checkpointed", 1.4},
        {"mode", 0.5, "mode:adapters", 1.3},
        {"mode", 0.5, "mode:quantised", 1.3},
        {"mode", 0.5, "mode:gradient hooks", 2},
        {"stack", 0.4}}},
      {"dequantisation", "", 0.4, 0.3, {{"format", 0.5}}},
      {"optimizer_traffic", "", 1.2, 0.15, {{"kernels", 0.25}}},
      {"gather_bus", "", 0.9, 0.05, {{"link", 0.2}, {"gathers", 0.3}, {"link|gathers", 1, "link:network|gathers:per-parameter"}}},
      {"gather_overlap", "", 0.7, 0.1, {{"gathers", 0.2}, {"link", 0.2}}},
      {"reduce_overlap", "", 0.3, 0.4, {}},
      {"tensor_overlap", "", 0.7, 0.1, {}},
      {"fp8_gain", "", 1.69, 0.08, {}},
      {"mixture_slowdown", "", 3.4, 0.4, {}},
      {"bf16_emulation", "", 2.6, 0.3, {}},
  };
  return terms;
}

std::vector<FitRow> training_fit_rows(std::span<const Measurement> rows, const Catalog& catalog, ModelLibrary& models,
                                      std::span<const TrainingStack> stacks) {
  std::vector<FitRow> fit;
  for (const auto& measured : rows) {
    if (measured.kind != "train") continue;
    const auto mapped = map_train_row(measured, catalog, models, stacks);
    const auto* row = std::get_if<TrainRow>(&mapped);
    if (!row) continue;
    const auto shared = std::make_shared<TrainRow>(*row);
    FitRow out;
    out.row = &measured;
    out.levels = training_levels(row->card, *row->stack, row->job, row->plan, sharing_link(row->plan, row->fabric));
    out.predict = [shared](std::span<const double> values) {
      const auto constants = make_training_constants(values, *shared->stack);
      return train_metric(*shared, simulate_training(*shared->model, shared->job, shared->plan, *shared->stack, shared->card,
                                                     shared->fabric, constants));
    };
    fit.push_back(std::move(out));
  }
  weigh_by_cluster(
      fit, [](const Measurement& row) { return row.engine; }, 0.4);
  return fit;
}

Calibration fit_training(std::span<const Measurement> rows, const Catalog& catalog, ModelLibrary& models,
                         std::span<const TrainingStack> stacks) {
  const auto fit = training_fit_rows(rows, catalog, models, stacks);
  auto calibration = fit_calibration("training", training_fit_terms(), fit, known_training_kinds);
  calibration.fitted_from = fmt::format("{} rows of training speed", fit.size());
  calibration.spreads = train_spreads(training_fit_terms(), fit);
  const auto memory = memory_spreads(rows, catalog, models, stacks);
  calibration.spreads.insert(calibration.spreads.end(), memory.begin(), memory.end());
  return calibration;
}

std::vector<PredictedRow> cross_validate_training(std::span<const Measurement> rows, const Catalog& catalog, ModelLibrary& models,
                                                  std::span<const TrainingStack> stacks, std::string_view what) {
  const auto fit = training_fit_rows(rows, catalog, models, stacks);
  const auto held = cross_validate(
      "training", training_fit_terms(), fit, known_training_kinds,
      [&](const Measurement& row) { return left_out_key(row, what); }, left_out_turns,
      [](const Calibration&, const FitRow&) { return std::string{}; });
  Calibration memory;
  memory.spreads = memory_spreads(rows, catalog, models, stacks);
  const auto memory_rows = train_memory_predictor(catalog, models, stacks, memory);
  const auto otherwise = [&](const Measurement& row) -> PredictionResult {
    if (memory_rows.accepts(row)) return memory_rows.predict(row);
    const auto mapped = map_train_row(row, catalog, models, stacks);
    if (const auto* skipped = std::get_if<Skipped>(&mapped)) return *skipped;
    return nothing_left_to_fit(what);
  };
  return left_out_rows(
      rows, held, [](const HeldOut& h) { return std::string{measures_time(*h.row->row) ? "time" : "rate"}; }, otherwise);
}

}  // namespace rigplan
