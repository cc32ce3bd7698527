// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/fit_speed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>

#include "rigplan/units/message.h"
#include "rigplan/validate/reported_rates.h"
#include "rigplan/validate/speed_cross_validation.h"

namespace rigplan {
namespace {

/// A gated delta layer of some forty elementary operations, against about twelve launches of an attention layer.
constexpr double unfused_launches = 3.5;

/// Priors: medians from physics and from published kernels; spreads say how much engines, chips and formats may differ.
const std::vector<FitTerm>& terms_of_speed() {
  static const std::vector<FitTerm> terms{
      {"bandwidth_share", "odds", 11.5, 0.4, {{"memory", 0.4}, {"arch", 0.2}}},
      {"unpack_operations",
       "FLOP per weight",
       15,
       0.4,
       {{"format", 0.35},
        {"engine|format", 0.3},
        {"family", 0.3},
        {"arch", 0.2},
        {"stack", 0.3},
        {"backend", 0.2},
        {"engine", 0.25},
        {"program|era", 0.3},
        {"engine|era", 0.2}}},
      {"layer_time",
       "s",
       55e-6,
       0.4,
       {{"engine", 0.5}, {"engine|family", 0.15}, {"program|era", 0.3}, {"engine|era", 0.2}, {"engine|arch", 0.1}}},
      {"token_time", "s", 60e-6, 0.7, {{"engine", 0.4}}},
      {"expert_layer_times", "layer times", 1.0, 0.4, {{"engine", 0.5}, {"engine|family", 0.2}}},
      {"recurrent_layer_times",
       "layer times",
       1.0,
       0.3,
       {{"engine", 0.4}, {"engine|family", 0.2}, {"recurrent", 0.5, "recurrent:unfused", unfused_launches}}},
      {"low_rank_layer_times", "layer times", 0.7, 0.5, {{"engine", 0.4}}},
      {"compressed_layer_times", "layer times", 2, 0.5, {}},
      {"cache_share", "", 0.3, 0.4, {{"engine", 0.3}, {"family", 0.2}, {"cache", 0.3}, {"attention", 0.3}}},
      {"batch_share", "", 0.15, 0.5, {{"engine", 0.4}, {"family", 0.3}}},
      {"stream_time", "s", 10e-6, 0.5, {{"engine", 0.5}}},
      // 0.11 to 0.83 ms a token of 32,000 entries in logs of llama.cpp from 2023 to 2025 (issues 2237 and 9013, pull request
      // 1773)
      {"sample_time", "s per vocabulary entry", 8e-9, 0.5, {{"engine", 0.3}}},
      {"all_reduce_latency", "", 1.3, 0.4, {{"engine", 0.4}}},
      {"all_reduce_share", "", 0.8, 0.2, {}},
      {"boundary_time", "s", 130e-6, 0.5, {{"engine", 0.3}}},
      {"gather_time", "s", 290e-6, 0.5, {}},
      {"gemm_share",
       "",
       0.25,
       0.5,
       {{"engine", 0.4},
        {"family", 0.3},
        {"format", 0.3},
        {"engine|family", 0.3},
        {"engine|format", 0.3},
        {"engine|era", 0.3},
        {"arch", 0.2}}},
      {"half_rows", "rows", 40, 0.5, {{"engine", 0.3}}},
      {"half_rows_expert", "rows", 60, 0.4, {{"engine", 0.6}}},
      {"attention_share", "", 0.1, 0.5, {{"attention", 0.4}, {"engine", 0.4}, {"family", 0.3}}},
      {"prompt_time", "s", 4e-3, 0.5, {{"engine", 0.4}}},
      {"chunk_overlap", "", 0.25, 0.4, {}},
      {"small_rows_operations", "FLOP per weight", 4, 0.5, {{"family", 0.3}, {"format", 0.3}}},
      {"power_arithmetic", "exponent", 0.2, 0.4, {}},
      {"power_bandwidth", "exponent", 0.13, 0.4, {}},
      {"unstated_prompt", "prompt tokens per generated token", 1.0, 0.5, {}},
      {"prompt_interference", "", 0.8, 0.4, {{"engine", 0.4}, {"engine|family", 0.3}}},
  };
  return terms;
}

constexpr std::string_view known_kinds[] = {"card", "arch", "engine|family"};
constexpr std::string_view family = "speed";
/// Of a row of serving beside one that measures a rate: it comes with hundreds of its like.
constexpr double step_weight = 0.3;

/// What the formulas need to be asked at all: the priors' medians, and a spread that nobody reads.
const Calibration& medians() {
  static const Calibration calibration = [] {
    Calibration c;
    c.family = family;
    for (const auto& term : terms_of_speed())
      c.terms.emplace(term.name, FittedTerm{term.name, term.unit, std::log(term.expected), 0, {}});
    c.spreads.push_back({"decode", "unknown", -1, 1, 0});
    return c;
  }();
  return calibration;
}

std::vector<std::string> levels_of(const SpeedRow& row) {
  const char* split = row.plan.cards == 1                  ? "single"
                      : row.plan.split == SplitMode::layer ? "layer"
                      : row.plan.split == SplitMode::row   ? "row"
                                                           : "tensor";
  const auto* mix = find_weight_mix(row.job.weight_format);
  const auto work =
      inference_work(*row.model, *mix, *find_number_format(row.job.key_format), *find_number_format(row.job.value_format));
  return speed_levels({row.job.engine, row.job.engine_date, row.job.flash_attention, split}, row.card, work);
}

SpeedConstants constants_from(std::span<const double> values) {
  SpeedConstants constants;
  const auto terms = speed_terms();
  for (std::size_t t = 0; t < terms.size(); ++t) constants.*terms[t].member = values[t];
  return constants;
}

}  // namespace

std::span<const FitTerm> speed_fit_terms() { return terms_of_speed(); }
std::span<const std::string_view> speed_known_kinds() { return known_kinds; }
FitOptions speed_fit_options() { return {.noise = 0.1, .cauchy = true, .iterations = 60}; }

std::vector<FitRow> speed_fit_rows(std::span<const SpeedRow> rows) {
  std::vector<FitRow> fit_rows;
  for (const auto& row : rows) {
    const auto prepared = std::make_shared<PreparedInference>(*row.model, row.job, row.plan, std::span{&row.card, 1}, row.fabric,
                                                              medians(), row.setting);
    fit_rows.push_back({row.row, 1, levels_of(row), [&row, prepared](std::span<const double> values) {
                          prepared->use_constants(constants_from(values));
                          const auto prompts = values.last(2);
                          return speed_of_row(row, *prepared, {prompts[0], prompts[1]});
                        }});
  }
  // A table of one model on one card repeats one experiment.
  weigh_by_cluster(
      fit_rows, [](const Measurement& m) { return m.source + m.gpu + m.model + m.quant + m.kind; }, 0.5);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].quantity == SpeedQuantity::step) fit_rows[i].weight *= step_weight;
  return fit_rows;
}

