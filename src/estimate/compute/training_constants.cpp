// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/compute/training_constants.h"

#include <algorithm>
#include <vector>

namespace rigplan {
namespace {

std::string kernel_level(KernelStyle kernels) {
  switch (kernels) {
    case KernelStyle::eager: return "kernels:eager";
    case KernelStyle::framework: return "kernels:framework";
    case KernelStyle::compiled: return "kernels:compiled";
    case KernelStyle::fused: return "kernels:fused";
  }
  return {};
}
std::string gather_level(GatherStyle gathers) {
  switch (gathers) {
    case GatherStyle::prefetching: return "gathers:prefetching";
    case GatherStyle::plain: return "gathers:plain";
    case GatherStyle::per_parameter: return "gathers:per-parameter";
  }
  return {};
}

bool is_nf4(const Job& job) { return job.weight_format.find("NF4") != std::string::npos || job.weight_format.find("nf4") != std::string::npos; }

}  // namespace

TrainingCard training_card(const Gpu& gpu, const Architecture& architecture) {
  return {gpu.peaks, gpu.vram_bandwidth, architecture.id, architecture.family, architecture.matrix_units,
          architecture.native_bf16, architecture.native_fp8, architecture.fast_fp16};
}

TrainingRate training_rate(const TrainingCard& card, TrainingPrecision precision, double bf16_emulation) {
  const auto fp32 = card.peaks.fp32.value_or(FlopRate{});
  const auto vector = card.fast_fp16 ? card.peaks.fp16_vector.value_or(fp32) : fp32;
  const auto fp16 = card.peaks.fp16_matrix.value_or(vector);
  const auto bf16 = card.peaks.bf16_matrix.value_or(fp16);
  const bool has_bf16 = card.native_bf16 || card.peaks.bf16_matrix.has_value();
  std::string no_matrix = card.matrix_units ? "" : "no matrix units: the vector rate applies";
  switch (precision) {
    case TrainingPrecision::fp32: return {fp32, 1, false, {}};
    case TrainingPrecision::fp16:
      if (!card.fast_fp16 && !card.peaks.fp16_matrix) return {fp32, 1, false, "fp16 is slow on this chip: fp32 arithmetic"};
      return {fp16, 1, false, no_matrix};
    case TrainingPrecision::bf16:
      if (!has_bf16) return {vector, bf16_emulation, false, "no bf16 on this chip: emulated by way of fp32; fp16 is faster"};
      return {bf16, 1, false, no_matrix};
    case TrainingPrecision::fp8:
      if (!card.native_fp8) return {has_bf16 ? bf16 : fp16, 1, false, "no fp8 on this chip: 16-bit arithmetic"};
      return {bf16, 1, true, {}};
  }
  return {};
}

TrainingConstants training_constants(const Calibration& calibration, const TrainingCard& card, const TrainingStack& stack,
                                     const Job& job, bool network, bool pcie) {
  const std::vector<std::string> chip = {"arch:" + card.architecture, "family:" + card.family, kernel_level(stack.kernels)};
  std::vector<std::string> host = {kernel_level(stack.kernels), "stack:" + stack.id};
  if (job.checkpointing == Checkpointing::full) host.push_back("checkpointed");
  if (job.kind != JobKind::full_finetune) host.push_back("adapters");
  if (job.kind == JobKind::qlora) host.push_back("quantised");
  if (job.kind == JobKind::full_finetune && stack.gathers == GatherStyle::per_parameter) host.push_back("gradient hooks");
  const std::vector<std::string> dequantised = {is_nf4(job) ? "format:nf4" : "format:gptq"};
  const std::vector<std::string> gathers = {gather_level(stack.gathers), network ? "link:network" : pcie ? "link:pcie" : "link:peer"};

  const auto value = [&](std::string_view term, const std::vector<std::string>& levels) { return calibration.value(term, levels); };
  const auto share = [&](std::string_view term, const std::vector<std::string>& levels) { return std::min(1.0, value(term, levels)); };
  TrainingConstants c;
  c.gemm_efficiency = share("gemm_efficiency", chip);
  c.rows_half = value("rows_half", chip);
  c.hidden_half = value("hidden_half", chip);
  c.attention_efficiency = share("attention_efficiency", chip);
  c.elementwise_passes = value("elementwise_passes", chip);
  c.memory_efficiency = share("memory_efficiency", chip);
  const bool host_matters = stack.kernels == KernelStyle::eager || stack.kernels == KernelStyle::framework;
  if (host_matters) c.launch = Seconds{value("launch_time", host) * 1e-6};
  c.dequantisation = share("dequantisation", dequantised);
  c.optimizer_bytes_factor = value("optimizer_traffic", chip);
  c.gather_bus = share("gather_bus", gathers);
  c.gather_overlap = share("gather_overlap", gathers);
  c.reduce_overlap = share("reduce_overlap", gathers);
  c.fp8_gain = value("fp8_gain", chip);
  c.mixture_slowdown = value("mixture_slowdown", chip);
  c.bf16_emulation = value("bf16_emulation", chip);
  return c;
}

}  // namespace rigplan
