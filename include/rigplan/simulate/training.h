// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "rigplan/catalog/calibration.h"
#include "rigplan/catalog/training_stack.h"
#include "rigplan/estimate/collectives/group_fabric.h"
#include "rigplan/estimate/compute/training_constants.h"
#include "rigplan/units/range.h"
#include "rigplan/workload/job.h"
#include "rigplan/workload/model.h"

namespace rigplan {

/// The way between one card and the memory of its machine while all cards use theirs.
struct HostPath {
  Bandwidth link;    ///< each way
  Bandwidth memory;  ///< one card's share of what the processors read and write
};

/// The links of the kinds of parallel group that a plan makes. A degree of 1 needs no fabric.
struct TrainingFabric {
  GroupFabric tensor;    ///< cards of one tensor-parallel group
  GroupFabric expert;    ///< cards over which the experts are spread
  GroupFabric pipeline;  ///< neighbouring stages: hop() of it
  GroupFabric data;      ///< cards that hold the same weights, over which gradients are reduced
  GroupFabric shard;     ///< cards that share one sharded copy, over which it is gathered; often the same as data
  HostPath host;         ///< asked where the job offloads; a rate of 0 is not known and costs nothing
};

/// Where the time of one optimizer step goes; seconds that add up to the step.
struct TrainingParts {
  Seconds gemm, attention, elementwise, recompute, dequantisation, loss;
  Seconds host_launch;   ///< what the card waits for the host's launches beyond its own work
  Seconds tensor_comm;   ///< all-reduces of tensor parallel, not overlapped
  Seconds expert_comm;   ///< all-to-alls of expert parallel, not overlapped
  Seconds exposed_comm;  ///< gradients and gathers beyond what the arithmetic hides
  Seconds stage_hops;    ///< what passing activations between pipeline stages adds to the arithmetic
  Seconds bubble;        ///< idle pipeline stages
  Seconds offload;       ///< states that lie in host memory: transfers that nothing hides, and the update there
  Seconds optimizer;
};

/// One optimizer step of the whole plan.
struct TrainingStep {
  Seconds step;
  TrainingParts parts;
  TokenRate tokens;                 ///< of all cards
  Flops model_flops;                ///< useful arithmetic of one step; recomputation earns nothing
  FlopRate usable;                  ///< model FLOPs per second of all cards
  double mfu = 0;                   ///< usable over the peak of the format that the job multiplies in
  Range<double> factor;             ///< of the step time; [low, high] holds 80 % of measured steps
  std::string limited_by;           ///< "arithmetic", "memory bandwidth", "host launches", "links", "pipeline bubble"
  std::string precision_note;       ///< what the chip does instead where it lacks the job's format; else empty
  std::vector<std::string> levels;  ///< of the calibration that applied; none where constants were given
};

/// Pipeline schedule is 1F1B, interleaved where plan.interleave > 1. Cards of all stages are alike.
TrainingStep simulate_training(const TransformerModel&, const Job&, const ParallelPlan&, const TrainingStack&,
                               const TrainingCard&, const TrainingFabric&, const Calibration&);

/// The same with constants that were looked up before; factor is then 1.
TrainingStep simulate_training(const TransformerModel&, const Job&, const ParallelPlan&, const TrainingStack&,
                               const TrainingCard&, const TrainingFabric&, const TrainingConstants&);

/// The links that gathers and reductions cross; none where the plan has one replica.
LinkClass sharing_link(const ParallelPlan&, const TrainingFabric&);

}  // namespace rigplan
