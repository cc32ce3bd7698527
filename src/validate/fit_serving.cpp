// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "rigplan/units/message.h"
#include "rigplan/validate/errors.h"
#include "rigplan/validate/left_out.h"
#include "rigplan/validate/serve_row.h"

namespace rigplan {
namespace {

constexpr std::string_view known_serving_kinds[] = {"engine", "family"};
/// Times to first token scatter three times as much as times per token between equal rows.
constexpr double first_token_weight = 0.12;
constexpr int serving_turns = 9;  ///< one for each model of the shipped rows

FitOptions serving_fit_options() { return {.noise = 0.12, .iterations = 25}; }

std::vector<HeldOut> hold_out_serving(std::span<const FitRow> fit, const std::function<std::string(const Measurement&)>& key) {
  return cross_validate(
      "serving", serving_fit_terms(), fit, known_serving_kinds, key, serving_turns,
      [](const Calibration&, const FitRow&) { return std::string{}; }, serving_fit_options());
}

ResidualSpread serving_spread(std::string kind, std::string distance, const std::vector<double>& ratios, double widen) {
  const auto rounded = [](double x) { return std::round(x * 1e4) / 1e4; };
  return {std::move(kind), std::move(distance), rounded(std::min(-0.01, widen * quantile(ratios, 0.1))),
          rounded(std::max(0.01, widen * quantile(ratios, 0.9))), static_cast<int>(ratios.size())};
}

}  // namespace

std::span<const FitTerm> serving_fit_terms() {
  // In the order of serving_terms(). Centres: streaming kernels reach nine tenths of the bandwidth, matrix products at a few rows
  // six tenths of the rate; times as counted in traces of single layers. A router and grouped
  // products launch one or two kernels more than the dense products that they replace. Blackwell multiplies MXFP4 as it is
  // stored, where Hopper converts it first, and its kernels of a mixture join router, permutation and products. Strong priors
  // generalise better than weak ones.
  static const std::vector<FitTerm> terms = {
      {"dense_share", "", 0.92, 0.05, {{"dense", 0.2}}},
      {"flop_share", "", 0.6, 0.2, {}},
      {"expert_share",
       "",
       0.7,
       0.1,
       {{"expert", 0.15}, {"expert|family", 0.15, "expert:mxfp4|family:blackwell", 1.25}, {"expert|family", 0.15}}},
      {"cache_share", "", 0.79, 0.15, {}},
      {"all_reduce_latency", "us", 5, 0.15, {{"family", 0.2}}},
      {"all_reduce_share", "", 0.2, 0.4, {}},
      {"layer_time", "us", 42, 0.1, {{"engine", 0.2}, {"family", 0.1}}},
      {"latent_factor", "", 1.5, 0.15, {}},
      {"indexer_factor", "", 1.9, 0.15, {}},
      {"mixture_time", "us", 6, 0.2, {{"engine", 0.3}, {"family", 0.6, "family:blackwell", 0.5}, {"family", 0.6}}},
      {"iteration_time", "us", 500, 0.4, {}},
      {"stream_time", "us", 10, 0.4, {}},
      {"prefill_share", "", 0.45, 0.15, {{"dense", 0.4}}},
      {"prefill_expert_share", "", 0.22, 0.3, {{"expert", 0.2}}},
      {"prefill_attention_share", "", 0.5, 0.2, {}},
      {"prefill_all_reduce_share", "", 0.6, 0.2, {}},
      {"interference", "", 0.8, 0.1, {{"engine", 0.08}}},
      {"first_token_time", "ms", 40, 0.3, {{"engine", 0.5}, {"load", 0.5}}},
      {"queue_slope", "", 0.1, 0.3, {{"engine", 0.5}, {"load", 0.5}, {"engine|load", 0.3}}},
      {"layer_prompt_time", "us", 92, 0.2, {}},
      {"first_steps", "", 2.9, 0.25, {}},
      {"slot_wait", "", 0.8, 0.1, {}},
      {"warm_up_time", "ms", 500, 1, {{"engine", 0.7}}},
  };
  return terms;
}

std::vector<FitRow> serving_fit_rows(std::span<const Measurement> rows, const Catalog& catalog) {
  std::vector<FitRow> fit;
  for (const auto& measured : rows) {
    if (!is_serve_row(measured)) continue;
    const auto mapped = map_serve_row(measured, catalog);
    const auto* row = std::get_if<ServeRow>(&mapped);
    if (!row || streams_held(row->setup, row->prompt, row->generate) < 1) continue;
    const auto shared = std::make_shared<ServeRow>(*row);
    FitRow out;
    out.row = &measured;
    out.levels = row->levels;
    out.predict = [shared](std::span<const double> values) {
      shared->setup.constants = make_serving_constants(values);
      return serve_metric(*shared, serve_at(shared->setup, shared->prompt, shared->generate, shared->users));
    };
    fit.push_back(std::move(out));
  }
  weigh_by_cluster(
      fit, [](const Measurement& row) { return row.model + row.engine.substr(0, row.engine.find(' ')) + row.gpu; }, 0.5);
  for (auto& row : fit)
    if (row.row->metric == "ttft_ms") row.weight *= first_token_weight;
  return fit;
}

Calibration fit_serving(std::span<const Measurement> rows, const Catalog& catalog) {
  const auto fit = serving_fit_rows(rows, catalog);
  auto calibration = fit_calibration("serving", serving_fit_terms(), fit, known_serving_kinds, serving_fit_options());
  calibration.fitted_from = fmt::format("{} of {} rows", fit.size(), rows.size());
  const auto held = hold_out_serving(fit, [](const Measurement& row) { return row.model; });
  std::vector<double> step, first;
  for (const auto& h : held)
    (h.row->row->metric == "tpot_ms" ? step : first).push_back(std::log(h.row->row->value / h.predicted));
  calibration.spreads = {serving_spread("tpot", "known", step, 1), serving_spread("tpot", "unknown", step, 1.5),
                         serving_spread("ttft", "known", first, 1), serving_spread("ttft", "unknown", first, 1.5)};
  return calibration;
}

std::vector<PredictedRow> cross_validate_serving(std::span<const Measurement> rows, const Catalog& catalog,
                                                 std::string_view what) {
  const auto fit = serving_fit_rows(rows, catalog);
  const auto held = hold_out_serving(fit, [&](const Measurement& row) { return left_out_key(row, what); });
  const auto otherwise = [&](const Measurement& row) -> PredictionResult {
    const auto mapped = map_serve_row(row, catalog);
    if (const auto* skipped = std::get_if<Skipped>(&mapped)) return *skipped;
    const auto& question = std::get<ServeRow>(mapped);
    if (streams_held(question.setup, question.prompt, question.generate) < 1) return Skipped{msg("does not fit"), ""};
    return nothing_left_to_fit(what);
  };
  return left_out_rows(
      rows, held, [](const HeldOut& h) { return h.row->row->metric; }, otherwise);
}

}  // namespace rigplan
