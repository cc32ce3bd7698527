// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/train_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rigplan/estimate/memory/training_memory.h"
#include "rigplan/units/message.h"
#include "validate/row_text.h"
#include "validate/train_links.h"

namespace rigplan {
namespace {

/// Pre-training of models of this size takes steps of about four million tokens; used where a row states no batch.
constexpr double usual_tokens_per_step = 4194304;
constexpr int usual_micro_sequences = 2;
constexpr int usual_accumulation = 4;

int degree(const std::string& text, std::string_view label) {
  const auto stated = number_after(text, label);
  return stated && *stated >= 1 ? static_cast<int>(*stated) : 1;
}

/// "llama-2-34b class", "gemma-4-31b (bnb 4bit base)": the name without what is said about it.
const TransformerModel* find_model(ModelLibrary& models, std::string name) {
  if (const auto* found = models.find(name)) return found;
  for (const std::string_view end : {" (", " class"})
    if (const auto at = name.find(end); at != name.npos) name.resize(at);
  return models.find(name);
}

const TrainingStack* find_stack(const Measurement& row, std::span<const TrainingStack> stacks) {
  const auto text = lower_case(row.engine);
  if (const auto* found = find_training_stack(stacks, row.engine)) return found;
  // Published simulations name no program: Megatron's layers, sharded by DeepSpeed where ZeRO-3 is stated.
  if (text == "see source")
    return find_training_stack(stacks, has_word(lower_case(row.parallel), "zero3") ? "deepspeed-zero" : "megatron");
  if (text.starts_with("unsloth"))
    return find_training_stack(stacks, has_word(lower_case(row.note), "fused cross entropy") ? "unsloth" : "unsloth-unfused");
  for (const auto& stack : stacks) {
    if (text.starts_with(lower_case(stack.id))) return &stack;
    for (const auto& alias : stack.aliases)
      if (text.starts_with(lower_case(alias))) return &stack;
  }
  return nullptr;
}

void read_method(const Measurement& row, const TrainingStack& stack, Job& job) {
  const auto method = lower_case(row.method), quant = lower_case(row.quant + " " + row.model), note = lower_case(row.note);
  job.fp32_master = stack.default_mixed || has_word(method, "mixed") || has_word(lower_case(row.precision), "mixed");
  job.lora_all_linear = stack.default_all_linear || has_word(method, "lora-all");
  job.lora_rank = static_cast<int>(number_after(note, "rank ").value_or(stack.default_rank));
  if (has_word(method, "lora")) {
    const bool quantised = has_word(method, "q-lora") || has_word(method, "qlora") || has_word(quant, "nf4") ||
                           has_word(quant, "4bit") || has_word(quant, "int4");
    job.kind = quantised ? JobKind::qlora : JobKind::lora;
    job.weight_format = quantised ? (has_word(quant, "nf4") || has_word(quant, "4bit") ? "NF4" : stack.default_base) : "BF16";
    job.train_embeddings = has_word(method, "emb");
  } else {
    job.kind = JobKind::full_finetune;
  }
  const auto precision = lower_case(row.precision);
  job.precision = has_word(precision, "fp8")    ? TrainingPrecision::fp8
                  : has_word(precision, "fp16") ? TrainingPrecision::fp16
                  : has_word(precision, "fp32") ? TrainingPrecision::fp32
                                                : TrainingPrecision::bf16;
  const auto checkpointing = lower_case(row.checkpointing);
  const auto starts = [&](std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view w) { return checkpointing.starts_with(w); });
  };
  job.checkpointing = starts({"true", "yes", "full", "unsloth", "torch"}) ? Checkpointing::full
                      : starts({"selective"})                             ? Checkpointing::selective
                      : checkpointing.empty() ? static_cast<Checkpointing>(stack.default_checkpointing)
                                              : Checkpointing::none;
  const auto optimizer = lower_case(row.optimizer);
  job.optimizer = has_word(optimizer, "8bit") || has_word(optimizer, "8-bit")
                      ? (has_word(optimizer, "paged") ? "paged-adamw-8bit" : "adamw-8bit")
                  : has_word(optimizer, "adafactor") ? "adafactor"
                  : has_word(optimizer, "sgd")       ? "sgd"
                                                     : "adamw";
}

