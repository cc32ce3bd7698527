// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rigplan/catalog/calibration.h"
#include "rigplan/catalog/gpu.h"
#include "rigplan/catalog/training_stack.h"
#include "rigplan/estimate/collectives/group_fabric.h"
#include "rigplan/units/quantity.h"
#include "rigplan/workload/job.h"

namespace rigplan {

/// Rates of one card as training sees them.
struct TrainingCard {
  PeakRates peaks;
  Bandwidth memory;
  std::string architecture, family;  ///< for the calibration's levels
  bool matrix_units = true, native_bf16 = true, native_fp8 = false, fast_fp16 = true;
};
TrainingCard training_card(const Gpu&, const Architecture&);

/// The rate at which a card could multiply in the job's format.
struct TrainingRate {
  FlopRate peak;         ///< of the path that is really taken
  double emulation = 1;  ///< times slower, where the chip lacks the format and every value is converted
  bool fp8 = false;      ///< matrices in fp8; attention and the rest stay in 16 bit at `peak`
  std::string note;      ///< what happens instead, for people; empty where the chip has the format
};
TrainingRate training_rate(const TrainingCard&, TrainingPrecision, double bf16_emulation);

/// The fitted constants of training for one card, program and job.
struct TrainingConstants {
  static constexpr double memory_efficiency =
      0.8;                          ///< share of the bandwidth that streaming kernels reach; the passes below are relative to it
  double gemm_efficiency = 0;       ///< share of the peak that large matrices reach
  double rows_half = 0;             ///< tokens of a micro-batch at which half of that is left
  double hidden_half = 0;           ///< hidden size at which half of that is left
  double attention_efficiency = 0;  ///< of fused attention, causal half counted
  double elementwise_passes = 0;    ///< traffic of the kernels between the matrices, relative to one pass per operator
  Seconds launch;                   ///< host time per layer and micro-batch, forward and backward; 0 where nothing waits for it
  double dequantisation = 0;        ///< share of the bandwidth that dequantising kernels reach
  double optimizer_traffic = 0;     ///< traffic of the optimizer, relative to one read and one write of each state
  double gather_bus = 0;            ///< share of the bus bandwidth that gathers and reductions reach
  double gather_overlap = 0;        ///< share of the shorter of gathers and arithmetic that the longer one hides
  double reduce_overlap = 0;        ///< the same for the one reduction of plain data parallelism
  double tensor_overlap = 0;        ///< of the all-reduces of tensor parallel, by programs that divide them with the matrices
  double fp8_gain = 0;              ///< of matrices in fp8 over 16 bit
  double mixture_slowdown = 0;      ///< of grouped matrices, dispatch and all-to-all of experts
  double bf16_emulation = 0;
};

/// Names of the fitted terms, in the order in which make_training_constants() takes their values.
std::span<const std::string_view> training_terms();
TrainingConstants make_training_constants(std::span<const double> values, const TrainingStack& stack);

/// The levels by which the constants differ: "arch:sm_80", "family:ampere", "kernels:eager", "mode:checkpointed" ...
std::vector<std::string> training_levels(const TrainingCard&, const TrainingStack&, const Job&, const ParallelPlan&,
                                         LinkClass links);

TrainingConstants training_constants(const Calibration&, std::span<const std::string> levels, const TrainingStack&);

}  // namespace rigplan
