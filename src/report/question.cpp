// SPDX-License-Identifier: Apache-2.0
#include "rigplan/report/question.h"

#include <fmt/format.h>

#include "rigplan/search/limits.h"
#include "rigplan/search/software.h"
#include "rigplan/units/format.h"
#include "rigplan/units/message.h"
#include "text/tr.h"

namespace rigplan {

std::string_view to_text(JobKind kind) {
  switch (kind) {
    case JobKind::inference:
      return "inference";
    case JobKind::full_finetune:
      return msg("full fine-tuning");
    case JobKind::lora:
      return "LoRA";
    case JobKind::qlora:
      return "QLoRA";
  }
  return "";
}

namespace {

std::string_view to_text(TrainingPrecision precision) {
  switch (precision) {
    case TrainingPrecision::fp32:
      return "fp32";
    case TrainingPrecision::fp16:
      return "fp16";
    case TrainingPrecision::bf16:
      return "bf16";
    case TrainingPrecision::fp8:
      return "fp8";
  }
  return "";
}

std::string job_text(const Job& job, const TransformerModel& model) {
  const auto& name = model.name.empty() ? model.id : model.name;
  if (job.kind == JobKind::inference) {
    const auto users = job.users == 1 ? tr("one user") : trf("{} users", job.users);
    const auto cache = job.key_format == "F16" && job.value_format == "F16" ? "" : trf(", {} cache", job.key_format);
    return trf("{} {}, {} context, {}{} ({} in, {} out), {}", name, job.weight_format, format_whole(job.context.in(token)), users,
               cache, format_whole(job.prompt.in(token)), format_whole(job.generate.in(token)), job.engine);
  }
  const auto adapters = job.kind == JobKind::full_finetune ? std::string{} : trf(" rank {}", job.lora_rank);
  return trf("{} {}{} ({} weights, {}, {}), {} sequences of {} tokens a step", name, to_text(job.kind), adapters,
             job.weight_format, to_text(job.precision), job.optimizer, job.sequences_per_step,
             format_whole(job.sequence.in(token)));
}

std::string limits_text(const Limits& limits) {
  std::string text;
  if (limits.budget) text += trf(" · up to {} yuan", format_whole(limits.budget->in(yuan)));
  if (limits.max_cards > 0) text += trf(" · at most {} card{}", limits.max_cards, limits.max_cards == 1 ? "" : "s");
  if (limits.max_watts) text += trf(" · at most {}", to_text(*limits.max_watts));
  if (limits.min_tokens) text += trf(" · at least {}", to_text(*limits.min_tokens));
  if (limits.max_circuits > 0) text += trf(" · at most {} circuit{}", limits.max_circuits, limits.max_circuits == 1 ? "" : "s");
  if (limits.min_context > Tokens{}) text += trf(" · room for {} tokens", format_whole(limits.min_context.in(token)));
  if (limits.condition) text += *limits.condition == Condition::fresh ? tr(" · new cards") : tr(" · second-hand cards");
  if (limits.no_old_prices) text += tr(" · no old prices");
  std::vector<std::string> coolings;
  for (const auto cooling : limits.coolings) coolings.push_back(tr(to_text(cooling)));
  if (!coolings.empty()) text += trf(" · cooling {}", fmt::join(coolings, ", "));
  return text;
}

JsonValue optional_number(bool given, double value) { return given ? JsonValue{value} : JsonValue{}; }

}  // namespace

std::string question_text(const Query& query, const TransformerModel& model) {
  const auto& schedule = query.schedule;
  const auto idle = schedule.idle_hours_per_day > 0 ? trf(" (idle {:g} h)", schedule.idle_hours_per_day) : std::string{};
  const auto pue = schedule.pue == 1 ? std::string{} : fmt::format(", PUE {:g}", schedule.pue);
  return trf("{}{} · {} months at {:g} h/day{}, {}{}", job_text(query.job, model), limits_text(query.limits),
             format_number(schedule.horizon.in(month)), schedule.loaded_hours_per_day, idle, to_text(schedule.tariff), pue);
}

JsonValue question_json(const Query& query, const TransformerModel& model) {
  const auto& job = query.job;
  auto json = JsonValue::object();
  json.set("model", model.id).set("method", to_text(job.kind)).set("quant", job.weight_format).set("engine", job.engine);
  if (job.kind == JobKind::inference) {
    json.set("context_tokens", job.context.in(token)).set("users", job.users);
    json.set("prompt_tokens", job.prompt.in(token)).set("generate_tokens", job.generate.in(token));
    json.set("kv_format", job.key_format).set("micro_batch", job.micro_batch).set("flash_attention", job.flash_attention);
  } else {
    json.set("sequence_tokens", job.sequence.in(token)).set("sequences_per_step", job.sequences_per_step);
    json.set("micro_sequences", job.micro_sequences).set("lora_rank", job.lora_rank).set("lora_all_linear", job.lora_all_linear);
    json.set("optimizer", job.optimizer)
        .set("precision", to_text(job.precision))
        .set("checkpointing", checkpointing_name(job.checkpointing));
  }
  const auto& limits = query.limits;
  json.set("budget_yuan", optional_number(limits.budget.has_value(), limits.budget.value_or(Yuan{}).in(yuan)));
  json.set("max_cards", limits.max_cards > 0 ? JsonValue{limits.max_cards} : JsonValue{});
  json.set("max_watts", optional_number(limits.max_watts.has_value(), limits.max_watts.value_or(Watts{}).in(watt)));
  json.set("min_tokens_per_s",
           optional_number(limits.min_tokens.has_value(), limits.min_tokens.value_or(TokenRate{}).in(token_per_s)));
  json.set("software", to_text(limits.software));
  json.set("max_circuits", limits.max_circuits > 0 ? JsonValue{limits.max_circuits} : JsonValue{});
  json.set("min_context_tokens", optional_number(limits.min_context > Tokens{}, limits.min_context.in(token)));
  json.set("condition", limits.condition ? JsonValue{to_text(*limits.condition)} : JsonValue{});
  json.set("no_old_prices", limits.no_old_prices);
  auto coolings = JsonValue::array();
  for (const auto cooling : limits.coolings) coolings.push(to_text(cooling));
  json.set("cooling", std::move(coolings)).set("machines", query.machines);
  auto patterns = JsonValue::array();
  for (const auto& pattern : query.gpu_patterns) patterns.push(pattern);
  json.set("gpu", std::move(patterns)).set("by", rank_names()[static_cast<std::size_t>(query.by)]);
  const auto& schedule = query.schedule;
  json.set("horizon_months", schedule.horizon.in(month)).set("loaded_hours_per_day", schedule.loaded_hours_per_day);
  json.set("idle_hours_per_day", schedule.idle_hours_per_day).set("tariff_yuan_per_kwh", schedule.tariff.in(yuan_per_kWh));
  json.set("tariff", schedule.tariff_name.empty() ? JsonValue{} : JsonValue{schedule.tariff_name}).set("pue", schedule.pue);
  return json;
}

std::string_view checkpointing_name(Checkpointing checkpointing) {
  switch (checkpointing) {
    case Checkpointing::none:
      return "none";
    case Checkpointing::selective:
      return "selective";
    case Checkpointing::full:
      return "full";
  }
  return "";
}

std::string plan_text(const ParallelPlan& plan, JobKind kind) {
  std::string text;
  const auto add = [&](std::string part) { text += (text.empty() ? "" : ", ") + std::move(part); };
  const bool trains = kind != JobKind::inference;
  if (plan.tensor > 1) add(fmt::format("tensor parallel {}", plan.tensor));
  if (plan.pipeline > 1 && trains)
    add(fmt::format("pipeline {}", plan.pipeline));
  else if (plan.split == SplitMode::layer)
    add(fmt::format("layer split {}", plan.cards));
  if (plan.split == SplitMode::row) add(fmt::format("row split {}", plan.cards));
  if (plan.expert > 1) add(fmt::format("expert parallel {}", plan.expert));
  if (trains && plan.replicas > 1) add(fmt::format("data parallel {}", plan.replicas));
  if (!trains && plan.replicas > 1) add(fmt::format("{} copies", plan.replicas));
  if (plan.sharding > 0)
    add(fmt::format("ZeRO {}{}", plan.sharding, plan.shard_cards > 0 ? fmt::format(" over {} copies", plan.shard_cards) : ""));
  return text.empty() ? msg("one card") : text;
}

}  // namespace rigplan