/// Degrees and sharding; false when the row divides a model in ways that it does not number.
bool read_plan(const Measurement& row, Job& job, ParallelPlan& plan) {
  const auto text = lower_case(row.parallel);
  const int cards = row.gpu_count.value_or(1);
  if (has_word(text, "3d tp+pp+dp")) return false;
  std::string digits = text;
  std::ranges::replace(digits, '=', ' ');
  const auto of = [&](std::string_view label) {
    return std::max(degree(digits, label), degree(digits, std::string{label} + " "));
  };
  plan.tensor = of("tp");
  plan.pipeline = of("pp");
  plan.context = of("cp");
  plan.expert = of("ep");
  plan.interleave = std::max(of("vp"), of("interleave"));
  plan.split = plan.tensor * plan.pipeline > 1 ? SplitMode::tensor : SplitMode::single;
  plan.cards = plan.tensor * plan.pipeline * plan.context;
  if (cards % plan.cards != 0) return false;
  plan.replicas = cards / plan.cards;
  // A table that runs full training alone on several cards.
  if (has_word(text, "for full on") && job.kind != JobKind::full_finetune) plan.replicas = 1;
  plan.sequence_parallel = has_word(lower_case(row.checkpointing), "sequence-parallel");
  if (has_word(text, "ddp") || plan.replicas == 1) return true;
  if (has_word(text, "zero-3") || has_word(text, "zero3") || has_word(text, "fsdp")) plan.sharding = 3;
  if (has_word(text, "shard_grad_op")) plan.sharding = 2;
  if (has_word(text, "zero-1") || has_word(text, "zero1 ") || has_word(digits, "zero1 ")) plan.sharding = 1;
  if (const auto shards = number_after(digits, "zero1 "); shards && *shards > 0) plan.shard_cards = static_cast<int>(*shards);
  if (has_word(text, "hsdp")) plan.sharding = 3, plan.shard_cards = 8;
  if (has_word(text, "cpu offload")) job.offload = Offload::parameters;
  return true;
}

void read_batch(const Measurement& row, const TrainingStack& stack, const ParallelPlan& plan, Job& job) {
  const auto note = lower_case(row.note);
  const int replicas = plan.replicas;
  std::optional<double> accumulation;
  for (const std::string_view label : {"gradaccum ", "micro_num ", "accumulation "})
    if (!accumulation) accumulation = number_after(note, label);
  // The same work for every card, however many there are.
  const double card_sequences = stack.default_card_tokens.in(token)*plan.tensor / job.sequence.in(token);
  if (!row.micro_batch && !row.global_batch && card_sequences >= usual_accumulation) {
    accumulation = usual_accumulation;
    job.micro_sequences = static_cast<int>(card_sequences / usual_accumulation);
  } else if (row.micro_batch) {
    job.micro_sequences = *row.micro_batch;
  } else if (plan.pipeline > 1 || !row.global_batch) {
    job.micro_sequences = plan.pipeline > 1 ? 1 : usual_micro_sequences;
  } else {
    job.micro_sequences = std::max(1, *row.global_batch / replicas);
  }
  const double micro = static_cast<double>(job.micro_sequences) * replicas;
  double count = 1;
  if (accumulation && *accumulation >= 1)
    count = *accumulation;
  else if (row.global_batch)
    count = *row.global_batch / micro;
  else if (row.kind == "train" && !row.micro_batch)
    count = usual_tokens_per_step / (job.sequence.in(token)*micro);
  job.sequences_per_step = static_cast<int>(std::max(1.0, std::round(count)) * micro);
}

}  // namespace

