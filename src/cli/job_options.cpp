// SPDX-License-Identifier: Apache-2.0
#include "cli/job_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/options.h"
#include "cli/session.h"
#include "rigplan/catalog/training_stack.h"
#include "rigplan/json/data_error.h"
#include "rigplan/search/software.h"
#include "rigplan/units/message.h"
#include "rigplan/workload/number_format.h"

namespace rigplan {
namespace {

/// What is wrong with the text, as CLI11 wants it.
std::string is_year_and_month(const std::string& text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool shaped = text.size() == 7 && text[4] == '-' && std::ranges::all_of(text.substr(0, 4) + text.substr(5), digit);
  const bool month = shaped && text.substr(5) >= "01" && text.substr(5) <= "12";
  return month ? "" : fmt::format("\"{}\" is no date; expected a year and a month such as 2024-06", text);
}

}  // namespace

void add_job_options(CLI::App& app, JobOptions& options) {
  const auto group = msg("Job");
  app.add_option("--model,-m", options.job.model,
                 msg("Model: an id of rigplan catalog list models, a GGUF file, or a config.json or folder of Hugging Face"))
      ->required()
      ->group(group);
  app.add_option("--quant", options.quant,
                 msg("Number format of the weights; that of the model's file, else Q4_K_M for inference unless given"))
      ->group(group);
  app.add_option("--engine", options.engine, msg("Program that runs the model; one that reads the format unless given"))
      ->group(group);
  app.add_option("--engine-date", options.job.engine_date,
                 msg("Year and month of the engine's build, such as 2024-06; unstated, the range holds what people report of all "
                     "builds and settings"))
      ->check(CLI::Validator{is_year_and_month, "YYYY-MM"})
      ->group(group);
  add_quantity<Tokens>(app, "--context,-c", options.job.context, msg("Window of one user, in tokens (8k = 8192)"))->group(group);
  app.add_option("--users,-u", options.job.users, msg("Users at the same time"))->check(CLI::Range(1, 4096))->group(group);
  add_quantity<Tokens>(app, "--prompt", options.job.prompt, msg("Tokens of one prompt"))->group(group);
  add_quantity<Tokens>(app, "--generate", options.job.generate, msg("Tokens generated for one prompt"))->group(group);
  app.add_option("--kv", options.kv_format, msg("Number format of the KV cache; F16 unless given"))->group(group);
  app.add_option("--method", options.method, msg("Train instead of serve: lora, qlora or full"))
      ->check(CLI::IsMember({"lora", "qlora", "full"}))
      ->group(group);
  add_quantity<Tokens>(app, "--sequence", options.job.sequence, msg("Training: tokens of one sequence"))->group(group);
  app.add_option("--batch", options.job.sequences_per_step, msg("Training: sequences of one optimizer step"))
      ->check(CLI::Range(1, 1 << 20))
      ->group(group);
  app.add_option("--lora-rank", options.job.lora_rank, msg("Training: rank of the adapters"))
      ->check(CLI::Range(1, 4096))
      ->group(group);
  app.add_option("--optimizer", options.job.optimizer, msg("Training: optimizer"))->group(group);
  app.add_option("--precision", options.precision, msg("Training: fp32, fp16, bf16 or fp8"))
      ->check(CLI::IsMember({"fp32", "fp16", "bf16", "fp8"}))
      ->group(group);
}

void add_training_choices(CLI::App& app, JobOptions& options) {
  const auto group = msg("Job");
  app.add_option("--micro-batch", options.job.micro_sequences, msg("Training: sequences of one micro-step on one copy"))
      ->check(CLI::Range(1, 1 << 20))
      ->group(group);
  app.add_option_function<std::string>(
         "--checkpointing",
         [&options](const std::string& text) {
           options.job.checkpointing = text == "none"        ? Checkpointing::none
                                       : text == "selective" ? Checkpointing::selective
                                                             : Checkpointing::full;
         },
         msg("Training: activations that are computed again: none, selective or full; full unless given"))
      ->check(CLI::IsMember({"none", "selective", "full"}))
      ->group(group);
  app.add_option_function<std::string>(
         "--offload",
         [&options](const std::string& text) {
           options.job.offload = text == "none" ? Offload::none : text == "optimizer" ? Offload::optimizer : Offload::parameters;
         },
         msg("Training: what lies in host memory: none, optimizer or parameters"))
      ->check(CLI::IsMember({"none", "optimizer", "parameters"}))
      ->group(group);
}

void add_limit_options(CLI::App& app, JobOptions& options) {
  const auto group = msg("Limits");
  add_quantity<Yuan>(app, "--budget", options.limits.budget, msg("Most yuan for the whole build"), yuan)->group(group);
  app.add_option("--max-cards", options.limits.max_cards, msg("Most cards"))->check(CLI::Range(1, 4096))->group(group);
  add_quantity<Watts>(app, "--max-watts", options.limits.max_watts, msg("Most watts at the wall"), watt)->group(group);
  add_quantity<TokenRate>(app, "--min-tokens-per-s", options.limits.min_tokens,
                          msg("Least decode rate of one user; of the whole build in training"), token_per_s)
      ->group(group);
  app.add_option("--software", options.software,
                 msg("Worst support of the job's programs that will do: supported, community, ended, unknown, unsupported"))
      ->check(CLI::IsMember({"supported", "community", "ended", "unknown", "unsupported"}))
      ->capture_default_str()
      ->group(group);
}

void add_schedule_options(CLI::App& app, JobOptions& options) {
  const auto group = msg("Schedule");
  add_quantity<Seconds>(app, "--horizon", options.horizon,
                        msg("Planning horizon, such as \"24 mo\"; months where there is no unit"), month)
      ->group(group);
  app.add_option("--hours-per-day", options.hours_per_day, msg("Loaded hours a day"))->check(CLI::Range(0.0, 24.0))->group(group);
  app.add_option("--idle-hours", options.idle_hours_per_day, msg("Hours a day switched on without work"))
      ->check(CLI::Range(0.0, 24.0))
      ->group(group);
  app.add_option("--tariff", options.tariff, msg("Price of electricity: \"0.6 yuan/kWh\", or an id of the catalog's tariffs"))
      ->group(group);
  app.add_option("--pue", options.pue, msg("Power of the site over power of the machines"))
      ->check(CLI::Range(1.0, 4.0))
      ->group(group);
}

namespace {

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const auto& mix : weight_mixes()) names.emplace_back(mix.name);
  return names;
}

