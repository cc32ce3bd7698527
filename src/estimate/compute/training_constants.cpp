// SPDX-License-Identifier: Apache-2.0
#include "rigplan/estimate/compute/training_constants.h"

#include <algorithm>
#include <vector>

namespace rigplan {
namespace {

std::string kernel_level(KernelStyle kernels) {
  switch (kernels) {
    case KernelStyle::eager:
      return "kernels:eager";
    case KernelStyle::framework:
      return "kernels:framework";
    case KernelStyle::compiled:
      return "kernels:compiled";
    case KernelStyle::fused:
      return "kernels:fused";
  }
  return {};
}
std::string gather_level(GatherStyle gathers) {
  switch (gathers) {
    case GatherStyle::prefetching:
      return "gathers:prefetching";
    case GatherStyle::plain:
      return "gathers:plain";
    case GatherStyle::per_parameter:
      return "gathers:per-parameter";
  }
  return {};
}

bool is_nf4(const Job& job) {
  return job.weight_format.find("NF4") != std::string::npos || job.weight_format.find("nf4") != std::string::npos;
}

}  // namespace

TrainingCard training_card(const Gpu& gpu, const Architecture& architecture) {
  return {gpu.peaks,
          gpu.vram_bandwidth,
          architecture.id,
          architecture.family,
          architecture.matrix_units,
          architecture.native_bf16,
          architecture.native_fp8,
          architecture.fast_fp16};
}

TrainingRate training_rate(const TrainingCard& card, TrainingPrecision precision, double bf16_emulation) {
  const auto fp32 = card.peaks.fp32.value_or(FlopRate{});
  const auto vector = card.fast_fp16 ? card.peaks.fp16_vector.value_or(fp32) : fp32;
  const auto fp16 = card.peaks.fp16_matrix.value_or(vector);
  const auto bf16 = card.peaks.bf16_matrix.value_or(fp16);
  const bool has_bf16 = card.native_bf16 || card.peaks.bf16_matrix.has_value();
  std::string no_matrix = card.matrix_units ? "" : "no matrix units: the vector rate applies";
  switch (precision) {
    case TrainingPrecision::fp32:
      return {fp32, 1, false, {}};
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

std::span<const std::string_view> training_terms() {
  static constexpr std::string_view names[] = {
      "gemm_efficiency", "rows_half",      "hidden_half",       "attention_efficiency", "elementwise_passes",
      "launch_time",     "dequantisation", "optimizer_traffic", "gather_bus",           "gather_overlap",
      "reduce_overlap",  "tensor_overlap", "fp8_gain",          "mixture_slowdown",     "bf16_emulation",
  };
  return names;
}

TrainingConstants make_training_constants(std::span<const double> values, const TrainingStack& stack) {
  std::size_t next = 0;
  const auto value = [&] { return values[next++]; };
  const auto share = [&] { return std::min(1.0, value()); };
  TrainingConstants c;
  c.gemm_efficiency = share();
  c.rows_half = value();
  c.hidden_half = value();
  c.attention_efficiency = share();
  c.elementwise_passes = value();
  const Seconds launch = value() * us;
  const bool host_matters = stack.kernels == KernelStyle::eager || stack.kernels == KernelStyle::framework;
  c.launch = host_matters ? launch : Seconds{};
  c.dequantisation = share();
  c.optimizer_traffic = value();
  c.gather_bus = share();
  c.gather_overlap = share();
  c.reduce_overlap = share();
  c.tensor_overlap = share();
  c.fp8_gain = value();
  c.mixture_slowdown = value();
  c.bf16_emulation = std::max(1.0, value());
  return c;
}

std::vector<std::string> training_levels(const TrainingCard& card, const TrainingStack& stack, const Job& job,
                                         const ParallelPlan& plan, LinkClass links) {
  std::vector<std::string> levels = {"arch:" + card.architecture, "family:" + card.family, kernel_level(stack.kernels),
                                     "stack:" + stack.id};
  if (stack.attention_kernels == AttentionKernels::earlier_chips) levels.push_back("attention:earlier|family:" + card.family);
  if (job.checkpointing == Checkpointing::full) levels.push_back("mode:checkpointed");
  if (job.kind != JobKind::full_finetune) levels.push_back("mode:adapters");
  if (job.kind == JobKind::full_finetune && stack.gathers == GatherStyle::per_parameter) levels.push_back("mode:gradient hooks");
  if (job.kind == JobKind::qlora) levels.insert(levels.end(), {"mode:quantised", is_nf4(job) ? "format:nf4" : "format:gptq"});
  if (plan.replicas > 1) {
    const bool network = links == LinkClass::network_rdma || links == LinkClass::network_tcp;
    const bool pcie = links == LinkClass::pcie_peer || links == LinkClass::pcie_staged;
    levels.push_back(gather_level(stack.gathers));
    levels.push_back(network ? "link:network" : pcie ? "link:pcie" : "link:peer");
    if (network) levels.push_back("link:network|" + gather_level(stack.gathers));
  }
  return levels;
}

TrainingConstants training_constants(const Calibration& calibration, std::span<const std::string> levels,
                                     const TrainingStack& stack) {
  std::vector<double> values;
  for (const auto term : training_terms()) values.push_back(calibration.value(term, levels));
  return make_training_constants(values, stack);
}

}  // namespace rigplan