std::string speed_distance(const Calibration& calibration, const SpeedRow& row) {
  return std::string{distance_from_rows(calibration, row.card, "engine:" + engine_with_backend(row.job.engine, row.card))};
}

std::variant<SpeedRow, Skipped> map_speed_fit_row(const Measurement& row, const Catalog& catalog) {
  auto result = map_speed_row(row, catalog);
  const auto* question = std::get_if<SpeedRow>(&result);
  if (question && question->quantity == SpeedQuantity::step && question->prompt > question->generate)
    return Skipped{msg("step among prompts longer than the answers"), ""};
  return result;
}

std::vector<SpeedRow> map_speed_rows(std::span<const Measurement> rows, const Catalog& catalog, bool reports) {
  std::vector<SpeedRow> mapped;
  for (const auto& row : rows) {
    if (!is_speed_row(row) || is_reported_rate(row) != reports) continue;
    auto result = map_speed_fit_row(row, catalog);
    if (auto* question = std::get_if<SpeedRow>(&result)) mapped.push_back(std::move(*question));
  }
  return mapped;
}

Calibration fit_speed_constants(std::span<const SpeedRow> rows) {
  return fit_calibration(family, terms_of_speed(), speed_fit_rows(rows), known_kinds, speed_fit_options());
}

Calibration fit_speed(std::span<const Measurement> rows, const Catalog& catalog) {
  const auto mapped = map_speed_rows(rows, catalog, false), reports = map_speed_rows(rows, catalog, true);
  auto calibration = fit_speed_constants(mapped);
  calibration.fitted_from =
      fmt::format("{} of {} rows", mapped.size(), rows.size() - std::ranges::count_if(rows, is_reported_rate));
  // A card that was measured is asked about with other models; a new card is asked about with any.
  const auto without_pair = hold_out_speed(mapped, "pair", reports), without_card = hold_out_speed(mapped, "gpu");
  for (const auto& [held_out, wanted] : {std::pair{&without_pair, true}, std::pair{&without_card, false}})
    for (auto& spread : spreads_of(*held_out))
      if ((spread.distance == "known") == wanted) calibration.spreads.push_back(std::move(spread));
  if (!reports.empty()) calibration.spreads.push_back(reported_spread(ask_reports(reports, without_pair, calibration)));
  return calibration;
}

double predict_speed(const Calibration& calibration, const SpeedRow& row) {
  PreparedInference prepared{*row.model, row.job, row.plan, std::span{&row.card, 1}, row.fabric, medians(), row.setting};
  const auto levels = levels_of(row);
  prepared.use_constants(resolve_speed_constants(calibration, levels));
  return speed_of_row(row, prepared,
                      {calibration.value("unstated_prompt", levels), calibration.value("prompt_interference", levels)});
}

RowPredictor speed_predictor(const Catalog& catalog, const Calibration& calibration) {
  const auto predict = [&catalog, calibration](const Measurement& row) -> PredictionResult {
    const auto mapped = map_speed_row(row, catalog);
    if (const auto* skipped = std::get_if<Skipped>(&mapped)) return *skipped;
    const auto& question = std::get<SpeedRow>(mapped);
    const double likely = predict_speed(calibration, question);
    auto spread = calibration.spread(spread_kind(question), speed_distance(calibration, question));
    if (!question.build_stated) spread = with_reports(spread, calibration);
    if (question.quantity == SpeedQuantity::step)
      return Prediction{likely * std::exp(-spread.high), likely, likely * std::exp(-spread.low)};
    return Prediction{likely * std::exp(spread.low), likely, likely * std::exp(spread.high)};
  };
  return {"speed", is_speed_row, predict};
}

}  // namespace rigplan