void set_formats(const JobOptions& options, Job& job) {
  if (!options.quant.empty()) {
    const auto* mix = find_weight_mix(options.quant);
    if (!mix)
      throw UsageError{
          fmt::format("--quant: no number format \"{}\"{}", options.quant, did_you_mean(options.quant, format_names()))};
    job.weight_format = mix->name;
  }
  if (!options.kv_format.empty()) {
    const auto* format = find_number_format(options.kv_format);
    if (!format) throw UsageError{fmt::format("--kv: no number format \"{}\"", options.kv_format)};
    job.key_format = job.value_format = format->name;
  }
}

/// The engine that is named, or the first one that reads the format; in training the first stack.
void set_engine(const JobOptions& options, const Catalog& catalog, Job& job) {
  const auto stacks = built_in_training_stacks();
  const bool trains = job.kind != JobKind::inference;
  if (!options.engine.empty()) {
    const auto* stack = find_training_stack(stacks, options.engine);
    const auto* engine = catalog.engines.find(options.engine);
    auto names = catalog.engines.ids();
    for (const auto& known : stacks) names.push_back(known.id);
    if (trains ? !stack : !engine)
      throw UsageError{fmt::format("--engine: no program \"{}\" that {}{}", options.engine,
                                   trains ? "trains" : msg("runs models"), did_you_mean(options.engine, names))};
    job.engine = trains ? stack->id : engine->id;
    return;
  }
  if (trains) {
    job.engine = stacks.front().id;
    return;
  }
  const auto* mix = find_weight_mix(job.weight_format);
  for (const auto& engine : catalog.engines.entries) {
    const auto& formats = engine.formats;
    if (!mix || engine.splits.empty() || std::find(formats.begin(), formats.end(), mix->family) == formats.end()) continue;
    job.engine = engine.id;
    return;
  }
}

