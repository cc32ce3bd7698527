// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/explain_terms.h"
#include "rigplan/report/question.h"
#include "rigplan/units/format.h"
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

Term fitted(std::string name) {
  auto term = leaf(std::move(name), "fitted");
  term.kind = "fitted";
  term.file = "data/calibration/speed.json";
  return term;
}

/// The shape that weights, operations and caches are counted from.
Term model_term(const TransformerModel& model) {
  auto term = leaf(fmt::format("shape of {}", model.name.empty() ? model.id : model.name),
                   fmt::format("{} layers, hidden {}, vocabulary {}", model.layers(), model.hidden, model.vocabulary));
  for (const auto* field : {"hidden", "vocabulary", "groups"}) term.parts.push_back(figure_term(model, field));
  return term;
}

Term step_term(const Candidate& candidate, const Query& query, const TransformerModel& model, const Gpu* gpu) {
  const auto& parts = candidate.best.inference->parts;
  auto step =
      leaf("time of one decode step", to_text(parts.total()), "weights + arithmetic + caches + launches + links + host memory");
  auto weights =
      leaf("reading weights", to_text(parts.weights), "bytes of a copy's weights / (memory bandwidth × share reached)");
  weights.parts.push_back(leaf("weights on the cards of a copy", to_text(candidate.best.weights),
                               fmt::format("parameters in {}", query.job.weight_format)));
  weights.parts.back().parts = {model_term(model)};
  if (gpu) weights.parts.push_back(figure_term(*gpu, "vram_bandwidth", "memory bandwidth"));
  weights.parts.push_back(fitted("share of the bandwidth reached"));
  auto arithmetic = leaf("arithmetic beyond the reading", to_text(parts.arithmetic), "operations / (peak × share reached)");
  if (gpu)
    for (const auto* field : {"fp32", "fp16_vector", "fp16_matrix", "int8"})
      if (find_figure(*gpu, field)) arithmetic.parts.push_back(figure_term(*gpu, field));
  auto launches = leaf("launches", to_text(parts.launches), "layers × time of a layer + time of a token");
  launches.parts = {fitted("time of a layer, time of a token")};
  auto links = leaf("between cards", to_text(parts.communication), plan_text(candidate.best.plan, JobKind::inference));
  if (!candidate.best.link_bottleneck.empty()) links.parts.push_back(leaf("weakest link", candidate.best.link_bottleneck));
  if (gpu) links.parts.push_back(figure_term(*gpu, "pcie"));
  step.parts = {std::move(weights), std::move(arithmetic),
                leaf("caches", to_text(parts.kv), "bytes of keys and values at this depth / bandwidth"), std::move(launches),
                std::move(links)};
  if (parts.host > Seconds{}) step.parts.push_back(leaf("host memory", to_text(parts.host)));
  return step;
}

Term inference_term(const Candidate& candidate, const Query& query, const TransformerModel& model, const Gpu* gpu) {
  const auto& speed = *candidate.best.inference;
  auto term = leaf(
      "usable TFLOP/s", format_range(candidate.best.usable, TFLOP_per_s),
      fmt::format("model FLOPs of {} prompt and {} generated tokens / their time, {}", format_whole(query.job.prompt.in(token)),
                  format_whole(query.job.generate.in(token)), plan_text(candidate.best.plan, query.job.kind)));
  const double active = active_parameters(model).total();
  auto flops = leaf("model FLOPs of a token", fmt::format("{} GFLOP and attention", format_number(2 * active / 1e9)),
                    "2 × active parameters");
  flops.parts = {model_term(model)};
  auto decode = leaf("decode, all users", format_range(speed.decode, token_per_s) + " token/s",
                     fmt::format("{} streams / time of one decode step", query.job.users));
  decode.parts = {step_term(candidate, query, model, gpu)};
  auto prefill = leaf("prefill", format_range(speed.prefill, token_per_s) + " token/s",
                      "tokens / (matrix time + attention time + launches)");
  if (gpu)
    for (const auto* field : {"fp16_matrix", "fp16_vector", "int8"})
      if (find_figure(*gpu, field)) prefill.parts.push_back(figure_term(*gpu, field));
  prefill.parts.push_back(fitted("share of the arithmetic rate reached"));
  term.parts = {std::move(flops), std::move(decode), std::move(prefill)};
  return term;
}

Term training_term(const Candidate& candidate, const Query& query, const TransformerModel& model, const Gpu* gpu) {
  const auto& step = *candidate.best.training;
  const auto& parts = step.parts;
  auto term = leaf("usable TFLOP/s", format_range(candidate.best.usable, TFLOP_per_s),
                   fmt::format("model FLOPs of a step / time of a step, {}", plan_text(candidate.best.plan, query.job.kind)));
  auto flops = leaf("model FLOPs of a step", fmt::format("{} TFLOP", format_number(step.model_flops.in(TFLOP))),
                    "6 a trained weight and token, 4 a frozen one, and attention");
  flops.parts = {model_term(model)};
  auto time = leaf("time of a step", to_text(step.step), "the sum of its parts");
  const std::pair<const char*, Seconds> all[] = {{"matrix products", parts.gemm},
                                                 {"attention", parts.attention},
                                                 {"elementwise", parts.elementwise},
                                                 {"recomputation", parts.recompute},
                                                 {"dequantisation", parts.dequantisation},
                                                 {"loss", parts.loss},
                                                 {"host launches", parts.host_launch},
                                                 {"tensor-parallel all-reduces", parts.tensor_comm},
                                                 {"exposed communication", parts.exposed_comm},
                                                 {"pipeline bubble", parts.bubble},
                                                 {"optimizer", parts.optimizer}};
  for (const auto& [name, seconds] : all)
    if (seconds > Seconds{}) time.parts.push_back(leaf(name, to_text(seconds)));
  if (gpu)
    for (const auto* field : {"vram_bandwidth", "fp32", "fp16_vector", "fp16_matrix", "bf16_matrix", "pcie"})
      if (find_figure(*gpu, field)) time.parts.push_back(figure_term(*gpu, field));
  if (!candidate.best.link_bottleneck.empty()) time.parts.push_back(leaf("weakest link", candidate.best.link_bottleneck));
  auto fit = fitted("shares of the peaks reached");
  fit.file = "data/calibration/training.json";
  time.parts.push_back(std::move(fit));
  term.parts = {std::move(flops), std::move(time)};
  return term;
}

}  // namespace

Term explain_usable(const Candidate& candidate, const Query& query, const TransformerModel& model, const Catalog& catalog) {
  const auto* gpu = catalog.gpus.find(candidate.gpu);
  if (candidate.best.inference) return inference_term(candidate, query, model, gpu);
  if (candidate.best.training) return training_term(candidate, query, model, gpu);
  return leaf("usable TFLOP/s", "0", candidate.why_not);
}

}  // namespace rigplan
