// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/fit_speed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>

#include "rigplan/units/message.h"
#include "rigplan/validate/errors.h"
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

bool has_recurrent_layers(const TransformerModel& model) {
  return std::ranges::any_of(model.groups, [](const LayerGroup& g) { return std::holds_alternative<Recurrent>(g.attention); });
}

double decode_rate(const Calibration& calibration, SpeedRow row, const std::string& date) {
  row.job.engine_date = date;
  const PreparedInference prepared{*row.model, row.job, row.plan, std::span{&row.card, 1}, row.fabric, calibration, row.setting};
  return 1 / prepared.decode_step(row.depth, 1).total().in(second);
}

/// How much slower or faster the builds of each era are than recent ones, for every program with dated rows: each of its
/// one-card decode rows is asked with the constants of each era in which the program was measured. Recurrent models are left
/// out: older builds could not run them.
std::vector<ResidualSpread> build_spreads(const Calibration& calibration, std::span<const SpeedRow> rows) {
  std::map<std::string, std::map<std::string, std::string>> dates;  // by program and era: a date in it
  for (const auto& row : rows) dates[program_of(row.job.engine)].emplace(era_of(row.job.engine_date), row.job.engine_date);
  std::vector<ResidualSpread> spreads;
  for (const auto& [program, eras] : dates) {
    std::vector<double> ratios;
    for (const auto& row : rows) {
      if (eras.size() < 2 || program_of(row.job.engine) != program || row.quantity != SpeedQuantity::decode) continue;
      if (row.streams > 1 || row.plan.cards > 1 || has_recurrent_layers(*row.model)) continue;
      const double recent = decode_rate(calibration, row, "");
      for (const auto& [era, date] : eras)
        ratios.push_back(std::log(decode_rate(calibration, row, era.empty() ? "" : date) / recent));
    }
    if (ratios.empty()) continue;
    const auto rounded = [](double x) { return std::round(x * 1e3) / 1e3 + 0.0; };
    spreads.push_back({std::string{builds_kind}, program, rounded(std::min(quantile(ratios, 0.1), 0.0)),
                       rounded(std::max(quantile(ratios, 0.9), 0.0)), static_cast<int>(ratios.size())});
  }
  return spreads;
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

std::vector<SpeedRow> map_speed_rows(std::span<const Measurement> rows, const Catalog& catalog) {
  std::vector<SpeedRow> mapped;
  for (const auto& row : rows) {
    if (!is_speed_row(row)) continue;
    auto result = map_speed_fit_row(row, catalog);
    if (auto* question = std::get_if<SpeedRow>(&result)) mapped.push_back(std::move(*question));
  }
  return mapped;
}

Calibration fit_speed(std::span<const Measurement> rows, const Catalog& catalog) {
  const auto mapped = map_speed_rows(rows, catalog);
  auto calibration = fit_calibration(family, terms_of_speed(), speed_fit_rows(mapped), known_kinds, speed_fit_options());
  calibration.fitted_from = fmt::format("{} of {} rows", mapped.size(), rows.size());
  // A card that was measured is asked about with other models; a new card is asked about with any.
  for (const auto& [what, wanted] : {std::pair{"pair", true}, std::pair{"gpu", false}})
    for (auto& spread : spreads_of(hold_out_speed(mapped, what)))
      if ((spread.distance == "known") == wanted) calibration.spreads.push_back(std::move(spread));
  for (auto& spread : build_spreads(calibration, mapped)) calibration.spreads.push_back(std::move(spread));
  return calibration;
}

RowPredictor speed_predictor(const Catalog& catalog, const Calibration& calibration) {
  const auto predict = [&catalog, calibration](const Measurement& row) -> PredictionResult {
    const auto mapped = map_speed_row(row, catalog);
    if (const auto* skipped = std::get_if<Skipped>(&mapped)) return *skipped;
    const auto& question = std::get<SpeedRow>(mapped);
    const PreparedInference prepared{*question.model, question.job, question.plan,   std::span{&question.card, 1},
                                     question.fabric, calibration,  question.setting};
    const auto levels = levels_of(question);
    const MixedPrompts prompts{calibration.value("unstated_prompt", levels), calibration.value("prompt_interference", levels)};
    const double likely = speed_of_row(question, prepared, prompts);
    const auto spread = with_builds(calibration.spread(spread_kind(question), speed_distance(calibration, question)), calibration,
                                    question.job.engine, question.job.engine_date);
    if (question.quantity == SpeedQuantity::step)
      return Prediction{likely * std::exp(-spread.high), likely, likely * std::exp(-spread.low)};
    return Prediction{likely * std::exp(spread.low), likely, likely * std::exp(spread.high)};
  };
  return {"speed", is_speed_row, predict};
}

}  // namespace rigplan
