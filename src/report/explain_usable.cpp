// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "report/explain_terms.h"
#include "report/time_shares.h"
#include "rigplan/estimate/compute/card_speed.h"
#include "rigplan/estimate/compute/speed_constants.h"
#include "rigplan/estimate/compute/training_constants.h"
#include "rigplan/report/question.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"
#include "rigplan/workload/parameters.h"

namespace rigplan {
namespace {

Term leaf(std::string name, std::string value, std::string formula = {}) {
  Term term;
  term.name = std::move(name);
  term.value = std::move(value);
  term.formula = std::move(formula);
  return term;
}

/// What a group of formulas takes from the calibration, for a card of the plan.
class Constants {
 public:
  Constants(const Calibration& calibration, std::vector<std::string> levels)
      : calibration_{calibration}, levels_{std::move(levels)} {}
  const Calibration& calibration() const { return calibration_; }
  void add(Term& term, std::initializer_list<std::string_view> names) const {
    for (const auto name : names) term.parts.push_back(fitted_term(calibration_, name, levels_));
  }

 private:
  const Calibration& calibration_;
  std::vector<std::string> levels_;
};

void add_figures(Term& term, const Gpu* gpu, std::initializer_list<const char*> fields) {
  if (!gpu) return;
  for (const auto* field : fields)
    if (find_figure(*gpu, field)) term.parts.push_back(figure_term(*gpu, field));
}

/// The shape that weights, operations and caches are counted from.
Term model_term(const TransformerModel& model) {
  auto term = leaf(fmt::format("shape of {}", model.name.empty() ? model.id : model.name),
                   fmt::format("{} layers, hidden {}, vocabulary {}", model.layers(), model.hidden, model.vocabulary));
  for (const auto* field : {"hidden", "vocabulary", "groups"}) term.parts.push_back(figure_term(model, field));
  return term;
}

Term weights_term(const Candidate& candidate, const Query& query, const TransformerModel& model, const Gpu* gpu,
                  const Constants& constants) {
  auto weights = leaf("reading weights", to_text(candidate.best.inference->parts.weights),
                      msg("bytes of a copy's weights / (memory bandwidth × share reached)"));
  weights.parts.push_back(leaf("weights on the cards of a copy", to_text(candidate.best.weights),
                               fmt::format("parameters in {}", query.job.weight_format)));
  weights.parts.back().parts = {model_term(model)};
  if (gpu) weights.parts.push_back(figure_term(*gpu, "vram_bandwidth", msg("memory bandwidth")));
  constants.add(weights, {"bandwidth_share"});
  return weights;
}

Term links_term(const Candidate& candidate, const Gpu* gpu, const Constants& constants) {
  const auto& plan = candidate.best.plan;
  auto links = leaf("between cards", to_text(candidate.best.inference->parts.communication), plan_text(plan, JobKind::inference));
  if (!candidate.best.link_bottleneck.empty()) links.parts.push_back(leaf("weakest link", candidate.best.link_bottleneck));
  add_figures(links, gpu, {"pcie"});
  if (plan.tensor > 1) constants.add(links, {"all_reduce_latency", "all_reduce_share", "gather_time"});
  if (plan.pipeline > 1) constants.add(links, {"boundary_time"});
  return links;
}

Term step_term(const Candidate& candidate, const Query& query, const TransformerModel& model, const Gpu* gpu,
               const Constants& constants) {
  const auto& parts = candidate.best.inference->parts;
  auto step = leaf("time of one decode step", to_text(parts.total()),
                   msg("weights + arithmetic + caches + launches + links + host memory"));
  auto arithmetic = leaf("arithmetic beyond the reading", to_text(parts.arithmetic), msg("operations / (peak × share reached)"));
  add_figures(arithmetic, gpu, {"fp32", "fp16_vector", "fp16_matrix", "int8"});
  constants.add(arithmetic, {"unpack_operations"});
  if (query.job.users > 1) constants.add(arithmetic, {"batch_share"});
  auto caches = leaf("caches", to_text(parts.kv), msg("bytes of keys and values at this depth / (bandwidth × share reached)"));
  constants.add(caches, {"cache_share"});
  auto launches = leaf("launches", to_text(parts.launches), msg("layers × time of a layer + time of a token"));
  constants.add(launches, {"layer_time", "token_time"});
  const auto has_experts = [](const LayerGroup& group) { return std::holds_alternative<MixtureOfExperts>(group.feed_forward); };
  if (std::ranges::any_of(model.groups, has_experts)) constants.add(launches, {"expert_layer_times"});
  step.parts = {weights_term(candidate, query, model, gpu, constants), std::move(arithmetic), std::move(caches),
                std::move(launches), links_term(candidate, gpu, constants)};
  if (parts.host > Seconds{}) step.parts.push_back(leaf("host memory", to_text(parts.host)));
  return step;
}

Term inference_term(const Candidate& candidate, const Query& query, const TransformerModel& model, const Gpu* gpu,
                    const Constants& constants) {
  const auto& speed = *candidate.best.inference;
  auto term = leaf(
      "usable TFLOP/s", format_range(candidate.best.usable, TFLOP_per_s),
      fmt::format("model FLOPs of {} prompt and {} generated tokens / their time, {}", format_whole(query.job.prompt.in(token)),
                  format_whole(query.job.generate.in(token)), plan_text(candidate.best.plan, query.job.kind)));
  const double active = active_parameters(model).total();
  auto flops = leaf("model FLOPs of a token", fmt::format("{} GFLOP and attention", format_number(2 * active / 1e9)),
                    msg("2 × active parameters"));
  flops.parts = {model_term(model)};
  auto decode = leaf("decode, all users", format_range(speed.decode, token_per_s) + " token/s",
                     fmt::format("{} streams / time of one decode step", query.job.users));
  decode.parts = {step_term(candidate, query, model, gpu, constants)};
  const auto* reported = query.job.engine_date.empty() ? find_reports(constants.calibration()) : nullptr;
  if (reported) decode.parts.push_back(unstated_build_term(*reported));
  auto prefill = leaf("prefill", format_range(speed.prefill, token_per_s) + " token/s",
                      msg("tokens / (matrix time + attention time + launches)"));
  add_figures(prefill, gpu, {"fp16_matrix", "fp16_vector", "int8"});
  constants.add(prefill, {"gemm_share", "half_rows", "attention_share", "prompt_time"});
  term.parts = {std::move(flops), std::move(decode), std::move(prefill)};
  return term;
}

Term training_term(const Candidate& candidate, const Query& query, const TransformerModel& model, const Gpu* gpu,
                   const Calibration& calibration) {
  const auto& step = *candidate.best.training;
  auto term = leaf("usable TFLOP/s", format_range(candidate.best.usable, TFLOP_per_s),
                   fmt::format("model FLOPs of a step / time of a step, {}", plan_text(candidate.best.plan, query.job.kind)));
  auto flops = leaf("model FLOPs of a step", fmt::format("{} TFLOP", format_number(step.model_flops.in(TFLOP))),
                    msg("6 a trained weight and token, 4 a frozen one, and attention"));
  flops.parts = {model_term(model)};
  auto time = leaf("time of a step", to_text(step.step), msg("the sum of its parts"));
  for (const auto& [name, seconds] : named_parts(step.parts, PartDetail::apart))
    if (seconds > Seconds{}) time.parts.push_back(leaf(name, to_text(seconds)));
  add_figures(time, gpu, {"vram_bandwidth", "fp32", "fp16_vector", "fp16_matrix", "bf16_matrix", "pcie"});
  if (!candidate.best.link_bottleneck.empty()) time.parts.push_back(leaf("weakest link", candidate.best.link_bottleneck));
  for (const auto name : training_terms()) time.parts.push_back(fitted_term(calibration, name, step.levels));
  term.parts = {std::move(flops), std::move(time)};
  return term;
}

}  // namespace

Term explain_usable(const Candidate& candidate, const Query& query, const TransformerModel& model, const Catalog& catalog,
                    const Calibrations& calibrations) {
  const auto* gpu = catalog.gpus.find(candidate.gpu);
  if (candidate.best.inference) {
    std::vector<std::string> levels;
    if (gpu)
      levels = inference_levels(model, query.job, candidate.best.plan,
                                card_speed(*gpu, catalog.architectures.find(gpu->architecture)));
    return inference_term(candidate, query, model, gpu, {calibrations.speed, std::move(levels)});
  }
  if (candidate.best.training) return training_term(candidate, query, model, gpu, calibrations.training);
  return leaf("usable TFLOP/s", "0", candidate.why_not);
}

}  // namespace rigplan
