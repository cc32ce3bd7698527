// SPDX-License-Identifier: Apache-2.0
#include "rigplan/validate/map_speed_row.h"

#include <fmt/format.h>

#include <algorithm>

#include "rigplan/units/message.h"
#include "validate/link_prior.h"
#include "validate/names.h"
#include "validate/row_text.h"

namespace rigplan {
namespace {

constexpr double usual_prompt = 512;  ///< where a prefill row does not say; what llama-bench does by itself
constexpr int usual_micro_batch = 512;

/// "tp4pp1dp2moetp1ep4" and the words layer, row, tensor, pipeline.
ParallelPlan read_plan(const std::string& text, int cards, bool splits_layers) {
  ParallelPlan plan;
  plan.cards = cards;
  const auto degree = [&](std::string_view name) { return std::max(1, static_cast<int>(number_after(text, name).value_or(1))); };
  if (text.starts_with("tp") && number_after(text, "tp")) {
    plan.split = cards > 1 ? SplitMode::tensor : SplitMode::single;
    plan.tensor = degree("tp");
    plan.pipeline = degree("pp");
    plan.replicas = degree("dp");
    plan.expert = degree("ep");
    plan.cards = std::max(plan.tensor * plan.pipeline, cards / std::max(1, plan.expert > 1 ? 1 : plan.replicas));
    return plan;
  }
  if (cards == 1) return plan;
  if (has_word(text, "row"))
    plan.split = SplitMode::row;
  else if (has_word(text, "tensor"))
    plan.split = SplitMode::tensor;
  else
    plan.split = splits_layers ? SplitMode::layer : SplitMode::tensor;
  if (plan.split == SplitMode::tensor) plan.tensor = cards;
  return plan;
}

/// What sources call a format where they name only its width.
constexpr std::pair<std::string_view, std::string_view> usual_mixes[] = {
    {"q2", "Q2_K"}, {"pro-4bit", "GPTQ-4bit"}, {"mq4", "Q4_0"}, {"5-bit gguf", "Q5_K_M"}, {"int4-int8", "GPTQ-8bit"}};

const WeightMix* read_mix(const Measurement& row) {
  if (const auto* mix = find_mix(row.quant, row.engine)) return mix;
  const auto text = lower_case(row.quant);
  for (const auto& [start, name] : usual_mixes)
    if (text.starts_with(start)) return find_weight_mix(name);
  return nullptr;
}

/// K and V formats of "q8_0", "fp8_e4m3" or "q8_0/q4_0".
bool read_cache_formats(const std::string& text, Job& job) {
  const auto bar = text.find('/');
  const auto* keys = find_cache_format(text.substr(0, bar));
  if (!keys) return false;
  const auto* values = bar == text.npos ? keys : find_cache_format(text.substr(bar + 1));
  job.key_format = keys->name;
  job.value_format = (values ? values : keys)->name;
  return true;
}

SpeedQuantity quantity_of(const Measurement& row, const std::string& note) {
  if (row.metric == "tpot_ms") return SpeedQuantity::step;
  if (row.kind == "prefill") return SpeedQuantity::prefill;
  if (row.batch.value_or(1) > 1 && (has_word(note, "aggregate output") || has_word(note, "aggregate over concurrent")))
    return SpeedQuantity::mixed;
  return SpeedQuantity::decode;
}

void read_lengths(SpeedRow& question, const std::string& note) {
  const auto& row = *question.row;
  question.streams = row.batch.value_or(1);
  question.prompt = row.prompt.value_or(0);
  question.generate = row.generate.value_or(0);
  const double context = row.context.value_or(0);
  if (question.quantity == SpeedQuantity::prefill) {
    // The batch of a prompt is how many of its tokens go through at once.
    int rows = usual_micro_batch;
    if (question.streams > 1 || note.starts_with("pr column"))  // tables by micro-batch
      rows = static_cast<int>(question.streams);
    else if (const auto stated =
                 number_after(note, "n_ubatch").has_value() ? number_after(note, "n_ubatch") : number_after(note, "microbatch"))
      rows = static_cast<int>(*stated);
    question.job.micro_batch = std::max(rows, 1);
    question.streams = 1;
    if (question.prompt <= 0) question.prompt = usual_prompt;
    question.depth = context;
  } else {
    if (has_word(note, "long ctx 16k")) question.prompt = 16384;
    question.depth =
        std::max(context, question.quantity == SpeedQuantity::decode ? 0.0 : question.prompt) + question.generate / 2;
    if (question.depth <= 0) question.depth = 256;  // one answer of a few hundred tokens behind a short question
  }
}

}  // namespace

bool is_speed_row(const Measurement& row) {
  if (row.kind == "decode" || row.kind == "prefill" || row.kind == "report") return row.metric == "tokens_per_s";
  return row.kind == "serve" && (row.metric == "tokens_per_s" || row.metric == "tpot_ms");
}

std::variant<SpeedRow, Skipped> map_speed_row(const Measurement& row, const Catalog& catalog) {
  SpeedRow question;
  question.row = &row;
  const auto* gpu = catalog.gpus.find(row.gpu);
  if (!gpu) return Skipped{msg("unknown card"), row.gpu};
  if (gpu->vram_bandwidth <= Bandwidth{}) return Skipped{msg("card without memory bandwidth"), row.gpu};
  question.card = card_speed(*gpu, catalog.architectures.find(gpu->architecture));
  if (question.card.fp32 <= FlopRate{}) return Skipped{msg("card without arithmetic rate"), row.gpu};
  question.model = find_model(row.model);
  if (!question.model) return Skipped{msg("unknown model"), row.model};
  if (question.model->groups.empty()) return Skipped{msg("model without shape"), row.model};
  const auto* mix = read_mix(row);
  if (!mix) return Skipped{msg("unknown number format"), row.quant};

  const auto note = lower_case(row.note);
  const int cards = row.gpu_count.value_or(1), nodes = row.nodes.value_or(1);
  auto& job = question.job;
  job.weight_format = mix->name;
  job.engine = read_engine(row.engine, row.engine_date);
  if (!read_cache_formats(lower_case(row.kv_quant), job)) return Skipped{msg("unknown cache format"), row.kv_quant};
  // Of a report only the day is known on which it was written.
  if (row.kind != "report") {
    job.engine_date = read_engine_date(row.engine, row.engine_date, row.source);
    question.build_stated = !row.engine_date.empty() || !job.engine_date.empty();
  }
  job.flash_attention = read_flash_attention(row.note, job.engine, job.engine_date);
  // Caches of sliding layers held and read the whole context until the summer of 2025; one fork never changed that.
  const bool gguf_engine = job.engine.find("llama.cpp") != std::string::npos;
  const auto& date = job.engine_date;
  question.setting.full_windows = gguf_engine && (job.engine.starts_with("ik_") || (!date.empty() && date < "2025-06"));
  if (row.weights_gib) question.setting.weights = *row.weights_gib * GiB;
  if (const auto watts = number_after(note, "power limit")) question.card.power_cap = *watts * watt;
  const bool splits_layers = !job.engine.starts_with("vllm") && !job.engine.starts_with("sglang");
  question.plan = read_plan(lower_case(row.parallel), cards, splits_layers);
  question.fabric = link_prior(row, *gpu, question.plan.cards, nodes);
  question.quantity = quantity_of(row, note);
  read_lengths(question, note);
  if (question.plan.replicas > 1) question.streams = std::max(1.0, question.streams / question.plan.replicas);
  return question;
}

double speed_of_row(const SpeedRow& row, const PreparedInference& prepared, const MixedPrompts& prompts) {
  if (row.quantity == SpeedQuantity::prefill) return row.prompt / prepared.prompt_time(row.prompt, row.depth).in(second);
  auto step = prepared.decode_step(row.depth, row.streams).total();
  if (row.quantity != SpeedQuantity::decode) {
    // Each stream's prompt is worked off once while every other stream generates its answer.
    const double generate = row.generate > 0 ? row.generate : 256;
    const double prompt = row.prompt > 0 ? row.prompt : prompts.unstated * generate;
    step += prompts.interference * row.streams / generate * prepared.prompt_time(prompt);
  }
  return row.quantity == SpeedQuantity::step ? step.in(ms) : row.streams * row.plan.replicas / step.in(second);
}

std::string_view spread_kind(const SpeedRow& row) {
  if (row.quantity == SpeedQuantity::prefill) return "prefill";
  if (row.streams > 1) return "decode-batch";
  return row.plan.cards > 1 ? "decode-several" : "decode";
}

}  // namespace rigplan
