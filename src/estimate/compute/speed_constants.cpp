// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/compute/speed_constants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rigplan {
namespace {

using C = SpeedConstants;
constexpr SpeedTerm speed_term_table[] = {
    {"bandwidth_share", "odds", &C::bandwidth_share},
    {"unpack_operations", "FLOP per weight", &C::unpack_operations},
    {"layer_time", "s", &C::layer_time},
    {"token_time", "s", &C::token_time},
    {"expert_layer_times", "layer times", &C::expert_layer_times},
    {"recurrent_layer_times", "layer times", &C::recurrent_layer_times},
    {"low_rank_layer_times", "layer times", &C::low_rank_layer_times},
    {"compressed_layer_times", "layer times", &C::compressed_layer_times},
    {"cache_share", "", &C::cache_share},
    {"batch_share", "", &C::batch_share},
    {"stream_time", "s", &C::stream_time},
    {"sample_time", "s per vocabulary entry", &C::sample_time},
    {"all_reduce_latency", "", &C::all_reduce_latency},
    {"all_reduce_share", "", &C::all_reduce_share},
    {"boundary_time", "s", &C::boundary_time},
    {"gather_time", "s", &C::gather_time},
    {"gemm_share", "", &C::gemm_share},
    {"half_rows", "rows", &C::half_rows},
    {"half_rows_expert", "rows", &C::half_rows_expert},
    {"attention_share", "", &C::attention_share},
    {"prompt_time", "s", &C::prompt_time},
    {"chunk_overlap", "", &C::chunk_overlap},
    {"small_rows_operations", "FLOP per weight", &C::small_rows_operations},
    {"power_arithmetic", "exponent", &C::power_arithmetic},
    {"power_bandwidth", "exponent", &C::power_bandwidth},
};

constexpr std::string_view backends_of_engines[] = {"-cuda", "-rocm", "-vulkan", "-sycl", "-metal", "-cpu", "-musa", "-cann"};

/// Engines gain speed over the years; builds before these dates share a level. Later and undated ones are recent.
constexpr std::pair<std::string_view, std::string_view> eras[] = {
    {"2024-05", "before-2024-05"}, {"2025-06", "before-2025-06"}, {"2026-03", "before-2026-03"}};

}  // namespace

std::string_view era_of(std::string_view date) {
  if (date.empty() || date[0] < '0' || date[0] > '9') return {};
  const auto month = date.size() == 4 ? fmt::format("{}-12", date) : std::string{date};  // a year alone may be its end
  for (const auto& [end, name] : eras)
    if (month < end) return name;
  return {};
}

std::string program_of(std::string_view engine) {
  for (const std::string_view backend : backends_of_engines)
    if (engine.ends_with(backend)) return std::string{engine.substr(0, engine.size() - backend.size())};
  return std::string{engine};
}

const ResidualSpread* find_reports(const Calibration& calibration) {
  const auto found = std::ranges::find(calibration.spreads, reported_kind, &ResidualSpread::kind);
  return found == calibration.spreads.end() ? nullptr : &*found;
}

ResidualSpread with_reports(ResidualSpread spread, const Calibration& calibration) {
  const auto* reported = find_reports(calibration);
  if (!reported) return spread;
  spread.low = std::min(spread.low, reported->low);
  spread.high = std::max(spread.high, reported->high);
  return spread;
}

std::span<const SpeedTerm> speed_terms() { return speed_term_table; }

std::string_view to_text(FormatClass kind) {
  switch (kind) {
    case FormatClass::f32:
      return "f32";
    case FormatClass::f16:
      return "f16";
    case FormatClass::bf16:
      return "bf16";
    case FormatClass::f8:
      return "f8";
    case FormatClass::f4:
      return "f4";
    case FormatClass::int8_block:
      return "int8_block";
    case FormatClass::int4_block:
      return "int4_block";
    case FormatClass::k_quant_low:
      return "k_quant_low";
    case FormatClass::k_quant_4:
      return "k_quant_4";
    case FormatClass::k_quant_5_6:
      return "k_quant_5_6";
    case FormatClass::i_quant:
      return "i_quant";
    case FormatClass::gptq:
      return "gptq";
    case FormatClass::nf4:
      return "nf4";
  }
  return "";
}

std::string engine_with_backend(std::string_view engine, const CardSpeed& card) {
  if (program_of(engine) != engine) return std::string{engine};
  const std::string_view backend = card.vendor == "nvidia"          ? "cuda"
                                   : card.vendor == "amd"           ? "rocm"
                                   : card.vendor == "intel"         ? "sycl"
                                   : card.vendor == "moore-threads" ? "musa"
                                   : card.vendor == "huawei"        ? "cann"
                                                                    : "cuda";
  return fmt::format("{}-{}", engine, backend);
}

std::vector<std::string> speed_levels(const SpeedSituation& situation, const CardSpeed& card, const InferenceWork& work) {
  const auto engine = engine_with_backend(situation.engine, card);
  const auto format = to_text(work.format);
  const bool moe = work.routed_experts > 0;
  std::vector<std::string> levels{
      fmt::format("card:{}", card.card),
      fmt::format("arch:{}", card.architecture),
      fmt::format("family:{}", card.family),
      fmt::format("vendor:{}", card.vendor),
      fmt::format("memory:{}", card.memory_type),
      fmt::format("stack:{}", card.memory_type.starts_with("HBM") ? card.vendor + "-hbm" : card.vendor + "-gddr"),
      fmt::format("engine:{}", engine),
      fmt::format("backend:{}", engine.substr(engine.rfind('-') + 1)),
      fmt::format("engine:{}|family:{}", engine, card.family),
      fmt::format("engine:{}|arch:{}", engine, card.architecture),
      fmt::format("format:{}", format),
      fmt::format("engine:{}|format:{}", engine, format),
      fmt::format("family:{}|format:{}", card.family, format),
      fmt::format("cache:{}", to_text(work.key_format)),
      fmt::format("split:{}", situation.split),
      fmt::format("experts:{}", moe ? "yes" : "no"),
  };
  if (const auto era = era_of(situation.engine_date); !era.empty()) {
    levels.push_back(fmt::format("engine:{}|era:{}", engine, era));
    // llama.cpp built a gated delta layer from some forty elementary operations until it had one kernel for it in spring 2026.
    if (work.recurrent_layers > 0 && engine.find("llama.cpp") != engine.npos) levels.emplace_back("recurrent:unfused");
    levels.push_back(fmt::format("program:{}|era:{}", program_of(engine), era));
  }
  if (!situation.flash_attention) levels.push_back("attention:unfused");
  if (work.recurrent_layers > 0) levels.push_back(fmt::format("engine:{}|recurrent", engine));
  return levels;
}

SpeedConstants resolve_speed_constants(const Calibration& calibration, std::span<const std::string> levels) {
  SpeedConstants constants;
  for (const auto& term : speed_term_table) constants.*term.member = calibration.value(term.name, levels);
  return constants;
}

}  // namespace rigplan