std::variant<TrainRow, Skipped> map_train_row(const Measurement& row, const Catalog& catalog, ModelLibrary& models,
                                              std::span<const TrainingStack> stacks) {
  TrainRow out;
  out.row = &row;
  const auto* gpu = catalog.gpus.find(row.gpu);
  if (!gpu) return Skipped{msg("unknown card"), row.gpu};
  const auto* architecture = catalog.architectures.find(gpu->architecture);
  if (!architecture) return Skipped{msg("unknown architecture"), gpu->architecture};
  out.card = training_card(*gpu, *architecture);
  out.model = find_model(models, row.model);
  if (!out.model) return Skipped{msg("unknown model"), row.model};
  out.stack = find_stack(row, stacks);
  if (!out.stack) return Skipped{msg("unknown training program"), row.engine};
  if (has_word(lower_case(row.note), "oom at")) return Skipped{msg("the run ended without memory"), ""};
  if (has_word(lower_case(row.method), "dora")) return Skipped{msg("adapters without a formula"), row.method};
  read_method(row, *out.stack, out.job);
  if (row.seq)
    out.job.sequence = Tokens{*row.seq};
  else if (out.stack->default_sequence > Tokens{})
    out.job.sequence = out.stack->default_sequence;
  else
    return Skipped{msg("sequence not stated"), ""};
  out.assumed_sequence = !row.seq;
  if (!read_plan(row, out.job, out.plan)) return Skipped{msg("parallel plan not stated"), row.parallel};
  if (out.stack->gathers == GatherStyle::per_parameter && out.plan.sharding == 0 && out.job.kind == JobKind::full_finetune &&
      out.plan.tensor * out.plan.pipeline == 1)
    out.plan.sharding = 2;  // what this program's own configuration says
  read_batch(row, *out.stack, out.plan, out.job);
  out.fabric = train_links(row, *gpu, out.plan);
  return out;
}

double train_metric(const TrainRow& row, const TrainingStep& step) {
  const auto& metric = row.row->metric;
  const double cards = static_cast<double>(row.plan.cards) * row.plan.replicas;
  if (metric == "s_per_step") return step.step.in(second);
  if (metric == "tokens_per_s") return step.tokens.in(token_per_s);
  if (metric == "tokens_per_s_per_gpu") return step.tokens.in(token_per_s) / cards;
  if (metric == "mfu_pct") return 100 * step.mfu;
  // Narayanan et al., arXiv:2104.04473, equation 3, which counts the recomputation; publications of that family use it.
  const double tokens = row.job.sequences_per_step * row.job.sequence.in(token), h = row.model->hidden, l = row.model->layers();
  const double flops =
      96 * tokens * l * h * h * (1 + row.job.sequence.in(token) / (6 * h) + row.model->vocabulary / (16 * l * h));
  return flops / step.step.in(second) / cards * 1e-12;
}

RowPredictor train_predictor(const Catalog& catalog, ModelLibrary& models, std::span<const TrainingStack> stacks,
                             const Calibration& calibration) {
  const auto predict = [&catalog, &models, stacks, &calibration](const Measurement& measured) -> PredictionResult {
    const auto mapped = map_train_row(measured, catalog, models, stacks);
    if (const auto* skipped = std::get_if<Skipped>(&mapped)) return *skipped;
    const auto& row = std::get<TrainRow>(mapped);
    const auto step = simulate_training(*row.model, row.job, row.plan, *row.stack, row.card, row.fabric, calibration);
    const double likely = train_metric(row, step);
    // The factor is of the step's time; a rate falls where the time grows.
    if (measured.metric == "s_per_step") return Prediction{likely * step.factor.low, likely, likely * step.factor.high};
    return Prediction{likely / step.factor.high, likely, likely / step.factor.low};
  };
  return {"train", [](const Measurement& row) { return row.kind == "train"; }, predict};
}

RowPredictor train_memory_predictor(const Catalog& catalog, ModelLibrary& models, std::span<const TrainingStack> stacks,
                                    const Calibration& calibration) {
  const auto predict = [&catalog, &models, stacks, &calibration](const Measurement& measured) -> PredictionResult {
    const auto mapped = map_train_row(measured, catalog, models, stacks);
    if (const auto* skipped = std::get_if<Skipped>(&mapped)) return *skipped;
    const auto& row = std::get<TrainRow>(mapped);
    const auto memory = estimate_training_memory(*row.model, row.job, row.plan, *row.stack);
    const Bytes unit = measured.metric == "peak_per_gpu_gib" ? GiB : GB;
    const auto& spread = calibration.spread("train_memory", row.assumed_sequence ? "unknown" : "known");
    const double likely = memory.peak.in(unit);
    return Prediction{likely * std::exp(spread.low), likely, likely * std::exp(spread.high)};
  };
  return {"train_memory", [](const Measurement& row) { return row.kind == "train_memory"; }, predict};
}

}  // namespace rigplan