void set_method(const JobOptions& options, Job& job) {
  if (options.method.empty()) return;
  job.kind = options.method == "lora" ? JobKind::lora : options.method == "qlora" ? JobKind::qlora : JobKind::full_finetune;
  if (options.quant.empty()) job.weight_format = job.kind == JobKind::qlora ? "NF4" : "BF16";
  if (options.precision == "fp32") job.precision = TrainingPrecision::fp32;
  if (options.precision == "fp16") job.precision = TrainingPrecision::fp16;
  if (options.precision == "fp8") job.precision = TrainingPrecision::fp8;
}

void set_tariff(const std::string& text, const Catalog& catalog, WorkSchedule& schedule) {
  if (text.empty()) return;
  if (const auto* tariff = catalog.tariffs.find(text)) {
    schedule.tariff = tariff->average;
    schedule.tariff_name = tariff->id;
    return;
  }
  const auto number = parse_number(text);
  if (const auto* value = std::get_if<double>(&number)) {
    if (*value < 0) throw UsageError{fmt::format("--tariff: \"{}\" is negative", text)};
    schedule.tariff = *value * yuan_per_kWh;
  } else {
    const auto price = parse_quantity<YuanPerJoule>(text);
    if (const auto* error = std::get_if<UnitError>(&price)) {
      const auto near = did_you_mean(text, catalog.tariffs.ids());
      throw UsageError{near.empty() ? fmt::format("--tariff: {}", error->message)
                                    : fmt::format("--tariff: no tariff \"{}\"{}", text, near)};
    }
    schedule.tariff = std::get<YuanPerJoule>(price);
  }
  schedule.tariff_name.clear();
}

/// Why a question cannot be asked; empty when it can.
std::string fault_of(const Query& query) {
  const auto& schedule = query.schedule;
  if (schedule.loaded_hours_per_day + schedule.idle_hours_per_day > 24 + 1e-9)
    return fmt::format("--hours-per-day and --idle-hours add up to {:g} hours; a day has 24",
                       schedule.loaded_hours_per_day + schedule.idle_hours_per_day);
  if (schedule.horizon <= Seconds{}) return msg("--horizon: must be longer than nothing");
  const auto& job = query.job;
  if (job.kind == JobKind::inference && job.prompt + job.generate > job.context)
    return fmt::format("--prompt and --generate add up to {:.0f} tokens, more than the context of {:.0f}",
                       (job.prompt + job.generate).in(token), job.context.in(token));
  return "";
}

}  // namespace

std::string set_loads(const JobOptions& options, const Catalog& catalog, const WorkSchedule& defaults, Query& query) {
  query.job.context = options.job.context;
  query.job.users = options.job.users;
  query.job.prompt = options.job.prompt;
  query.job.generate = options.job.generate;
  query.limits = options.limits;
  for (const auto level : support_levels())
    if (to_text(level) == options.software) query.limits.software = level;
  query.schedule = defaults;
  if (options.horizon) query.schedule.horizon = *options.horizon;
  if (options.hours_per_day) {
    query.schedule.loaded_hours_per_day = *options.hours_per_day;
    query.schedule.idle_hours_per_day = std::min(query.schedule.idle_hours_per_day, 24 - *options.hours_per_day);
  }
  if (options.idle_hours_per_day) query.schedule.idle_hours_per_day = *options.idle_hours_per_day;
  set_tariff(options.tariff, catalog, query.schedule);
  if (options.pue) query.schedule.pue = *options.pue;
  return fault_of(query);
}

Query unchecked_query_of(const JobOptions& options, const Catalog& catalog) {
  Query query;
  query.job = options.job;
  set_formats(options, query.job);
  set_method(options, query.job);
  set_engine(options, catalog, query.job);
  set_loads(options, catalog, default_schedule(catalog), query);
  return query;
}

Query query_of(const JobOptions& options, const Catalog& catalog) {
  auto query = unchecked_query_of(options, catalog);
  if (const auto fault = fault_of(query); !fault.empty()) throw UsageError{fault};
  return query;
}

}  // namespace rigplan
