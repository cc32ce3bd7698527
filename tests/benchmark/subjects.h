// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "estimate/collectives/rigs.h"
#include "rigplan/estimate/collectives/prepare_fabric.h"
#include "rigplan/estimate/memory/memory.h"
#include "rigplan/search/evaluator.h"
#include "rigplan/simulate/inference.h"
#include "rigplan/workload/model_library.h"

// What is timed, with everything prepared that may be prepared.

namespace rigplan::benchmark_subjects {

inline const Catalog& shipped_catalog() {
  static const auto catalog = read_catalog(built_in_catalog_files());
  return catalog;
}
inline const TransformerModel& model_called(const char* name) {
  static ModelLibrary models;
  return *models.find(name);
}

/// A collective on a mapped rig of eight cards.
struct EightCards {
  Catalog catalog = test::round_catalog();
  RigGraph graph = build_graph(test::direct("peer", 8), catalog);
  LibraryCost cost =
      prepare_fabric(graph, test::all_cards(graph), PeerAssumption::unknown_is_no, built_in_calibration("collectives")).library;

  Seconds all_reduce(Bytes size) const { return cost.time(CollectiveOp::all_reduce, size).time; }
};

/// 1,024 cards in 128 machines, from the rig to the prepared fabric.
struct ThousandCards {
  Catalog catalog = test::round_catalog();
  Rig rig = test::networked(test::direct("peer", 8), 128, 8);
  Calibration calibration = built_in_calibration("collectives");

  GroupFabric prepare() const {
    const auto graph = build_graph(rig, catalog);
    return prepare_fabric(graph, test::all_cards(graph), PeerAssumption::unknown_is_no, calibration);
  }
};

/// Decode, prefill and memory of qwen2.5-32b on two cards.
struct OneEstimate {
  Job job;
  ParallelPlan plan{.split = SplitMode::tensor, .cards = 2, .tensor = 2};
  PreparedInference speed = prepared();
  PreparedMemory memory{model_called("qwen2.5-32b"), job};
  std::array<CardBudget, 1> budget{CardBudget{24 * GiB, 0.4 * GiB, 0.5 * GiB}};

  PreparedInference prepared() const {
    const auto& catalog = shipped_catalog();
    const auto* gpu = catalog.gpus.find("rtx-3090");
    const auto card = card_speed(*gpu, catalog.architectures.find(gpu->architecture));
    const auto graph = build_graph(rig_of(catalog, gpu->id, 2, "asrock-rack-romed8-2t"), catalog);
    const std::vector<int> both{0, 1};
    const auto fabric = prepare_fabric(graph, both, PeerAssumption::unknown_is_no, built_in_calibration("collectives"));
    return {model_called("qwen2.5-32b"), job, plan, std::span{&card, 1}, fabric, built_in_calibration("speed")};
  }
  double at(double depth) const {
    const auto answer = speed.at(Tokens{depth}, 1);
    const auto room = memory.at(plan, budget);
    return answer.decode.likely.in(token_per_s) + answer.prefill.likely.in(token_per_s) + room.missing().in(GiB);
  }
};

/// One plan of a training job on 10,000 cards whose graph stands.
struct TenThousandCards {
  Calibrations calibrations = built_in_calibrations();
  RigGraph graph = build_graph(rig_of(shipped_catalog(), "h100-sxm5-80gb", 10'000, ""), shipped_catalog());
  Evaluator evaluator{shipped_catalog(), model_called("llama-3-70b"), calibrations, query()};
  ParallelPlan plan{.split = SplitMode::tensor, .cards = 40, .tensor = 8, .pipeline = 5, .replicas = 250, .sharding = 1};

  static Query query() {
    Query asked;
    asked.job.kind = JobKind::full_finetune;
    asked.job.model = "llama-3-70b";
    asked.job.weight_format = "BF16";
    asked.job.engine = built_in_training_stacks().front().id;
    asked.job.sequences_per_step = 1000;
    return asked;
  }
  PlanResult evaluate() const { return evaluator.evaluate_plan(graph, plan, PeerAssumption::unknown_is_no); }
};

}  // namespace rigplan::benchmark_subjects
